// Two servers on one database: what is done on one to an execution that runs on the other.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

/** Leases are so long that nothing here can be the work of their renewal. */
const limits = { EXECUTOR_LIMITS: JSON.stringify({ leaseMs: 120_000 }) }
/** A renewal would take forty seconds; what is left beside the look itself is the pace of a busy machine. */
const soonMs = 3000

const databases = {
  "one PostgreSQL": async (dataDirs: readonly string[]) => {
    const url = await (await sharedPostgres()).createDatabase()
    const env = { ...limits, EXECUTOR_DATABASE_URL: url, EXECUTOR_SECRET_KEY: "one key for both of the nodes" }
    return dataDirs.map((dataDir) => ({ dataDir, env }))
  },
  "one SQLite file": async ([dataDir = ""]: readonly string[]) => [1, 2].map(() => ({ dataDir, env: limits })),
}

describe.each(Object.entries(databases))("two servers on %s", (_name, optionsFor) => {
  let ledger: Ledger
  let runner: Product
  let other: Product
  const dataDirs = [1, 2].map(() => mkdtempSync(join(tmpdir(), "executor-node-")))

  beforeAll(async () => {
    ledger = await startLedger()
    const [first, second] = await optionsFor(dataDirs)
    runner = await startProduct(first)
    other = await startProduct(second)
    await runner.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
    await runner.client.connections.create({ integration: "ledger" })
  })
  afterAll(async () => {
    await Promise.all([runner.kill("SIGTERM"), other.kill("SIGTERM")])
    await ledger.close()
    for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true })
  })

  /** Its id, once the other server can see it. */
  async function start(code: string) {
    const reply = runner.client.run(code)
    const find = async () => (await other.client.executions.list({ status: "running" })).items[0]?.executionId
    await expect.poll(find, { timeout: 10_000 }).toBeDefined()
    return { id: (await find()) ?? "", reply }
  }
  const msUntil = async (isTrue: () => boolean): Promise<number> => {
    const sinceMs = performance.now()
    await expect.poll(isTrue, { interval: 2, timeout: 60_000 }).toBe(true)
    return performance.now() - sinceMs
  }

  test("what one cancels stops on the other at once: its code, and the request that it waits for", async () => {
    const { id, reply } = await start(`
      for (let n = 0; n < 5; n += 1) await tools.ledger.items.get({ name: "early" + n, delay: 50 })
      await tools.ledger.items.get({ name: "open", delay: 30_000 })
      return (await tools.ledger.items.get({ name: "late" })).ok`)
    await expect.poll(() => ledger.underWay()).toContain("open")
    expect((await other.client.executions.cancel(id)).status).toBe("cancelled")
    const ms = await msUntil(() => ledger.underWay().length === 0)
    expect(ms).toBeLessThan(soonMs)
    expect((await reply).status).toBe("cancelled")
    expect(ledger.entries.map((entry) => entry.name)).not.toContain("late")
  }, 90_000)

  test("what a human answers on one reaches the code that goes on on the other", async () => {
    const { id, reply } = await start(`
      let made
      tools.ledger.items.create({ name: "asked" }).then((result) => (made = result.ok))
      while (made === undefined) await new Promise((next) => setTimeout(next, 50))
      return made`)
    const find = async () => (await other.client.approvals.list()).items.find((approval) => approval.executionId === id)
    await expect.poll(find, { timeout: 10_000 }).toBeDefined()
    const sinceMs = performance.now()
    await other.client.approvals.answer((await find())?.approvalId ?? "", { action: "accept" })
    expect((await reply).structured).toMatchObject({ status: "completed", result: true })
    expect(performance.now() - sinceMs).toBeLessThan(soonMs)
    expect(ledger.entries.filter((entry) => entry.name === "asked")).toHaveLength(1)
  }, 90_000)
})
