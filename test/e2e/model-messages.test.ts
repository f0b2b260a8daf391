// What a model is told, over HTTP, MCP and the command line: what was done before a failure, what it took for what, and how to go on.
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import type { ExecutionReply } from "../../src/core/execution.ts"
import { definePlugin } from "../../src/plugin/define.ts"
import { openCli } from "./cli-run.ts"
import { callTool, connectMcp, textOf } from "./mcp-client.ts"
import { startMcpServer } from "./mcp-server.ts"
import type { McpTestServer } from "./mcp-server.ts"

/** Calls of `slow.jobs.get` that wait for their test, by name. */
const waiting = new Map<string, (answer: string) => void>()

const slow = definePlugin({
  id: "slow",
  name: "Slow",
  description: "Takes its time.",
  tools: [
    {
      path: "slow.jobs.get",
      name: "Get Job",
      description: "Answers when its test lets it",
      inputSchema: z.object({ name: z.string() }),
      destructive: false,
      handler: (_ctx, { name }) => new Promise<string>((resolve) => waiting.set(name, resolve)),
    },
    {
      path: "slow.naps.get",
      name: "Get Nap",
      description: "Answers after this time",
      inputSchema: z.object({ ms: z.number() }),
      destructive: false,
      handler: (_ctx, { ms }) => new Promise<string>((resolve) => setTimeout(() => resolve("rested"), ms)),
    },
  ],
})

async function finish(name: string, answer: string): Promise<void> {
  while (!waiting.has(name)) await new Promise((resolve) => setTimeout(resolve, 20))
  waiting.get(name)?.(answer)
}

let server: McpTestServer
beforeAll(async () => {
  server = await startMcpServer({ plugins: [slow] })
})
afterAll(() => server.close())

const errorOf = ({ structured }: ExecutionReply) => ("error" in structured ? structured.error : undefined)
const logsOf = ({ structured }: ExecutionReply): string[] => structured.logs.map((line) => line.text)
const run = (code: string, options: Record<string, unknown> = {}) => server.run(code, { autoApprove: true, ...options })

describe("an execution that fails", () => {
  test("ends with the calls that were made, writes first", async () => {
    const reply = await run(`
      await tools.ledger.items.get({ name: "seen" })
      for (const name of ["first", "second"]) await tools.ledger.items.create({ name }).unwrap()
      await tools.ledger.items.get({}).unwrap()`)
    expect(reply.text).toBe(
      `ToolError: ledger.items.get() failed: invalid_arguments: Missing required parameter 'name' (line 4, column 32)
Already done, do not repeat:
- ledger.items.create({"name":"first"}) → name first
- ledger.items.create({"name":"second"}) → name second
Reads made: ledger.items.get`,
    )
    expect(errorOf(reply)).toMatchObject({
      code: "thrown",
      name: "ToolError",
      toolError: { tool: "ledger.items.get", code: "invalid_arguments" },
      calls: [
        { tool: "ledger.items.create", args: '{"name":"first"}', effect: "write", outcome: "done", answer: "name first" },
        { tool: "ledger.items.create", outcome: "done" },
        { tool: "ledger.items.get", effect: "read" },
      ],
    })
  })

  test("names what was under way when its time was up, and how to get more", async () => {
    const reply = await run(
      `await tools.ledger.items.create({ name: "timed" }).unwrap()
      await Promise.all([tools.slow.jobs.get({ name: "never" }), tools.ledger.items.create({ name: "cut", delay: 60000 })])`,
      { timeoutMs: 10_000 },
    )
    expect(reply.text).toContain(
      "TimeoutError: The execution took longer than 10 s. Raise timeoutMs (max 600000), or split the work into several executions, without what is already done.",
    )
    expect(reply.text).toContain('Already done, do not repeat: ledger.items.create({"name":"timed"}) → name timed')
    expect(reply.text).toContain('May have happened, check before repeating: ledger.items.create({"name":"cut","delay":60000})')
    expect(reply.text).toContain('Stopped before it answered: slow.jobs.get({"name":"never"})')
  })

  test("keeps what it logged before a loop without end", async () => {
    const reply = await run(`console.log("have 3"); for (;;) {}`, { timeoutMs: 4000 })
    expect(errorOf(reply)?.code).toBe("timeout")
    expect(logsOf(reply)).toContain("have 3")
  })

  test("tells the same at a shell, and of a failed call that nobody looked at", async () => {
    const cli = openCli(mkdtempSync(join(tmpdir(), "executor-model-")))
    const env = { EXECUTOR_ORIGIN: `${server.url}/api`, EXECUTOR_TOKEN: server.tokens.human }
    const failed = await cli.run(["run", "--yes", "-"], {
      stdin: `await tools.ledger.items.create({ name: "typed" }).unwrap(); throw new Error("no")`,
      env,
    })
    expect(failed.stderr).toContain('Already done, do not repeat: ledger.items.create({"name":"typed"})')
    const ignored = await cli.run(["run", "-"], { stdin: `await tools.ledger.items.create({ title: 1 }); return "b"`, env })
    expect(ignored).toMatchObject({ code: 0, stdout: "b\n" })
    expect(ignored.stderr).toContain("1 call failed and its result was never looked at: ledger.items.create (invalid_arguments:")
  })
})

describe("a mistake", () => {
  test("with an envelope, a root or an argument says what is right", async () => {
    const forgotten = await run(`const r = await tools.ledger.items.get({ name: "a" }); return r.name`)
    expect(forgotten.text).toContain("TypeError: `r` is { ok, data } and has no `name`: use r.data.name or .unwrap() (line 1")
    const mapped = await run(`const rs = await tools.ledger.items.get({ name: "a" }); return rs.map(r => r.name)`)
    expect(mapped.text).toContain("`rs` is { ok, data } and has no `map`")
    const unknown = await run(`return await tools.ledger.items.create({ title: "a" }).unwrap()`)
    expect(unknown.text).toContain(
      `ledger.items.create({"title":"a"}) failed: invalid_arguments: Missing required parameter 'name'; Unknown`,
    )
    expect(unknown.text).toContain("Accepted: ")
    const searched = await run(`return await tools.search("create issue")`)
    expect(searched.text).toContain(`tools.search({ query: "create issue" })`)
    expect((await run(`await tools.call("a.b", {}).unwrap()`)).text).toContain('tools["<path>"](args)')
    expect((await run(`await tools.describe("a.b").unwrap()`)).text).toContain("tools.describe.tool({ path")
    const listed = await run(`return Object.keys(tools)`)
    expect(listed.text).toMatch(/^\[\]\n\nLogs:\n.*tools\.search\(\{ query \}\)/)
  })

  test("about time is none: a call may take as long as its execution", async () => {
    const hasty = await startMcpServer({ plugins: [slow], limits: { callTimeoutMs: 400 } })
    const nap = `return await tools.slow.naps.get({ ms: 900 })`
    expect(await hasty.run(nap)).toMatchObject({ structured: { result: { ok: false, error: { code: "timeout" } } } })
    expect(await hasty.run(nap, { timeoutMs: 60_000 })).toMatchObject({ structured: { result: { ok: true, data: "rested" } } })
    await hasty.close()
  })
})

describe("over MCP", () => {
  const connect = () => connectMcp(server.mcpUrl, { era: "modern", token: server.tokens.agent })

  test("what takes long is answered before the client gives up, and resume goes on waiting", async () => {
    const hasty = await startMcpServer({ plugins: [slow], limits: { mcpRunWaitMs: 1500 } })
    const client = await connectMcp(hasty.mcpUrl, { era: "modern", token: hasty.tokens.agent })
    const code = `return (await tools.slow.jobs.get({ name: "long" })).data`
    const running = await callTool(client, "execute", { code, timeoutMs: 300_000 })
    const { executionId = "" } = running.structured
    expect(running).toMatchObject({ isError: false, structured: { status: "running", executionId: expect.stringContaining("exe_") } })
    expect(textOf(running)).toContain(`Do not run the code again. Call resume({ "executionId": "${executionId}"`)
    expect((await callTool(client, "resume", { executionId, action: "accept" })).structured.status).toBe("running")
    await finish("long", "worth it")
    expect((await callTool(client, "resume", { executionId, action: "accept" })).structured).toMatchObject({ result: "worth it" })
    const other = await callTool(client, "execute", { code: code.replace("long", "stopped"), timeoutMs: 300_000 })
    const stopped = await callTool(client, "resume", { executionId: other.structured.executionId, action: "cancel" })
    expect(stopped.structured).toMatchObject({ status: "cancelled" })
    await client.close()
    await hasty.close()
  })

  test("a model that was told only that the code still runs approves nothing that it has not shown", async () => {
    const hasty = await startMcpServer({ plugins: [slow], limits: { mcpRunWaitMs: 1500 } })
    const client = await connectMcp(`${hasty.mcpUrl}?elicitation_mode=model`, { era: "modern", token: await hasty.agent("model") })
    const code = `await tools.slow.jobs.get({ name: "gap" }); return await tools.ledger.items.create({ name: "unseen" }).unwrap()`
    const { executionId = "" } = (await callTool(client, "execute", { code, timeoutMs: 300_000 })).structured
    await finish("gap", "done")
    await expect.poll(async () => (await hasty.call("GET", `/api/executions/${executionId}`)).body).toMatchObject({ status: "paused" })
    const shown = await callTool(client, "resume", { executionId, action: "accept" })
    expect(shown.structured).toMatchObject({ status: "waiting_for_interaction", interactions: [{ args: { name: "unseen" } }] })
    expect(hasty.ledger.entries).toEqual([])
    expect((await callTool(client, "resume", { executionId, action: "accept" })).structured).toMatchObject({ status: "completed" })
    expect(hasty.ledger.entries).toHaveLength(1)
    await client.close()
    await hasty.close()
  })

  test("equal questions are one, and resume answers at once when there is another, with what was done", async () => {
    const patient = await startMcpServer({ limits: { mcpAnswerWaitMs: 600_000, mcpRunWaitMs: 600_000 } })
    const client = await connectMcp(patient.mcpUrl, { era: "modern", token: patient.tokens.agent })
    const code = `
      await Promise.all(["a", "b", "c"].map((name) => tools.ledger.items.create({ name }).unwrap()))
      return await tools.ledger.items.remove({ name: "a" }).unwrap()`
    const paused = await callTool(client, "execute", { code })
    const { executionId = "" } = paused.structured
    expect(textOf(paused).match(/^- /gm)).toHaveLength(1)
    expect(textOf(paused)).toMatch(
      / ×3\n {2}ledger\.org\.main\.items\.create:\n {2}\{"name":"a"\}\n {2}\{"name":"b"\}\n {2}\{"name":"c"\}\n/,
    )
    await patient.approve(executionId)
    const next = await callTool(client, "resume", { executionId, action: "accept" })
    expect(next.structured).toMatchObject({ status: "waiting_for_interaction", interactions: [{ args: { name: "a" } }] })
    expect(textOf(next)).toMatch(/^Done so far:\n- ledger\.items\.create\(\{"name":"a"\}\) → name a\n/)
    const ended = callTool(client, "resume", { executionId, action: "accept" })
    await patient.approve(executionId)
    expect((await ended).structured).toMatchObject({ status: "completed" })
    await client.close()
    await patient.close()
  })

  test("a result that is cut gives its shape first, and is read on from where it stopped", async () => {
    const client = await connect()
    const made = `Array.from({ length: 1500 }, (_, id) => ({ id, title: "Issue \\"" + id, user: { login: "u" }, labels: ["a", "b"] }))`
    for (const [value, shape] of [
      [made, "array of 1500 { id, title, user: { login }, labels: array of 2 }"],
      [`${made}.map((one) => one.title + " é😀").join("\\n").repeat(4)`, ""],
    ]) {
      const cut = await callTool(client, "execute", { code: `return ${value}` })
      const text = textOf(cut)
      for (const part of [text, JSON.stringify(cut.structuredContent)]) expect(part.length).toBeLessThanOrEqual(30_000)
      expect(text).toMatch(/^The result is too long to show: .*\d+ characters\. Return less of it, or read on: return await tools\./)
      expect(text).toContain(`too long to show: ${shape}`)
      expect(text.length).toBeLessThan(6000)
      expect(cut.structured.result).toMatchObject({ truncated: true, shape: expect.stringContaining(shape ?? "") as unknown })
      let whole = text.slice(text.indexOf("\nIt begins:\n") + "\nIt begins:\n".length)
      const call = /return await tools\.executor\.results\.read\(.*offset: (\d+) \}\)/
      let next = call.exec(text)
      expect(Number(next?.[1])).toBe(whole.length)
      while (next !== null) {
        const piece = await callTool(client, "execute", { code: next[0] })
        const said = textOf(piece)
        expect(JSON.stringify(piece.structuredContent).length).toBeLessThanOrEqual(30_000)
        const at = said.lastIndexOf("\n[")
        whole += said.slice(0, at)
        expect(said.slice(at)).toMatch(/^\n\[(?:the end of the result|up to \d+ of \d+ characters; read on: .*)\]$/)
        next = call.exec(said.slice(at))
      }
      const expected = (await server.run(`const v = ${value}; return [typeof v === "string" ? v : JSON.stringify(v)]`)).structured
      expect([whole]).toEqual("result" in expected ? expected.result : null)
    }
    await client.close()
  })

  test("nothing that is said needs HTTP, however much was logged", async () => {
    const client = await connect()
    const code = `console.log("first line"); for (let i = 0; i < 900; i++) console.log("l".repeat(100)); console.log("last line"); tools.slow.jobs.get({ name: "left" }); await tools.search({ query: "x" }); return 1`
    const chatty = await callTool(client, "execute", { code })
    expect(textOf(chatty).length).toBeLessThanOrEqual(30_000)
    expect(JSON.stringify(chatty.structuredContent).length).toBeLessThanOrEqual(30_000)
    expect(textOf(chatty)).not.toContain("GET /")
    for (const part of [textOf(chatty), JSON.stringify(chatty.structuredContent)]) {
      expect(part).toContain("first line")
      expect(part).toContain("last line")
      expect(part).toMatch(/… \d+ lines are left out here; log less, or return the values\./)
    }
    await finish("left", "over")
    await client.close()
  })
})
