// Sessions of an agent with its MCP servers: how they end, when they are opened again, and what reaches the server.
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { McpConnectionManager } from "../../src/agent-tools/index.ts"
import type { McpElicitation, McpServers } from "../../src/agent-tools/index.ts"
import { stubbornServer } from "../servers/agent-mcp.ts"
import { startMcpFixture } from "../servers/mcp-fixture.ts"
import type { FixtureOptions } from "../servers/mcp-fixture.ts"
import { plainTool, silence, startScriptedMcp, textResult } from "../servers/mcp-scripted.ts"
import type { ScriptedOptions } from "../servers/mcp-scripted.ts"
import { becomes } from "../servers/processes.ts"

const slow = { startupTimeoutMs: 120_000 }

async function start(servers: McpServers, options: Parameters<typeof McpConnectionManager.start>[1] = {}) {
  const mcp = await McpConnectionManager.start(servers, options)
  onTestFinished(() => mcp.close())
  return mcp
}

async function scripted(answer: ScriptedOptions["answer"], more: Partial<ScriptedOptions> = {}) {
  const server = await startScriptedMcp({ answer, ...more })
  onTestFinished(() => server.close())
  return server
}

async function fixture(options: FixtureOptions = {}) {
  const server = await startMcpFixture(options)
  onTestFinished(() => server.close())
  return server
}

const readOnly = { annotations: { readOnlyHint: true } }
const tools = [plainTool("read", readOnly), plainTool("write"), plainTool("hang")]

describe("a server over HTTP", () => {
  test("that lost the session is greeted once again, and the call is repeated", async () => {
    const server = await scripted(({ method }) =>
      method === "tools/list" ? { tools } : method === "tools/call" ? textResult("done") : undefined,
    )
    const mcp = await start({ a: { url: server.url } })
    expect(server.countOf("initialize")).toBe(1)
    server.forgetSessions()
    expect(await mcp.callTool("a", "write", {})).toMatchObject({ content: [{ text: "done" }] })
    expect(server.countOf("initialize")).toBe(2)
    expect(server.countOf("tools/call")).toBe(1)
  })

  test("that loses every session is greeted no more than once again", async () => {
    const server = await scripted(({ method }) => {
      if (method !== "tools/list") return undefined
      // From now on no request of a session is known.
      setImmediate(() => server.forgetSessions())
      return { tools }
    })
    const mcp = await start({ a: { url: server.url } })
    const before = server.countOf("initialize")
    server.forgetSessions()
    const forgetting = server.asked("notifications/initialized", before + 1).then(() => server.forgetSessions())
    await expect(mcp.callTool("a", "write", {})).rejects.toThrow("tool call failed for `a/write`: ")
    await forgetting
    expect(server.countOf("initialize")).toBe(before + 1)
  })

  test("that does not answer is given up after the time of a call, told so, and greeted anew for the next one", async () => {
    const server = await scripted(({ method, params }) => {
      if (method === "tools/list") return { tools }
      return method === "tools/call" ? (params["name"] === "hang" ? silence : textResult("done")) : undefined
    })
    const mcp = await start({ a: { url: server.url, toolTimeoutMs: 2000 } })
    await expect(mcp.callTool("a", "hang", {})).rejects.toThrow(
      /^tool call failed for `a\/hang`: The server did not answer within [\d.]+ s/,
    )
    await server.asked("notifications/cancelled")
    expect(await mcp.callTool("a", "write", {})).toMatchObject({ content: [{ text: "done" }] })
    expect(server.countOf("initialize")).toBe(2)
  })

  test("is told of a call that is cancelled, and whoever called is answered at once", async () => {
    const server = await scripted(({ method }) => (method === "tools/list" ? { tools } : method === "tools/call" ? silence : undefined))
    const mcp = await start({ a: { url: server.url } })
    const cancel = new AbortController()
    const calling = mcp.callTool("a", "hang", {}, { signal: cancel.signal })
    const { id } = await server.asked("tools/call")
    cancel.abort()
    await expect(calling).rejects.toThrow("tool call failed for `a/hang`: The call was cancelled")
    expect((await server.asked("notifications/cancelled")).params).toMatchObject({ requestId: id })
    expect(server.countOf("initialize")).toBe(1)
  })

  test("gets nothing of a call that was cancelled before", async () => {
    const server = await scripted(({ method }) => (method === "tools/list" ? { tools } : textResult("done")))
    const mcp = await start({ a: { url: server.url } })
    await expect(mcp.callTool("a", "write", {}, { signal: AbortSignal.abort() })).rejects.toThrow("The call was cancelled")
    await mcp.callTool("a", "read", {})
    expect(server.requests.filter((one) => one.method === "tools/call").map((one) => one.params["name"])).toEqual(["read"])
  })

  test("sees its tools filtered at the listing and again at the call", async () => {
    const server = await scripted(({ method }) => (method === "tools/list" ? { tools } : textResult("done")))
    const mcp = await start({
      only: { url: server.url, enabledTools: ["read", "write"], disabledTools: ["write"] },
      all: { url: server.url, supportsParallelToolCalls: true },
    })
    const table = await mcp.listAllTools()
    expect([...table].map(([name, { supportsParallel }]) => [name, supportsParallel])).toEqual([
      ["mcp__only__read", true],
      ["mcp__all__read", true],
      ["mcp__all__write", true],
      ["mcp__all__hang", true],
    ])
    await expect(mcp.callTool("only", "write", {})).rejects.toThrow("tool 'write' is disabled for MCP server 'only'")
    await expect(mcp.callTool("only", "hang", {})).rejects.toThrow("tool 'hang' is disabled for MCP server 'only'")
    await expect(mcp.callTool("all", "write", ["no object"])).rejects.toThrow("arguments must be an object")
    expect(server.countOf("tools/call")).toBe(0)
  })
})

describe.each([{ revisions: "all" }, { revisions: "legacy" }] as const)("a server of $revisions revisions", (options) => {
  const question = options.revisions === "all" ? "test_input_required_result_elicitation" : "test_elicitation"
  const args = options.revisions === "all" ? {} : { message: "Who are you?" }

  test("that announces other tools is seen to have them by the next listing, and by no table before", async () => {
    const server = await fixture(options)
    const mcp = await start({ a: { url: server.url } })
    const before = await mcp.listAllTools()
    server.mood.extraTool = true
    server.mood.description = "Another one."
    server.toolsChanged()
    await expect.poll(async () => (await mcp.listAllTools()).has("mcp__a__late")).toBe(true)
    expect(before.has("mcp__a__late")).toBe(false)
    expect(before.get("mcp__a__weather")?.tool.description).toBe("Reads the weather.")
    expect((await mcp.listAllTools()).get("mcp__a__weather")?.tool.description).toBe("Another one.")
    expect(await mcp.callTool("a", "late", {})).toMatchObject({ content: [{ text: "late" }] })
  })

  test("asks the human of the start, or the one of the call, or is declined", async () => {
    const server = await fixture(options)
    const asked: McpElicitation[] = []
    const answer = (name: string) => async (one: McpElicitation) => {
      asked.push(one)
      return { action: "accept", content: { name, username: name } } as const
    }
    const config = { a: { url: server.url } }
    const mcp = await start(config, { onElicitation: answer("start") })
    expect(JSON.stringify(await mcp.callTool("a", question, args))).toContain("start")
    expect(JSON.stringify(await mcp.callTool("a", question, args, { onElicitation: answer("call") }))).toContain("call")
    expect(asked).toMatchObject([1, 2].map(() => ({ kind: "form", server: "a", tool: question })))
    expect(asked[0]).not.toHaveProperty("state")
    const alone = await start(config)
    expect(JSON.stringify(await alone.callTool("a", question, args))).toContain("decline")
    const broken = () => Promise.reject(new Error("the terminal is gone"))
    expect(JSON.stringify(await mcp.callTool("a", question, args, { onElicitation: broken }))).toContain("cancel")
  })

  test("does not run out of time while the human thinks", async () => {
    const server = await fixture(options)
    const mcp = await start({ a: { url: server.url, toolTimeoutMs: 3000 } })
    const onElicitation = async () => {
      // Longer than a call may take.
      await new Promise((resolve) => setTimeout(resolve, 4000))
      return { action: "accept", content: { name: "slow", username: "slow" } } as const
    }
    expect(JSON.stringify(await mcp.callTool("a", question, args, { onElicitation }))).toContain("slow")
  })

  test("keeps what it says of its results to itself: a broken promise is a result all the same", async () => {
    const server = await fixture(options)
    const mcp = await start({ a: { url: server.url } })
    await mcp.listAllTools()
    expect(await mcp.callTool("a", "broken_promise", {})).toMatchObject({ structuredContent: { kept: true, extra: 1 } })
  })
})

describe("a program", () => {
  async function startsFile(): Promise<{ readonly flag: string; count(): Promise<number> }> {
    const folder = await mkdtemp(join(tmpdir(), "agent-mcp-session-"))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, "starts")
    return { flag: `starts=${path}`, count: async () => (await readFile(path, "utf8")).trim().split("\n").length }
  }

  test("that ends during a call is started again once for a read, and for a write not before the next call", async () => {
    const starts = await startsFile()
    const program = stubbornServer(starts.flag)
    const mcp = await start({ a: { ...program.config, ...slow } })
    const before = await starts.count()
    await expect(mcp.callTool("a", "write", {})).rejects.toThrow(
      /tool call failed for `a\/write`: .* ended with exit code 3[^]*The call may or may not have taken effect/,
    )
    expect(await starts.count()).toBe(before)
    expect(await mcp.callTool("a", "chatty", {})).toMatchObject({ content: [{ text: "said" }] })
    expect(await starts.count()).toBe(before + 1)
    await expect(mcp.callTool("a", "crash", {})).rejects.toThrow("tool call failed for `a/crash`: ")
    expect(await starts.count()).toBeLessThanOrEqual(before + 2)
  })

  test("that hangs is ended after the time of a call, and another one answers the next", async () => {
    const program = stubbornServer("stubborn")
    const mcp = await start({ a: { ...program.config, ...slow, toolTimeoutMs: 3000 } })
    const before = program.pids()
    await expect(mcp.callTool("a", "silent", {})).rejects.toThrow("did not answer within")
    expect(await mcp.callTool("a", "chatty", {})).toMatchObject({ content: [{ text: "said" }] })
    expect(await becomes(() => program.pids().every((pid) => !before.includes(pid)))).toBe(true)
  })
})
