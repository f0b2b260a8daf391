// The audit's chain on PostgreSQL: two servers append to it, one is killed in the middle, and retention cuts its beginning.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { ChainReport } from "../../src/core/audit/check.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { openCli } from "./cli-run.ts"
import type { Cli, CliRun } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let ledger: Ledger
let nodes: Product[]
let cli: Cli
let env: Record<string, string>
let database: pg.Client
const dataDirs = [1, 2].map(() => mkdtempSync(join(tmpdir(), "executor-audit-")))

beforeAll(async () => {
  ledger = await startLedger()
  const url = await (await sharedPostgres()).createDatabase()
  env = { EXECUTOR_DATABASE_URL: url, EXECUTOR_SECRET_KEY: "one key for both of the nodes" }
  database = new pg.Client({ connectionString: url })
  await database.connect()
  nodes = []
  for (const dataDir of dataDirs) nodes.push(await startProduct({ dataDir, env }))
  cli = openCli(dataDirs[0] ?? "")
  await nodes[0]?.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await nodes[0]?.client.connections.create({ integration: "ledger" })
})
afterAll(async () => {
  await database.end()
  await Promise.all(nodes.map((node) => node.kill("SIGTERM")))
  await ledger.close()
  for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true })
})

const verify = (): Promise<CliRun> => cli.run(["audit", "verify", "--json"])
const reportOf = ({ stdout }: CliRun): ChainReport => JSON.parse(stdout) as ChainReport // as the command prints it
const sealed = async (): Promise<number> =>
  Number((await database.query<{ last: string | null }>("select max(position) as last from audit")).rows[0]?.last ?? 0)

test("two servers append, one is killed in the middle, and the chain goes on", async () => {
  const stop = new AbortController()
  const busy = Promise.all(
    nodes.flatMap((node) =>
      [1, 2, 3].map(async () => {
        while (!stop.signal.aborted)
          await node.client.run(`for (const name of ["k", "l"]) await tools.ledger.items.get({ name })`).catch(() => stop.abort())
      }),
    ),
  )
  const before = await sealed()
  await expect.poll(sealed, { timeout: 60_000 }).toBeGreaterThan(before + 100)
  await nodes[1]?.kill("SIGKILL")
  await busy
  nodes[1] = await startProduct({ dataDir: dataDirs[1] ?? "", env })
  await nodes[1].client.run(`await tools.ledger.items.get({ name: "after" })`)
  const run = await verify()
  expect([run.code, reportOf(run)]).toMatchObject([0, { isIntact: true, breaks: 0, outside: 0, pruned: [] }])
  expect(reportOf(run).rows).toBeGreaterThan(before + 100)
})

test("a beginning that retention deleted is named, and one that somebody else removed is found", async () => {
  await database.query("delete from audit where position <= 3")
  const removed = await verify()
  expect([removed.code, reportOf(removed)]).toMatchObject([1, { firstBreak: { kind: "removed", position: 1 } }])
  expect(reportOf(removed).firstBreak?.message).toMatch(/^The entries at positions 1 to 3 were removed, .*; retention deleted nothing$/)

  await database.query("update audit_chains set pruned_position = 3, pruned_hash = 'forged'")
  const forged = await verify()
  expect([forged.code, reportOf(forged)]).toMatchObject([1, { firstBreak: { kind: "removed", position: 3 } }])

  // As retention does it.
  await database.query("update audit_chains set pruned_hash = (select previous_hash from audit where position = 4)")
  const { code, stdout } = await cli.run(["audit", "verify"])
  expect([code, stdout]).toEqual([0, expect.stringContaining("The entries at positions 1 to 3 were deleted by retention;")])
  expect(reportOf(await verify()).pruned).toEqual([{ from: 1, to: 3 }])
})
