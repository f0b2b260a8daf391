// What a model is told over MCP of an execution that goes on, was stopped or failed in the middle: what is done, and what is not.
import type { Client } from "@modelcontextprotocol/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { callTool, connectMcp, textOf } from "./mcp-client.ts"
import { startMcpServer } from "./mcp-server.ts"
import type { McpTestServer } from "./mcp-server.ts"

/** `mcpRunWaitMs`: after which time what runs is told of. */
function useServer(mcpRunWaitMs: number) {
  let server: McpTestServer
  let client: Client
  beforeAll(async () => {
    server = await startMcpServer({ limits: { mcpRunWaitMs } })
    await server.call("POST", "/api/policies", { body: { owner: "org", pattern: "ledger.*", action: "allow" } })
    client = await connectMcp(server.mcpUrl, { era: "modern", token: server.tokens.agent })
  })
  afterAll(async () => {
    await client.close()
    await server.close()
  })
  return {
    execute: (code: string, options: Record<string, unknown> = {}) => callTool(client, "execute", { code, ...options }),
    resume: (executionId: string, action = "accept") => callTool(client, "resume", { executionId, action }),
    release: (name: string) => server.ledger.release(name),
    /** The requests of these names have arrived, and are neither answered nor broken off. */
    underWay: (...names: string[]) => expect.poll(() => server.ledger.underWay().toSorted()).toEqual(names.toSorted()),
  }
}

describe("an execution that still runs", () => {
  const { execute, resume, release, underWay } = useServer(1000)

  test("tells what is done, writes first, what is under way, and its latest logs", async () => {
    const code = `
      console.log("begin")
      await tools.ledger.items.get({ name: "looked" })
      await tools.ledger.items.create({ name: "made" }).unwrap()
      for (let i = 0; i < 400; i++) console.log("step " + i)
      return (await tools.ledger.items.create({ name: "slow", delay: 600000 })).ok`
    const { executionId = "" } = (await execute(code, { timeoutMs: 300_000 })).structured
    // On a busy machine it may not have come so far yet.
    await underWay("slow")
    const running = await resume(executionId)
    expect(running.structured).toMatchObject({
      status: "running",
      calls: [
        { tool: "ledger.items.create", outcome: "done", answer: "name made" },
        { tool: "ledger.items.create", outcome: "under_way" },
        { tool: "ledger.items.get", effect: "read", outcome: "done" },
      ],
    })
    const text = textOf(running)
    expect(text).toContain(`Execution ${executionId} is still running (`)
    expect(text).toMatch(/^Execution \w+ is still running \(\d+ of 300 s\)\. Do not run the code again\. Call resume\(/)
    expect(text).toContain(
      `\n\nDone so far: ledger.items.create({"name":"made"}) → name made\nStill under way: ledger.items.create({"name":"slow","delay":600000})\nReads made: ledger.items.get\n\nLogs:\n`,
    )
    expect(text).toMatch(/… \d+ earlier lines are not shown\n[^]*step 399$/)
    for (const part of [text, JSON.stringify(running.structuredContent)]) expect(part.length).toBeLessThan(12_000)
    release("slow")
    expect((await resume(executionId)).structured).toMatchObject({ result: true })
  })

  test("counts what there is no room for", async () => {
    const code = `
      for (let i = 0; i < 70; i++) await tools.ledger.items.create({ name: "n" + i + "x".repeat(200) }).unwrap()
      await tools.ledger.items.get({ name: "wait", delay: 600000 })`
    const { executionId = "" } = (await execute(code, { timeoutMs: 300_000 })).structured
    await underWay("wait")
    const running = await resume(executionId)
    const listed = textOf(running).match(/^- ledger\.items\.create\(/gm)?.length ?? 0
    const more = Number(/^- ledger\.items\.create, (\d+) more$/m.exec(textOf(running))?.[1])
    expect(listed).toBeGreaterThan(5)
    expect(listed + more).toBe(70)
    for (const part of [textOf(running), JSON.stringify(running.structuredContent)]) expect(part.length).toBeLessThan(12_000)
    await resume(executionId, "cancel")
  })
})

describe("what was under way", () => {
  const { execute, release, underWay } = useServer(600_000)

  test("when the time was up was stopped, and that is said", async () => {
    const stopped = await execute(
      `await Promise.all([tools.ledger.items.get({ name: "read", delay: 600000 }), tools.ledger.items.create({ name: "write", delay: 600000 })])`,
      { timeoutMs: 5000 },
    )
    expect(textOf(stopped)).toContain('Stopped before it answered: ledger.items.get({"name":"read","delay":600000})')
    expect(textOf(stopped)).toContain('May have happened, check before repeating: ledger.items.create({"name":"write","delay":600000})')
    expect(textOf(stopped)).not.toContain("under way")
    await underWay()
  })

  test("when the code failed goes on, and that is said of those that were sent, and of no others", async () => {
    const failed = await execute(
      `await Promise.all([
        tools.ledger.items.get({ name: "one", delay: 600000 }).unwrap(),
        tools.ledger.items.get({}).unwrap(),
        tools.nope.x({}).unwrap(),
        tools.ledger.items.create({ name: "two", delay: 600000 }).unwrap(),
        tools.ledger.items.create({}).unwrap(),
      ])`,
    )
    expect(textOf(failed)).toContain(
      `Still under way, not stopped:\n- ledger.items.create({"name":"two","delay":600000})\n- ledger.items.get({"name":"one","delay":600000})`,
    )
    expect(textOf(failed)).not.toContain("in progress")
    await underWay("one", "two")
    for (const name of ["one", "two"]) release(name)
  })

  test("when the code went on without it is counted rightly", async () => {
    const left = await execute(
      `await Promise.all([
        tools.ledger.items.get({ name: "left", delay: 600000 }).unwrap(),
        ...[1, 2, 3].map(() => tools.ledger.items.get({}).unwrap()),
      ]).catch(() => {})
      return "on"`,
    )
    expect(left.structured.result).toBe("on")
    expect(textOf(left)).toContain("1 call was still in progress when the code ended: it continues; `await` it to learn its result.")
    await underWay("left")
    release("left")
  })

  test("is not told of calls that were all refused", async () => {
    const refused = await execute(`await Promise.all([1, 2, 3].map(() => tools.ledger.items.create({}).unwrap()))`)
    expect(textOf(refused)).not.toMatch(/in progress|under way/)
  })
})
