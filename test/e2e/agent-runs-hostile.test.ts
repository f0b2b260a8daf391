// Models whose answers are made to break what reads, keeps or counts them, on both databases: the run goes on, or ends and says why.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { ModelRequest } from "../servers/model.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { get, startAgents } from "./agent-maker.ts"
import type { AgentBench } from "./agent-maker.ts"

const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`
const read = (name: string) => ({ name: get, arguments: { name } })

describe.each(["sqlite", "postgresql"] as const)("on %s", (kind) => {
  let bench: AgentBench
  beforeAll(async () => {
    const url = kind === "sqlite" ? null : await (await sharedPostgres()).createDatabase()
    const database = url === null ? {} : { EXECUTOR_DATABASE_URL: url, EXECUTOR_SECRET_KEY: "a key for this test only" }
    bench = await startAgents({ env: database })
    await bench.agent("keeper")
  })
  afterAll(() => bench.stop())

  test("arguments that are nested beyond all depth are no arguments, and the other calls of the answer are made", async () => {
    const seen: ModelRequest[] = []
    const reply = await bench.run("keeper", (request) => {
      seen.push(request)
      if (seen.length > 1) return { text: "Done." }
      const bombs = [`{"name":${nested(50_000)}}`, nested(50_000), JSON.stringify(`{"name":${nested(50_000)}}`), "[".repeat(50_000)]
      return { calls: [...bombs.map((bomb) => ({ name: get, arguments: bomb })), read("beside")] }
    })
    expect([reply.status, reply.text.slice(0, 300)]).toEqual(["completed", "Done."])
    expect(seen[1]?.outputs.map(({ text }) => text.includes('"name":"beside"'))).toEqual([false, false, false, false, true])
  })

  test("a text that is nested as deeply is no call, and no answer by a schema", async () => {
    const bombs = [`{"tool":"${get}","arguments":${nested(50_000)}}`, `{"deep":${nested(50_000)}}`]
    const plain = await bench.run("keeper", [{ text: bombs[0] ?? "" }])
    expect([plain.status, plain.output === bombs[0]]).toEqual(["completed", true])
    await bench.agent("formed", { outputSchema: { type: "object" } })
    let asked = 0
    const formed = await bench.run("formed", () => ({ text: bombs[asked++] ?? '{"deep":1}' }))
    expect([formed.status, JSON.stringify(formed.output)?.slice(0, 100), asked]).toEqual(["completed", '{"deep":1}', 3])
  })

  test("characters that no database keeps, in everything that a model says", async () => {
    const odd = "a\u0000b\ud800c"
    const seen: ModelRequest[] = []
    const reply = await bench.run("keeper", (request) => {
      seen.push(request)
      if (seen.length === 1) return { text: odd, calls: [{ ...read(odd), id: odd }, { name: odd, arguments: odd }, read("beside")] }
      return { text: `Done ${odd}` }
    })
    expect(reply.status).toBe("completed")
    expect(seen[1]?.outputs).toHaveLength(3)
    expect(seen[1]?.outputs[1]?.text).toContain(`You have: `)
    // What its provider would not read again is not sent back either.
    expect(JSON.stringify(seen[1]?.body)).toContain('"name":"a_b_c"')
    const { status, calls } = await bench.product.client.executions.get(reply.runId)
    expect([status, ...calls.map(({ address }) => address)]).toEqual([
      "completed",
      "model/local/scripted",
      "tools.ledger.org.main.items.get",
      "a\\u0000b\\ud800c",
      "tools.ledger.org.main.items.get",
      "model/local/scripted",
    ])
    const failed = await bench.run("keeper", [{ fail: "status", status: 400, message: odd }])
    expect(await bench.product.client.executions.get(failed.runId)).toMatchObject({ status: "failed" })
  })

  test("a name that no database keeps, of a call that had not begun when the run was cancelled", async () => {
    const stuck = { name: get, arguments: { name: `stuck_${kind}`, delay: 600_000 } }
    bench.model.script(() => ({ calls: [stuck, { name: "a\u0000b\ud800c".repeat(100), arguments: "{}" }] }))
    const { client } = bench.product
    const { runId } = await client.agents.run("keeper", { text: "Go.", wait: false })
    await expect.poll(() => bench.ledger.underWay()).toContain(`stuck_${kind}`)
    await client.executions.cancel(runId)
    await expect.poll(async () => (await client.executions.get(runId)).calls.map((call) => call.status)).toEqual(["done", "done", "done"])
    const { status, calls } = await client.executions.get(runId)
    expect([status, calls[2]?.error?.message]).toEqual(["cancelled", "Not made: the run was ended before this call began"])
  })

  test("a long line of breaks in a fence that is never closed", async () => {
    const text = `\`\`\`${"\n".repeat(300_000)}x`
    expect(await bench.run("keeper", [{ text }])).toMatchObject({ status: "completed", output: text })
  })

  test("a usage that nobody can have does not lift the limit, and is no number of its own", async () => {
    await bench.agent("cheap", { limits: { tokens: 1000 } })
    let asked = 0
    const lies = [
      { input: -1e12, output: 300 },
      { input: 1.5, output: -7 },
      { input: 600, output: 200 },
    ]
    const reply = await bench.run("cheap", () => ({
      calls: [read(`token${asked}`)],
      usage: lies[asked++] ?? { input: 1000, output: 1000 },
    }))
    expect(reply.structured).toMatchObject({ status: "failed", error: { code: "limit_reached" } })
    expect(asked).toBe(3)
    expect(reply.structured).toMatchObject({ usage: { inputTokens: expect.any(Number), outputTokens: 500, steps: 3 } })
  })
})
