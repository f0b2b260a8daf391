// Executions survive kill -9 at random points: nothing is lost, no write happens twice, and each uncertain one says so.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { sharedPostgres } from "../servers/postgres.ts"
import { startProduct } from "../e2e/product.ts"
import type { Product } from "../e2e/product.ts"
import { makeTool } from "../e2e/registry-maker.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"

const executionsPerStore = process.env["EXECUTOR_CHAOS_FULL"] === undefined ? 20 : 300
const perRound = 4
let ledger: Ledger

beforeAll(async () => void (ledger = await startLedger()))
afterAll(() => ledger.close())

type Ended = { readonly code: string; readonly result: unknown; readonly status: string; readonly error: unknown }

/** Reads, two writes at once, then one that depends on them; every write has a name of its own. */
const work = `
  const seen = await tools.ledger.items.get({ name: input.id + "-read", delay: 15 }).unwrap()
  const both = await Promise.all(["a", "b"].map((part) => tools.ledger.items.create({ name: input.id + "-" + part, delay: 20 })))
  const last = await tools.ledger.items.create({ name: input.id + "-c-" + seen.count, delay: 10 })
  return [...both, last].map((one) => one.ok ? "done" : one.error.code)`

/** Who does it: the execution's own code, or a tool that is made of the same code. */
const forms = {
  code: (id: string): string => `const input = { id: "${id}" }${work}`,
  tool: (id: string): string => `return await tools.registry.work({ id: "${id}" }).unwrap()`,
}
type Form = keyof typeof forms

const cases = (["sqlite", "postgresql"] as const).flatMap((kind) => (["code", "tool"] as const).map((form) => [kind, form] as const))

describe.each(cases)("on %s, by %s", (kind, form) => {
  test(`${executionsPerStore} executions`, async () => {
    const prefix = `${kind}-${form}`
    const dataDir = mkdtempSync(join(tmpdir(), "executor-chaos-"))
    const databaseUrl = kind === "sqlite" ? null : await (await sharedPostgres()).createDatabase()
    const env = {
      EXECUTOR_LIMITS: JSON.stringify({ leaseMs: 600 }),
      ...(databaseUrl === null ? {} : { EXECUTOR_DATABASE_URL: databaseUrl, EXECUTOR_SECRET_KEY: "a key for the chaos test only" }),
    }
    let product = await startProduct({ dataDir, env })
    await product.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
    await product.client.connections.create({ integration: "ledger" })
    await makeTool(product.client, "work", {
      implementationType: "custom",
      implementationConfig: { code: work },
      executionConfig: { max_concurrency: perRound },
    })
    const ids: string[] = []
    for (let round = 0; round < executionsPerStore / perRound; round++) {
      const started = Array.from({ length: perRound }, (_, i) => start(product, forms[form], `${prefix}-${round}-${i}`))
      await untilSeen(`${prefix}-${round}-`, 2 + ((round * 5) % 14))
      await product.kill("SIGKILL")
      for (const id of await Promise.all(started)) if (id !== null) ids.push(id)
      product = await startProduct({ dataDir, env })
      await answerAll(product)
    }
    const views = await untilAllEnd(product)
    checkLedger(prefix, views)
    expect(views.length).toBeGreaterThan(0)
    await product.kill("SIGTERM")
    rmSync(dataDir, { recursive: true })
  }, 1_800_000)
})

/** In the middle of the round's work, however fast the machine is: each execution makes four calls. */
async function untilSeen(prefix: string, calls: number): Promise<void> {
  const deadline = Date.now() + 20_000
  while (ledger.entries.filter((entry) => entry.name.startsWith(prefix)).length < calls && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 3))
  }
}

/** The execution's id when it paused before the kill; null when the server died first. */
async function start(product: Product, codeOf: (typeof forms)[Form], id: string): Promise<string | null> {
  try {
    const reply = await product.client.run(codeOf(id))
    if (reply.status === "paused") await product.client.resume(reply.executionId, { action: "accept" })
    return reply.executionId
  } catch {
    return null
  }
}

async function answerAll(product: Product): Promise<void> {
  for (;;) {
    const { items } = await product.client.approvals.list({ limit: 100 })
    if (items.length === 0) return
    await Promise.all(items.map((one) => product.client.approvals.answer(one.approvalId, { action: "accept" }).catch(() => {})))
  }
}

async function untilAllEnd(product: Product): Promise<Ended[]> {
  const deadline = Date.now() + 120_000
  for (;;) {
    await answerAll(product)
    const { items } = await product.client.executions.list({ limit: 1000 })
    if (items.every((item) => item.status === "completed" || item.status === "failed")) {
      return Promise.all(
        items.map(async (item) => {
          const view = await product.client.executions.get(item.executionId)
          const { result, error } = view.structured as { result: unknown; error?: unknown } // it has ended
          return { code: view.code, status: view.status, result, error }
        }),
      )
    }
    if (Date.now() > deadline) throw new Error(`Still not settled: ${JSON.stringify(items.map((item) => item.status))}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Every execution that was recorded ended; what it says of each write agrees with what the upstream saw. */
function checkLedger(prefix: string, views: readonly Ended[]): void {
  const happened = new Map<string, number>()
  for (const entry of ledger.entries) if (entry.method === "POST") happened.set(entry.name, (happened.get(entry.name) ?? 0) + 1)
  for (const [name, count] of happened) expect({ name, count }).toEqual({ name, count: 1 })
  for (const view of views) {
    expect(view).toMatchObject({ status: "completed", error: undefined })
    const id = view.code.match(/id: "([^"]+)"/)?.[1] ?? ""
    expect(id.startsWith(prefix)).toBe(true)
    const said = view.result as string[]
    const names = [`${id}-a`, `${id}-b`, [...happened.keys()].find((name) => name.startsWith(`${id}-c-`)) ?? `${id}-c`]
    names.forEach((name, index) => {
      expect(["done", "outcome_unknown"]).toContain(said[index])
      if (said[index] === "done") expect({ name, happened: happened.get(name) }).toEqual({ name, happened: 1 })
    })
  }
}
