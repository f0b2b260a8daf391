// A process that is killed in the middle of imports must leave a whole catalog, and all that it had committed.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { DatabaseSync } from "node:sqlite"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { sharedPostgres } from "../../test/servers/postgres.ts"
import { openPostgresStore } from "./postgres.ts"
import { openSqliteStore } from "./sqlite.ts"
import type { Store } from "./store.ts"
import { importedTools, importScope, versionOf } from "./testing/import-program.ts"

const root = mkdtempSync(join(tmpdir(), "executor-crash-"))
const program = fileURLToPath(new URL("testing/import-program.ts", import.meta.url))

afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Kills the importing process at a random moment, and answers the last version that it had committed. */
async function importAndKill(place: string): Promise<number> {
  const importer = spawn(process.execPath, [program, place], { stdio: ["ignore", "pipe", "inherit"] })
  const exited = once(importer, "exit")
  let committed = 0
  const lines = createInterface(importer.stdout).on("line", (line) => (committed = Number(line)))
  const closed = once(lines, "close")
  await once(lines, "line")
  await setTimeout(Math.random() * 100)
  importer.kill("SIGKILL")
  await Promise.all([exited, closed])
  return committed
}

/** The version that the one connection has, whole. */
async function wholeVersion(store: Store): Promise<number> {
  const page = { after: null, limit: 1000 }
  const [integration] = await store.integrations.list(importScope, page)
  const version = Number(integration?.name.split(" ")[1])
  const [connection] = await store.connections.list(importScope, {}, page)
  expect([connection?.toolSetId, integration?.toolSetId]).toEqual([`version ${version}`, `version ${version}`])
  expect(await store.documents.get(importScope, integration?.documentHash ?? "")).toBe(`document of version ${version}`)

  const { tools, definitions } = versionOf(version)
  const listed = await store.tools.list(importScope, {}, page)
  expect(listed).toHaveLength(importedTools)
  expect(new Set(listed.map((tool) => tool.description))).toEqual(new Set([`version ${version}`]))
  expect(await store.toolSets.definitions(importScope, `version ${version}`, [...definitions.keys()])).toEqual(definitions)
  for (const row of listed.slice(0, 5)) {
    const tool = await store.tools.get(importScope, { ...row, tool: row.name })
    expect(tool?.inputSchema).toBe(tools.find(({ name }) => name === row.name)?.inputSchema)
  }
  return version
}

describe("a process killed in the middle of imports", () => {
  it("leaves SQLite whole, twenty times", async () => {
    const path = join(root, "executor.db")
    for (let round = 0; round < 20; round += 1) {
      const committed = await importAndKill(path)
      const store = await openSqliteStore({ path })
      expect(await wholeVersion(store)).toBeGreaterThanOrEqual(committed)
      await store.close()
      const raw = new DatabaseSync(path)
      expect(raw.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }])
      expect(raw.prepare("pragma foreign_key_check").all()).toEqual([])
      // What only earlier versions used is gone.
      expect(raw.prepare("select count(*) as count from schemas").get()).toEqual({ count: 2 * importedTools })
      raw.close()
    }
  })

  it("leaves PostgreSQL whole, five times", async () => {
    const postgres = await sharedPostgres()
    const url = await postgres.createDatabase()
    for (let round = 0; round < 5; round += 1) {
      const committed = await importAndKill(url)
      const store = await openPostgresStore({ url })
      expect(await wholeVersion(store)).toBeGreaterThanOrEqual(committed)
      await store.close()
    }
    await postgres.stop()
  })
})
