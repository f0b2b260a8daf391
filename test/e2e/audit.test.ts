// The audit's chain from outside: whatever is done to the database, `executor audit verify` finds it.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createChainCheck } from "../../src/core/audit/check.ts"
import type { ChainReport } from "../../src/core/audit/check.ts"
import type { AuditView } from "../../src/core/audit/entry.ts"
import type { Page } from "../../src/core/page.ts"
import { sha256 } from "../../src/io/ids.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let ledger: Ledger
let product: Product
let cli: Cli
let database: DatabaseSync

beforeAll(async () => {
  ledger = await startLedger()
  product = await startProduct()
  cli = openCli(product.dataDir)
  database = new DatabaseSync(join(product.dataDir, "executor.db"), { timeout: 10_000 })
  await product.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await product.client.connections.create({ integration: "ledger" })
  await product.client.run(`for (const name of ["a", "b", "c"]) await tools.ledger.items.get({ name })`)
  for (const name of ["one", "two"]) await product.client.tokens.create({ name, kind: "agent" })
})
afterAll(async () => {
  database.close()
  await product.stop()
  await ledger.close()
})

const verify = async (...args: string[]): Promise<ChainReport> => (await cli.json(["audit", "verify", ...args])) as ChainReport
/** The same check without a process of its own. */
async function isIntact(): Promise<boolean> {
  const check = createChainCheck(null, sha256)
  let text = ""
  for await (const piece of product.client.audit.export({ format: "ndjson" })) text += piece
  for (const line of text.trimEnd().split("\n")) check.add(line)
  return check.end().isIntact
}
const last = (): number => Number(database.prepare("select max(position) as last from audit").get()?.["last"])

describe("an audit that nobody touched", () => {
  test("verifies, for people and machines", async () => {
    const run = await cli.run(["audit", "verify"])
    expect(run.code).toBe(0)
    // What takes longer than a second says so there.
    expect(["", "Verifying the audit …\n"]).toContain(run.stderr)
    expect(run.stdout).toMatch(/^\d+ entries from 20\S+Z to 20\S+Z: none was changed, removed or inserted\.\nHead: \d+:[0-9a-f]{64}\n$/)
    expect(await verify()).toMatchObject({ isIntact: true, outside: 0, breaks: 0, firstBreak: null })
  })

  test("is exported to a file, which verifies without a server", async () => {
    const output = join(product.dataDir, "audit.ndjson")
    expect(await cli.run(["audit", "export", "--output", output])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Wrote \d+ entries to /),
    })
    const away = { env: { EXECUTOR_DATA_DIR: join(product.dataDir, "nowhere"), EXECUTOR_ORIGIN: "http://127.0.0.1:1/api" } }
    expect(await cli.run(["audit", "verify", "--file", output], away)).toMatchObject({ code: 0 })
    const text = readFileSync(output, "utf8")
    for (const [change, kind] of [
      [text.replace('"subject":"ledger"', '"subject":"other"'), "changed"],
      [text.split("\n").toSpliced(3, 1).join("\n"), "removed"],
      [text.trimEnd().split("\n").slice(0, -1).join("\n"), "removed"],
      [text.slice(0, -30), "changed"],
    ] as const) {
      expect(change).not.toBe(text)
      writeFileSync(output, change)
      const broken = await cli.run(["audit", "verify", "--file", output, "--json"], away)
      expect([broken.code, JSON.parse(broken.stdout)]).toMatchObject([1, { isIntact: false, firstBreak: { kind } }])
    }
    expect(await cli.run(["audit", "verify", "--file", join(product.dataDir, "absent")])).toMatchObject({ code: 2 })
    writeFileSync(output, "position,id\r\n")
    expect(await cli.run(["audit", "verify", "--file", output])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no audit export"),
    })
  })

  test("is exported as CSV and by time, to stdout", async () => {
    const csv = await cli.run(["audit", "export", "--format", "csv"])
    expect(csv.stdout.split("\r\n")[0]).toContain("position,id,at,user")
    const none = await cli.run(["audit", "export", "--from", "2020-01-01", "--to", "2020-01-02"])
    expect(none.stdout.trimEnd().split("\n")).toHaveLength(1)
    expect(await cli.run(["audit", "export", "--from", "soon"])).toMatchObject({ code: 2, stdout: "" })
    const output = join(product.dataDir, "audit.txt")
    const to = new Date().toISOString()
    const wrote = async (...words: string[]) =>
      Number(/^Wrote (\d+) entr/.exec((await cli.run(["audit", "export", "--to", to, "-o", output, ...words])).stdout)?.[1])
    const count = await wrote()
    expect(count).toBeGreaterThan(1)
    expect(await wrote("--format", "csv")).toBe(count)
    expect(await wrote("--from", to)).toBe(0)
    const calls = await wrote("--action", "call")
    expect(calls).toBeGreaterThan(0)
    expect(calls).toBeLessThan(count)
    expect(await wrote("--user", "nobody-here")).toBe(0)
    expect((await cli.run(["audit", "verify", "--file", output])).stdout).toContain("that were not asked for are not in this export")
    const listed = async (...words: string[]) => ((await cli.json(["audit", "list", ...words])) as Page<AuditView>).items
    const [call] = await listed("--action", "call", "--limit", "1")
    const path = call?.subject.replace("tools.", "") ?? ""
    expect((await listed("--subject", path, "--user", "local", "--from", "2020-01-01")).map(({ id }) => id)).toContain(call?.id)
    expect(await listed("--subject", path, "--to", "2020-01-01")).toEqual([])
    expect(await listed("--id", call?.id ?? "")).toEqual([call])
    expect((await cli.run(["audit", "export", "-o", "/nope/audit.txt"])).stderr).toContain("there is no such directory")
    expect((await cli.run(["audit", "list", "--action", "bogus"])).stderr).toContain("Actions are 'call' and changes such as policy.create")
  })

  test("is verified against an earlier head", async () => {
    const { head } = await verify()
    const place = `${head?.position}:${head?.hash}`
    expect(await cli.run(["audit", "verify", "--head", place])).toMatchObject({ code: 0 })
    expect(await cli.run(["audit", "verify", "--head", `2:${"0".repeat(64)}`])).toMatchObject({ code: 1 })
    expect(await cli.run(["audit", "verify", "--head", `99999:${"0".repeat(64)}`])).toMatchObject({ code: 1 })
    expect(await cli.run(["audit", "verify", "--head", "x"])).toMatchObject({ code: 2 })
  })
})

const columns =
  "tenant_id, audit_id, at, user_id, principal_kind, token_id, action, subject, execution_id, decision, rule, outcome, details"
const copyOf = (position: string, at: string) =>
  `insert into audit (${columns}, position, previous_hash, hash)
   select tenant_id, 'aud_forged', ${at}, user_id, principal_kind, token_id, action, subject, execution_id, decision, rule, outcome, details,
   ${position}, previous_hash, hash from audit where position = 3`

describe("found while the server runs:", () => {
  const fields = [
    "at",
    "user_id",
    "principal_kind",
    "token_id",
    "action",
    "subject",
    "execution_id",
    "decision",
    "rule",
    "outcome",
    "details",
  ]
  const links = ["previous_hash", "hash", "audit_id"]
  const cases: readonly (readonly [string, readonly string[], Partial<NonNullable<ChainReport["firstBreak"]>>])[] = [
    ...[...fields, ...links].map(
      (field) => [`a changed ${field}`, [`update audit set ${field} = 'forged' where position = 4`], {}] as const,
    ),
    ["a changed detail", [`update audit set details = '{"id":"tok_x"}' where position = 4`], { kind: "changed", position: 4 }],
    ["a removed entry", ["delete from audit where position = 4"], { kind: "removed", position: 4 }],
    ["a removed first entry", ["delete from audit where position = 1"], { kind: "removed", position: 1 }],
    ["a removed last entry", ["delete from audit where position = $last"], { kind: "removed" }],
    ["everything removed", ["delete from audit"], { kind: "removed", position: 1 }],
    ["an entry moved to another tenant", ["update audit set tenant_id = 'other' where position = 4"], { kind: "removed", position: 4 }],
    [
      "two that changed their places",
      [
        "update audit set position = -1 where position = 3",
        "update audit set position = 3 where position = 4",
        "update audit set position = 4 where position = -1",
      ],
      {},
    ],
    ["a forged entry outside of the chain", [copyOf("null", "at")], { kind: "inserted", id: "aud_forged" }],
    ["a forged entry with a place of its own", [copyOf("-7", "at")], { kind: "inserted", id: "aud_forged" }],
    ["a forged entry at another's place", [copyOf("3", "at")], {}],
    ["a forged entry behind the end", [copyOf("99999", "at")], {}],
    ["a chain without its head", ["delete from audit_chains"], {}],
    ["a head that was set back", ["update audit_chains set position = 3, hash = (select hash from audit where position = 3)"], {}],
  ]
  test.each(cases)("%s", async (_name, statements, firstBreak) => {
    expect(await isIntact()).toBe(true)
    const end = last()
    const [rows, chains] = ["audit", "audit_chains"].map((table) => database.prepare(`select * from ${table}`).all())
    for (const statement of statements) expect(database.prepare(statement.replace("$last", String(end))).run().changes).toBeGreaterThan(0)
    try {
      const run = await cli.run(["audit", "verify", "--json"])
      expect([run.code, JSON.parse(run.stdout)]).toMatchObject([1, { isIntact: false, firstBreak }])
    } finally {
      // As it was, with what the checks themselves have added left out.
      database.exec("delete from audit; delete from audit_chains")
      for (const [table, saved] of [
        ["audit", rows],
        ["audit_chains", chains],
      ] as const)
        for (const row of saved ?? [])
          database
            .prepare(
              `insert into ${table} values (${Object.keys(row)
                .map(() => "?")
                .join(", ")})`,
            )
            .run(...Object.values(row))
    }
    expect(await isIntact()).toBe(true)
  })

  test("for people, in words", async () => {
    const was = database.prepare("select subject from audit where position = 4").get()?.["subject"] ?? null
    database.exec("update audit set subject = 'forged' where position = 4")
    const { code, stdout } = await cli.run(["audit", "verify"])
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(
        /^The audit log is broken\. Entry \S+ of \S+ at position 4 was changed: .*\n\d+ entries from .*1 place is broken\./,
      ),
    ])
    database.prepare("update audit set subject = ? where position = 4").run(was)
    expect(await isIntact()).toBe(true)
  })
})

test("a server that is killed in the middle leaves a chain that goes on", async () => {
  const dataDir = product.dataDir
  const stop = new AbortController()
  const busy = Promise.all(
    Array.from({ length: 6 }, async () => {
      while (!stop.signal.aborted)
        await product.client.run(`for (const name of ["k", "l"]) await tools.ledger.items.get({ name })`).catch(() => stop.abort())
    }),
  )
  const before = last()
  await expect.poll(last, { timeout: 30_000 }).toBeGreaterThan(before + 20)
  await product.kill("SIGKILL")
  await busy
  product = await startProduct({ dataDir })
  await product.client.run(`await tools.ledger.items.get({ name: "after" })`)
  const report = await verify()
  expect(report).toMatchObject({ isIntact: true })
  expect(report.rows).toBeGreaterThan(before + 20)
})

test("what is exported stays small in memory: 50,000 entries while the server answers", async () => {
  const { head } = await verify()
  const from = head?.position ?? 0
  database.exec(`insert into audit (${columns}, position)
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 50000)
    select 'default', 'aud_many' || n, '2026-01-01T00:00:00.000Z', 'local', 'human', null, 'policy.create', 'many', null, null, null, 'ok', '{}', 0 from numbers`)
  const done = new AbortController()
  const slowest = (async () => {
    let ms = 0
    while (!done.signal.aborted) {
      const start = performance.now()
      expect((await fetch(`${product.url}/api/health`)).status).toBe(200)
      ms = Math.max(ms, performance.now() - start)
    }
    return ms
  })()
  const report = await verify()
  done.abort()
  expect(report).toMatchObject({ isIntact: true })
  expect(report.rows).toBeGreaterThan(from + 50_000)
  // The bound is far above what is measured, and far below what a blocked thread takes.
  expect(await slowest).toBeLessThan(2000)
})
