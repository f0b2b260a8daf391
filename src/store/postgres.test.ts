// PostgreSQL passes the conformance suite, and survives what happens to connections.
import { Client } from "pg"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { Postgres } from "../../test/servers/postgres.ts"
import { sharedPostgres } from "../../test/servers/postgres.ts"
import { ExecutorError } from "../core/errors.ts"
import { openPostgresStore } from "./postgres.ts"
import { namedToolsQuery, producersQuery, toolsQuery } from "./queries/tool-pages.ts"
import { compile, createBuilder } from "./statement.ts"
import type { Statement } from "./statement.ts"
import type { Store } from "./store.ts"
import { testStore } from "./testing/suite.ts"
import { connectionRef, connectionRow, hasToolSet, integrationRow, newScope, toolSet } from "./testing/samples.ts"

let postgres: Postgres

beforeAll(async () => {
  postgres = await sharedPostgres()
})
afterAll(() => postgres.stop())

testStore("PostgreSQL", async () => {
  const url = await postgres.createDatabase()
  const store = await openPostgresStore({ url })
  const other = await openPostgresStore({ url })
  return { store, other, close: async () => void (await Promise.all([store.close(), other.close()])) }
})

/** Asks the cluster's maintenance database, which stays reachable when others do not. */
async function ask(sql: string, values: readonly unknown[] = []): Promise<number> {
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  const { rowCount } = await client.query(sql, [...values])
  await client.end()
  return rowCount ?? 0
}

const databaseOf = (url: string): string => new URL(url).pathname.slice(1)

/** Ends connections as a restart of the server or a broken network would. */
const cut = (url: string, applicationName: string): Promise<number> =>
  ask("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = $2", [
    databaseOf(url),
    applicationName,
  ])

describe("a PostgreSQL store whose connections break", () => {
  it("trusts no cache until it hears of changes again, and then hears of them", async () => {
    const url = await postgres.createDatabase()
    const [store, other] = [await openPostgresStore({ url }), await openPostgresStore({ url })]
    const scope = newScope()
    await other.integrations.put(scope, integrationRow("first"))
    const before = await vi.waitFor(() => stableRevision(store), { timeout: 60_000 })
    await ask(`alter database ${databaseOf(url)} allow_connections false`)
    expect(await cut(url, "executor notifications")).toBe(2)
    await vi.waitFor(() => expect(store.revision()).not.toBe(store.revision()), { timeout: 60_000 })
    await other.integrations.put(scope, integrationRow("unheard"))
    await ask(`alter database ${databaseOf(url)} allow_connections true`)
    const settled = await vi.waitFor(() => stableRevision(store), { timeout: 60_000 })
    expect(settled).not.toBe(before)
    await vi.waitFor(() => stableRevision(other), { timeout: 60_000 })
    await other.integrations.put(scope, integrationRow("heard"))
    await vi.waitFor(() => expect(store.revision()).not.toBe(settled), { timeout: 60_000 })
    await Promise.all([store.close(), other.close()])
  })

  function stableRevision(store: Store): string {
    const revision = store.revision()
    expect(store.revision()).toBe(revision)
    return revision
  }

  it("goes on with new ones, and keeps nothing of a transaction that was cut", async () => {
    const url = await postgres.createDatabase()
    const store = await openPostgresStore({ url })
    const scope = newScope()
    await store.integrations.put(scope, integrationRow("before"))
    const work = store.transaction(async (transaction) => {
      await transaction.integrations.put(scope, integrationRow("during"))
      await cut(url, "executor")
      await transaction.connections.put(scope, connectionRow("during", "org", "main"))
    })
    await expect(work).rejects.toThrow(/terminat|connection/i)
    await store.integrations.put(scope, integrationRow("after"))
    expect((await store.integrations.list(scope, { after: null, limit: 10 })).map((row) => row.slug)).toEqual(["after", "before"])
    await store.close()
  })

  it("answers reads while more transactions wait for each other than it has connections for", async () => {
    const url = await postgres.createDatabase()
    const store = await openPostgresStore({ url })
    const scope = newScope()
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const puts = Array.from({ length: 30 }, (_, index) =>
      store.transaction(async (transaction) => {
        await transaction.toolSets.put(scope, toolSet(`set${index}`, ["t"]))
        await held
      }),
    )
    expect(await store.integrations.get(scope, "a")).toBeNull()
    expect(await store.tools.list(scope, {}, { after: null, limit: 10 })).toEqual([])
    release()
    await Promise.all(puts)
    expect(await hasToolSet(store, scope, "set29")).toBe(true)
    await store.close()
    await store.close()
  })
})

describe("an unusable PostgreSQL database", () => {
  const refusal = async (url: string): Promise<string> => {
    const error = await openPostgresStore({ url }).catch((reason: unknown) => reason)
    if (!(error instanceof ExecutorError)) throw new Error("Expected a refusal", { cause: error })
    expect(error.message).toContain("cannot be used")
    expect(JSON.stringify([error.message, error.details])).not.toContain("sesame")
    return error.message
  }

  it("is refused with its place and the reason, without the password", async () => {
    const { host } = new URL(postgres.url)
    expect(await refusal("postgres://executor:sesame@127.0.0.1:1/none")).toMatch(/127\.0\.0\.1:1\/none.*ECONNREFUSED/)
    expect(await refusal(`postgres://executor:sesame@${host}/postgres`)).toMatch(/password authentication failed/)
    expect(await refusal(postgres.url.replace(/postgres$/, "absent"))).toMatch(/"absent" does not exist/)
    expect(await refusal("postgres://executor:sesame@[nowhere")).toContain("EXECUTOR_DATABASE_URL")
  })
})

describe("a page of tools on PostgreSQL", () => {
  it("is found by keys alone, without walking over what is left out", async () => {
    const url = await postgres.createDatabase()
    const store = await openPostgresStore({ url })
    const scope = newScope()
    await store.close()
    const builder = createBuilder("postgres")
    const client = new Client({ connectionString: url })
    await client.connect()
    // In an empty table a scan is cheaper; what counts is that an index can answer.
    await client.query("set enable_seqscan = off; set enable_bitmapscan = off")
    const plan = async (statement: Statement<unknown>): Promise<string> => {
      const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain ${statement.sql}`, [...statement.parameters])
      return rows.map((row) => row["QUERY PLAN"]).join("\n")
    }

    const start = { kind: "from", ref: connectionRef("a", "org", "main") } as const
    const connections = await plan(compile(producersQuery(builder, scope, {}, start, 8)))
    expect(connections.match(/Index Cond: .*ROW\(integration, name\) >= ROW/g)).toHaveLength(2)

    const producer = {
      ...connectionRef("a", "org", "main"),
      kind: "openapi",
      toolSetId: "set",
      toolCount: 1,
      changedTools: new Set<string>(),
    } as const
    const tools = await plan(compile(toolsQuery(builder, scope, {}, { kind: "part", producers: [producer], afterName: "s", limit: 5 })))
    expect(tools).toMatch(/Index Cond: .*tenant_id = .*tool_set_id = .*name > /)
    expect(tools).not.toContain("Sort")

    const names = new Map([producer, { ...producer, toolSetId: "another" }].map((one) => [one, ["s", "t"]]))
    const named = namedToolsQuery(builder, scope, { kind: "named", producers: [...names.keys()], names })
    if (named === null) throw new Error("Names are wanted")
    expect((await plan(compile(named))).match(/Index Cond: .*tenant_id = .*tool_set_id = .*name = ANY/g)).toHaveLength(names.size)
    await client.end()
  })
})
