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
    const { status, calls } = await bench.product.client.executions.get(reply.runId)
    expect({ status, calls: calls.length }).toMatchObject({ status: "completed" })
    const failed = await bench.run("keeper", [{ fail: "status", status: 400, message: odd }])
    expect(await bench.product.client.executions.get(failed.runId)).toMatchObject({ status: "failed" })
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
