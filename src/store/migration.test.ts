// Migrations on both databases: at once from two processes, forward only, all or nothing.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Postgres } from "../../test/servers/postgres.ts"
import { sharedPostgres } from "../../test/servers/postgres.ts"
import { ExecutorError } from "../core/errors.ts"
import type { Migration } from "./migration.ts"
import { migrations } from "./migrations/all.ts"
import { openPostgresStore } from "./postgres.ts"
import { openSqliteStore } from "./sqlite.ts"
import type { Store } from "./store.ts"
import { integrationRow, newScope } from "./testing/samples.ts"

const root = mkdtempSync(join(tmpdir(), "executor-migration-"))
const program = fileURLToPath(new URL("testing/open-program.ts", import.meta.url))
let postgres: Postgres
let count = 0

beforeAll(async () => {
  postgres = await sharedPostgres()
})
afterAll(async () => {
  await postgres.stop()
  rmSync(root, { recursive: true, force: true })
})

type Kind = {
  readonly newPlace: () => Promise<string>
  readonly open: (place: string, migrations: readonly Migration[]) => Promise<Store>
}

const kinds: Record<string, Kind> = {
  SQLite: {
    newPlace: async () => join(root, `${(count += 1)}.db`),
    open: (path, known) => openSqliteStore({ path, migrations: known }),
  },
  PostgreSQL: {
    newPlace: () => postgres.createDatabase(),
    open: (url, known) => openPostgresStore({ url, migrations: known }),
  },
}

/** A process that opens what it is told to, when it is told to. */
function startOpener(): { open(place: string): Promise<string>; stop(): Promise<unknown> } {
  const opener = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] })
  const exited = once(opener, "exit")
  const answers = createInterface(opener.stdout)
  return {
    async open(place) {
      const answer = once(answers, "line")
      opener.stdin.write(`${place}\n`)
      return String((await answer)[0])
    },
    stop() {
      opener.stdin.end()
      return exited
    },
  }
}

const newest = migrations.length
const next: Migration = { version: newest + 1, name: "next", statements: ({ text }) => [`create table later (tenant_id ${text})`] }

describe.each(Object.entries(kinds))("migrations on %s", (_name, { newPlace, open }) => {
  it("have versions that count from one", () => {
    expect(migrations.map((migration) => migration.version)).toEqual(migrations.map((_, index) => index + 1))
  })

  it("let two processes open one new database at the same moment, ten times", async () => {
    const openers = [startOpener(), startOpener()]
    for (let round = 0; round < 10; round += 1) {
      const place = await newPlace()
      const answers = await Promise.all(openers.map((opener) => opener.open(place)))
      expect(answers).toEqual(["opened by Local", "opened by Local"])
    }
    await Promise.all(openers.map((opener) => opener.stop()))
  })

  it("let many stores of one process open one new database at the same moment", async () => {
    const place = await newPlace()
    const stores = await Promise.all(Array.from({ length: 4 }, () => open(place, migrations)))
    const scope = newScope()
    await Promise.all(stores.map((store, index) => store.integrations.put(scope, integrationRow(`i${index}`))))
    expect(await stores[0]?.integrations.list(scope, { after: null, limit: 10 })).toHaveLength(4)
    await Promise.all(stores.map((store) => store.close()))
  })

  it("go forward and keep what is there", async () => {
    const place = await newPlace()
    const scope = newScope()
    const before = await open(place, migrations)
    await before.integrations.put(scope, integrationRow("kept"))
    await before.close()
    const after = await open(place, [...migrations, next])
    expect(await after.integrations.get(scope, "kept")).not.toBeNull()
    await after.close()
    await (await open(place, [...migrations, next])).close()
  })

  it("refuse a database that a newer program wrote, and say what to do", async () => {
    const place = await newPlace()
    await (await open(place, [...migrations, next])).close()
    const error = await open(place, migrations).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ExecutorError)
    expect(error).toMatchObject({ code: "conflict", details: { current: newest + 1, newest } })
    expect(String(error)).toMatch(/newer Executor has written it\. Update this program/)
    // It is still good for the newer one.
    await (await open(place, [...migrations, next])).close()
  })

  it("leave nothing of one that fails half-way", async () => {
    const place = await newPlace()
    const broken: Migration = { ...next, statements: (target) => [...next.statements(target), "create table broken ("] }
    await expect(open(place, [...migrations, broken])).rejects.toThrow(/syntax|incomplete/)
    const store = await open(place, [...migrations, next])
    await store.close()
  })
})
