// A process that is killed in the middle of appends has lost nothing of what was acknowledged, and left nothing half done.
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
import { sharedPostgres } from "../../../test/servers/postgres.ts"
import type { ExecutionStore } from "../execution-store.ts"
import { openPostgresStores } from "../postgres.ts"
import { openSqliteStores } from "../sqlite.ts"
import { appendId, appendScope } from "./testing/append-program.ts"
import { allOf } from "./testing/samples.ts"

const root = mkdtempSync(join(tmpdir(), "executor-crash-"))
const program = fileURLToPath(new URL("testing/append-program.ts", import.meta.url))

afterAll(() => rmSync(root, { recursive: true, force: true }))

/** What the process said of each execution before it was killed. */
async function appendAndKill(place: string, first: number): Promise<Map<number, string>> {
  const appender = spawn(process.execPath, [program, place, String(first)], { stdio: ["ignore", "pipe", "inherit"] })
  const exited = once(appender, "exit")
  const said = new Map<number, string>()
  const lines = createInterface(appender.stdout).on("line", (line) => {
    const [what = "", number = ""] = line.split(" ")
    said.set(Number(number), what)
  })
  const closed = once(lines, "close")
  await once(lines, "line")
  await setTimeout(50 + Math.random() * 150)
  appender.kill("SIGKILL")
  await Promise.all([exited, closed])
  return said
}

async function expectKept({ executions, journal }: ExecutionStore, said: ReadonlyMap<number, string>): Promise<void> {
  for (const [number, what] of said) {
    const row = await executions.get(allOf(appendScope), appendId(number))
    const { calls, events } = await journal.read(appendScope, appendId(number))
    expect([number, what, row?.id, calls.length]).toEqual([number, what, appendId(number), 1])
    if (what !== "started")
      expect([number, what, calls[0]?.state, calls[0]?.answerJson, events.length]).toEqual([number, what, "done", calls[0]?.answerJson, 1])
    if (what === "ended") expect([number, row?.status]).toEqual([number, "completed"])
    // A record is there only with those before it.
    if (row?.status === "completed") expect([number, calls[0]?.state, events.length]).toEqual([number, "done", 1])
  }
}

describe("a process killed in the middle of appends", () => {
  it("loses nothing in SQLite, six times", async () => {
    const path = join(root, "executor.db")
    for (let round = 0; round < 6; round += 1) {
      const said = await appendAndKill(path, round * 1_000_000)
      expect(said.size).toBeGreaterThan(0)
      const { store, executions } = await openSqliteStores({ path })
      await expectKept(executions, said)
      await store.close()
    }
    const raw = new DatabaseSync(path)
    expect(raw.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }])
    raw.close()
  })

  it("loses nothing in PostgreSQL, three times", async () => {
    const postgres = await sharedPostgres()
    const url = await postgres.createDatabase()
    for (let round = 0; round < 3; round += 1) {
      const said = await appendAndKill(url, round * 1_000_000)
      expect(said.size).toBeGreaterThan(0)
      const { store, executions } = await openPostgresStores({ url })
      await expectKept(executions, said)
      await store.close()
    }
    await postgres.stop()
  })
})
