// Two servers on one database: a role that changes binds on both at the next call, in code that runs and in code that waits.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openPostgresStore } from "../../src/store/postgres.ts"
import { openSqliteStore } from "../../src/store/sqlite.ts"
import type { Store } from "../../src/store/store.ts"
import { createClient } from "../../src/surfaces/client/index.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"
import { personWith } from "./role-surfaces.ts"

const databases = {
  "one PostgreSQL": async (dataDirs: readonly string[]) => {
    const url = await (await sharedPostgres()).createDatabase()
    const env = { EXECUTOR_DATABASE_URL: url, EXECUTOR_SECRET_KEY: "one key for both of the nodes" }
    return { nodes: dataDirs.map((dataDir) => ({ dataDir, env })), open: () => openPostgresStore({ url }) }
  },
  "one SQLite file": async ([dataDir = ""]: readonly string[]) => ({
    nodes: [1, 2].map(() => ({ dataDir })),
    open: () => openSqliteStore({ path: join(dataDir, "executor.db") }),
  }),
}

describe.each(Object.entries(databases))("two servers on %s", (_name, optionsFor) => {
  let ledger: Ledger
  let runner: Product
  let other: Product
  /** A third one that changes roles. */
  let store: Store
  const dataDirs = [1, 2].map(() => mkdtempSync(join(tmpdir(), "executor-node-")))

  beforeAll(async () => {
    ledger = await startLedger()
    const { nodes, open } = await optionsFor(dataDirs)
    runner = await startProduct(nodes[0])
    other = await startProduct(nodes[1])
    store = await open()
    await runner.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
    await runner.client.connections.create({ integration: "ledger" })
  })
  afterAll(async () => {
    await store.close()
    await Promise.all([runner.kill("SIGTERM"), other.kill("SIGTERM")])
    await ledger.close()
    for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true })
  })

  const writes = (): string[] => ledger.entries.filter(({ method }) => method === "POST").map(({ name }) => name)
  const clientOf = ({ url }: Product, token: string) => createClient({ origin: `${url}/api`, token })

  test("code that runs is refused what its role has lost", async () => {
    const token = await personWith(store, "looper", ["ledger.**"])
    const reply = clientOf(runner, token).run(`
      for (let n = 0; ; n += 1) {
        const answer = await tools.ledger.items.get({ name: "turn" + n, delay: 20 })
        if (!answer.ok) return answer.error.code
      }`)
    await expect.poll(() => ledger.entries.some(({ name }) => name === "turn2")).toBe(true)
    await personWith(store, "looper", ["ledger.items.create"])
    expect(await reply).toMatchObject({ structured: { result: "tool_blocked" } })
  })

  test("what was approved is not called when its role was lost meanwhile, whichever server goes on", async () => {
    const token = await personWith(store, "waiter", ["ledger.**"], { kind: "human" })
    const code = `const made = await tools.ledger.items.create({ name: "lost" }); return made.ok ? "made" : made.error.code`
    const paused = await clientOf(runner, token).run(code)
    expect(paused.status).toBe("paused")
    await personWith(store, "waiter", ["ledger.items.get"])
    // PostgreSQL tells the nodes; that it has, is seen in what they list.
    for (const node of [runner, other])
      await expect.poll(async () => (await clientOf(node, token).tools.list()).map(({ name }) => name)).toEqual(["items.get"])
    const answered = await clientOf(other, token).resume(paused.executionId, { action: "accept" })
    expect(answered).toMatchObject({ status: "completed", structured: { result: "tool_blocked" } })
    expect(writes()).not.toContain("lost")
  })

  test("what a role gains is there on both, in lists and calls", async () => {
    const token = await personWith(store, "gainer", [])
    const [here, there] = [runner, other].map((node) => clientOf(node, token))
    for (const client of [here, there]) expect(await client?.tools.list()).toEqual([])
    await personWith(store, "gainer", ["ledger.items.get"])
    for (const client of [here, there]) {
      await expect.poll(async () => (await client?.tools.list())?.map(({ name }) => name)).toEqual(["items.get"])
      expect(await client?.execute("ledger.items.get", { name: "gained" })).toMatchObject({ ok: true })
      expect(await client?.execute("ledger.items.create", { name: "lost" })).toMatchObject({ ok: false, error: { code: "tool_blocked" } })
    }
  })
})
