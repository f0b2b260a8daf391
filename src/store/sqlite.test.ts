// SQLite passes the conformance suite, and its file is private, durable, and refused in clear words when it cannot be used.
import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { SQLInputValue } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { ExecutorError } from "../core/errors.ts"
import { namedToolsQuery, producersQuery, toolsQuery } from "./queries/tool-pages.ts"
import { auditRow, later } from "./executions/testing/samples.ts"
import { openSqliteStore, openSqliteStores } from "./sqlite.ts"
import { compile, createBuilder } from "./statement.ts"
import type { Statement } from "./statement.ts"
import type { Store } from "./store.ts"
import { testStore } from "./testing/suite.ts"
import { connect, connectionRef, integrationRow, newScope, toolSet } from "./testing/samples.ts"

const root = mkdtempSync(join(tmpdir(), "executor-sqlite-"))
const megabyte = 1024 * 1024
let count = 0
const newPath = (): string => join(root, String((count += 1)), "executor.db")

afterAll(() => rmSync(root, { recursive: true, force: true }))

testStore("SQLite", async () => {
  const path = newPath()
  const store = await openSqliteStore({ path })
  const other = await openSqliteStore({ path })
  return { store, other, close: async () => void (await Promise.all([store.close(), other.close()])) }
})

describe("an SQLite file", () => {
  it("is readable by its user alone, with its log, also where it was not before", async () => {
    const path = newPath()
    const store = await openSqliteStore({ path })
    await store.integrations.put(newScope(), integrationRow("a"))
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600])
    await store.close()
    chmodSync(path, 0o644)
    await (await openSqliteStore({ path })).close()
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it("is durable and checked: WAL, full synchronisation, foreign keys", async () => {
    const path = newPath()
    const store = await openSqliteStore({ path })
    const scope = newScope()
    await connect(store, scope, "a", "org", toolSet("set", ["t"]))
    await store.close()
    expect(existsSync(`${path}-wal`)).toBe(false)
    const raw = new DatabaseSync(path)
    expect(raw.prepare("pragma journal_mode").get()).toEqual({ journal_mode: "wal" })
    expect(raw.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }])
    expect(raw.prepare("pragma foreign_key_check").all()).toEqual([])
    raw.close()
  })

  it("keeps one copy of a schema however many tools and connections use it", async () => {
    const path = newPath()
    const store = await openSqliteStore({ path })
    const scope = newScope()
    const set = toolSet("v1", ["a", "b", "c"], { D: '{"type":"object"}' })
    const tools = set.tools.map((tool) => ({ ...tool, inputSchema: '{"type":"object"}' }))
    await connect(store, scope, "x", "org", { ...set, tools })
    await connect(store, scope, "y", "org", { ...set, tools, id: "v2" })
    const raw = new DatabaseSync(path, { readOnly: true })
    expect(raw.prepare("select count(*) as count from schemas").get()).toEqual({ count: 1 })
    raw.close()
    await store.integrations.remove(scope, "x")
    await store.integrations.remove(scope, "y")
    await store.close()
    const after = new DatabaseSync(path)
    for (const table of ["schemas", "tools", "definitions", "tool_sets", "connections", "documents"]) {
      expect([table, after.prepare(`select count(*) as count from ${table}`).get()]).toEqual([table, { count: 0 }])
    }
    after.close()
  })

  it("is read at once while another process holds it for writing, and written when that ends", async () => {
    const path = newPath()
    const store = await openSqliteStore({ path })
    const scope = newScope()
    await store.integrations.put(scope, integrationRow("a"))
    const holder = new DatabaseSync(path)
    holder.exec("begin immediate; update integrations set name = 'half'")
    const events: string[] = []
    const writing = store.integrations.put(scope, integrationRow("b")).then(() => events.push("written"))
    expect((await store.integrations.get(scope, "a"))?.name).toBe("a")
    expect(await store.tools.list(scope, {}, { after: null, limit: 1 })).toEqual([])
    await new Promise((resolve) => setTimeout(resolve, 50))
    events.push("released")
    holder.exec("rollback")
    await writing
    expect(events).toEqual(["released", "written"])
    holder.close()
    await store.close()
  })

  it("is copied from its log by the journal's thread, so that a large commit does not stop the server", async () => {
    const path = newPath()
    const stores = await openSqliteStores({ path })
    const scope = newScope()
    await stores.store.documents.put(scope, randomBytes(6 * megabyte).toString("base64"))
    expect(statSync(path).size).toBeLessThan(megabyte)
    await stores.executions.journal.append([{ kind: "audit", row: auditRow(scope, later(1)) }], "now")
    await expect.poll(() => statSync(path).size).toBeGreaterThan(6 * megabyte)
    await stores.executions.close()
    await stores.store.close()
  })

  it("opens beside a store of the same process that is inside a transaction", async () => {
    const path = newPath()
    const store = await openSqliteStore({ path })
    const scope = newScope()
    let opening: Promise<Store> | null = null
    await store.transaction(async (transaction) => {
      await transaction.integrations.put(scope, integrationRow("a"))
      opening = openSqliteStore({ path })
      await new Promise((resolve) => setTimeout(resolve, 30))
    })
    const other = await (opening as Promise<Store> | null) // the compiler does not see the assignment inside
    expect(await other?.integrations.get(scope, "a")).toEqual(integrationRow("a"))
    await Promise.all([store.close(), other?.close()])
  })

  it("may be closed twice, and answers nothing afterwards", async () => {
    const store = await openSqliteStore({ path: newPath() })
    await store.close()
    await store.close()
    await expect(store.integrations.get(newScope(), "a")).rejects.toThrow(/not open|finalized/)
    await expect(store.integrations.put(newScope(), integrationRow("a"))).rejects.toThrow(/not open|finalized/)
  })
})

describe("an unusable SQLite file", () => {
  const refusal = async (path: string): Promise<string> => {
    const error = await openSqliteStore({ path }).catch((reason: unknown) => reason)
    if (!(error instanceof ExecutorError)) throw new Error(`Expected a refusal of ${path}`, { cause: error })
    expect(error.message).toContain(path)
    return error.message
  }

  it("is left as it is when it is no database", async () => {
    const path = newPath()
    mkdirSync(join(path, ".."))
    writeFileSync(path, "These are not the bytes of a database. ".repeat(500))
    expect(await refusal(path)).toContain("damaged or not a database")
    expect(readFileSync(path, "utf8")).toMatch(/^These are not/)
  })

  it("is refused when it is damaged", async () => {
    const path = newPath()
    const store = await openSqliteStore({ path })
    await connect(store, newScope(), "a", "org", toolSet("set", ["t"]))
    await store.close()
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0xff, 100, 4096))
    expect(await refusal(path)).toContain("damaged or not a database")
  })

  it("is refused when it is a folder", async () => {
    const path = newPath()
    mkdirSync(path, { recursive: true })
    const { mode } = statSync(path)
    expect(await refusal(path)).toContain("cannot be opened")
    expect(statSync(path).mode).toBe(mode)
  })

  it("is refused when it may not be written, in words that say what to do", async () => {
    const path = newPath()
    const store = await openSqliteStore({ path })
    await store.close()
    chmodSync(path, 0o444)
    chmodSync(join(path, ".."), 0o555)
    chmodSync(root, 0o755)
    // Root may write everything, so that the attempt is made as somebody else.
    const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    const program = fileURLToPath(new URL("testing/open-program.ts", import.meta.url))
    const { stdout } = spawnSync(process.execPath, [program], { input: `${path}\n`, encoding: "utf8", ...asNobody })
    chmodSync(join(path, ".."), 0o755)
    expect(stdout).toMatch(/cannot be used: (it is read-only|EPERM|EACCES)/)
  })
})

describe("a page of tools on SQLite", () => {
  it("is found by keys alone, without walking over what is left out", async () => {
    const path = newPath()
    const store = await openSqliteStore({ path })
    const scope = newScope()
    await connect(store, scope, "a", "org", toolSet("set", ["t"]))
    await store.close()
    const builder = createBuilder("sqlite")
    const raw = new DatabaseSync(path)
    const plan = (statement: Statement<unknown>): string[] =>
      raw
        .prepare(`explain query plan ${statement.sql}`)
        .all(...(statement.parameters as SQLInputValue[]))
        .map((row) => String(row["detail"])) // the values of a compiled query

    const start = { kind: "from", ref: connectionRef("a", "org", "main") } as const
    const connections = plan(compile(producersQuery(builder, scope, {}, start, 8)))
    const ranges = connections.filter((step) => step.includes("(tenant_id=? AND user_id=? AND (integration,name)>(?,?))"))
    expect(ranges).toHaveLength(2)
    expect(connections.filter((step) => /^SCAN (?!org|user)/.test(step))).toEqual([])

    const producer = {
      ...connectionRef("a", "org", "main"),
      kind: "openapi",
      toolSetId: "set",
      toolCount: 1,
      changedTools: new Set<string>(),
    } as const
    const tools = plan(compile(toolsQuery(builder, scope, {}, { kind: "part", producers: [producer], afterName: "s", limit: 5 })))
    expect(tools).toEqual([expect.stringContaining("(tenant_id=? AND tool_set_id=? AND name>?)")])

    const names = new Map([producer, { ...producer, toolSetId: "another" }].map((one) => [one, ["s", "t"]]))
    const named = namedToolsQuery(builder, scope, { kind: "named", producers: [...names.keys()], names })
    if (named === null) throw new Error("Names are wanted")
    const searches = plan(compile(named)).filter((step) => /^(SEARCH|SCAN)/.test(step))
    expect(searches).toEqual(
      names
        .keys()
        .toArray()
        .map(() => expect.stringContaining("(tenant_id=? AND tool_set_id=? AND name=?)")),
    )
    raw.close()
  })
})
