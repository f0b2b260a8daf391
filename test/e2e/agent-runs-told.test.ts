// The end of a run that somebody was told stands after kill -9: the model is not asked again, and nobody reads another answer.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { ExecutionEvent } from "../../src/core/execution.ts"
import { openRows } from "../servers/database-rows.ts"
import type { DatabaseRows } from "../servers/database-rows.ts"
import type { ModelServer } from "../servers/model.ts"
import { startModelServer } from "../servers/model.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { followEvents } from "./follow-events.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const kinds = {
  sqlite: { url: async () => null, lock: ["begin immediate"] },
  postgresql: { url: async () => (await sharedPostgres()).createDatabase(), lock: ["begin", "lock table calls in exclusive mode"] },
} as const

describe.each(["sqlite", "postgresql"] as const)("on %s", (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-told-"))
  let rows: DatabaseRows
  let model: ModelServer
  let product: Product
  let start: () => Promise<Product>

  beforeAll(async () => {
    const databaseUrl = await kinds[kind].url()
    const env = {
      EXECUTOR_LIMITS: JSON.stringify({ leaseMs: 3000 }),
      ...(databaseUrl === null ? {} : { EXECUTOR_DATABASE_URL: databaseUrl, EXECUTOR_SECRET_KEY: "a key for this test only" }),
    }
    start = () => startProduct({ dataDir, env })
    model = await startModelServer()
    product = await start()
    rows = await openRows(dataDir, databaseUrl)
    await product.client.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl: model.baseUrl })
    const { id } = await product.client.agents.create({
      slug: "teller",
      name: "Teller",
      instructions: "Tell.",
      model: { provider: "local", name: "scripted" },
      tools: [],
    })
    await product.client.agents.publish(id)
  })
  afterAll(async () => {
    await rows.close()
    await product.kill("SIGTERM")
    await model.close()
    rmSync(dataDir, { recursive: true })
  })

  /** No two answers are the same. */
  const answer = (): string => `Answer ${model.requests.length}.`

  const crash = async (): Promise<void> => {
    await product.kill("SIGKILL")
    product = await start()
  }

  /** What a server says of a run when it has ended. */
  async function endOf(runId: string): Promise<unknown> {
    await expect.poll(async () => (await product.client.executions.get(runId)).status, { timeout: 60_000 }).not.toBe("running")
    return (await product.client.executions.get(runId)).structured
  }

  test("whoever was replied to reads the same afterwards", async () => {
    model.script(({ userText }) =>
      userText === "Fail." ? { fail: "status", status: 400, message: `Refused at question ${model.requests.length}.` } : { text: answer() },
    )
    const [failed, told] = await Promise.all(["Fail.", "Tell me."].map((text) => product.client.agents.run("teller", { text })))
    await crash()
    expect(failed).toMatchObject({ status: "failed", structured: { error: { code: "model_error" } } })
    expect(told).toMatchObject({ status: "completed" })
    for (const reply of [failed, told]) expect(await endOf(reply?.runId ?? "")).toEqual(reply?.structured)
    expect(model.requests).toHaveLength(2)
  })

  test("nobody is told of the end while the last answer is not durable", async () => {
    const asked = model.requests.length
    const ready = Promise.withResolvers<void>()
    model.script(() => ({ text: answer(), before: () => ready.promise }))
    const { runId } = await product.client.agents.run("teller", { text: "Tell me.", wait: false })
    const events = (await followEvents(product, runId))[Symbol.asyncIterator]()
    await model.request(asked + 1)
    // Nothing can be written from now on.
    for (const statement of kinds[kind].lock) await rows.all(statement)
    ready.resolve()
    await eventOf(events, ({ type }) => type === "call")
    const told: string[] = []
    const end = eventOf(events, ({ type }) => type === "end").then(({ type }) => told.push(type))
    // Whatever the server had to say by then has arrived before its answer to this.
    await fetch(`${product.url}/api/health`)
    expect(told).toEqual([])
    await rows.all("rollback")
    await end
    await crash()
    expect(await endOf(runId)).toMatchObject({ result: `Answer ${asked + 1}.` })
    expect(model.requests).toHaveLength(asked + 1)
  })
})

async function eventOf(events: AsyncIterator<ExecutionEvent>, isIt: (event: ExecutionEvent) => boolean): Promise<ExecutionEvent> {
  for (;;) {
    const { done, value } = await events.next()
    if (done === true) throw new Error("The events ended before the one that is waited for")
    if (isIt(value)) return value
  }
}
