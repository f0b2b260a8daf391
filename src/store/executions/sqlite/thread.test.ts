// Tests the journal's thread where it can fail: a file that is held, a thread that dies, a store that is closed.
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { promisify } from "node:util"
import { afterAll, describe, expect, it } from "vitest"
import { openSqliteStores } from "../../sqlite.ts"
import { integrationRow } from "../../testing/samples.ts"
import { sqliteExecutions } from "./executions.ts"
import { startJournalThread } from "./thread.ts"
import { allOf, callRow, doneCall, executionRow, later, newScope } from "../testing/samples.ts"

const root = mkdtempSync(join(tmpdir(), "executor-thread-"))
let count = 0
const newPath = (): string => join(root, `${(count += 1)}.db`)

afterAll(() => rmSync(root, { recursive: true, force: true }))

describe("the journal's thread", () => {
  it("rejects everything of a group that cannot be committed, and works again when it can", async () => {
    const path = newPath()
    const { store, executions } = await openSqliteStores({ path, busyMsMax: 50 })
    const holder = new DatabaseSync(path)
    holder.exec("begin immediate")
    const scope = newScope()
    const rows = [executionRow(scope), executionRow(scope)]
    const appended = await Promise.allSettled(rows.map((row) => executions.journal.append([{ kind: "execution", row }], "now")))
    const claimed = executions.executions.claim(executionRow(scope), { owner: "n", until: later(1) })
    await expect(claimed).rejects.toThrow(/Nothing was recorded\. The database .* cannot be used: another process has held it/)
    for (const result of appended) expect(result).toMatchObject({ status: "rejected", reason: { code: "internal" } })
    holder.exec("rollback")
    holder.close()
    expect(await executions.executions.list(allOf(scope), {}, { after: null, limit: 5 })).toEqual([])
    await Promise.all(rows.map((row) => executions.journal.append([{ kind: "execution", row }], "now")))
    expect(await executions.executions.list(allOf(scope), {}, { after: null, limit: 5 })).toHaveLength(2)
    await store.close()
  })

  it("that died says so to whoever waits, and to whoever comes later, while reads go on", async () => {
    // It was told to commit before it has a database: it throws, and with that it dies.
    const executions = sqliteExecutions({ all: () => Promise.resolve([]) }, startJournalThread({ path: newPath(), busyMsMax: 1000 }))
    const row = executionRow(newScope())
    const append = (): Promise<void> => executions.journal.append([{ kind: "execution", row }], "now")
    const results = await Promise.allSettled([append(), append()])
    for (const result of results) expect(result).toMatchObject({ status: "rejected", reason: { code: "internal" } })
    await expect(append()).rejects.toThrow(/thread died, so nothing can be recorded until a restart/)
    await expect(executions.executions.claim(row, { owner: "n", until: later(1) })).rejects.toThrow(/until a restart/)
    expect(await executions.executions.list(allOf(row), {}, { after: null, limit: 1 })).toEqual([])
    await executions.close()
  })

  it("records everything before it is closed, and nothing after", async () => {
    const path = newPath()
    const { store, executions } = await openSqliteStores({ path })
    const scope = newScope()
    const rows = Array.from({ length: 300 }, () => executionRow(scope))
    const appended = rows.map((row) => executions.journal.append([{ kind: "execution", row }], "soon"))
    await Promise.all([store.close(), store.close(), executions.close()])
    await Promise.all(appended)
    await expect(executions.journal.append([{ kind: "execution", row: executionRow(scope) }], "now")).rejects.toThrow("The store is closed")
    const again = await openSqliteStores({ path })
    expect(await again.executions.executions.list(allOf(scope), {}, { after: null, limit: 1000 })).toHaveLength(300)
    await again.store.close()
  })

  it("refuses to open what cannot be opened, and leaves no thread behind", async () => {
    await expect(openSqliteStores({ path: root })).rejects.toThrow(/cannot be used/)
    const thread = startJournalThread({ path: root, busyMsMax: 10 })
    await expect(thread.open()).rejects.toThrow(/cannot be used/)
    await thread.close()
  })

  it("does not keep a process that forgot to close its store, and loses nothing that it waits for", async () => {
    const path = newPath()
    const module = JSON.stringify(new URL("../../sqlite.ts", import.meta.url).href)
    const samples = JSON.stringify(new URL("../testing/samples.ts", import.meta.url).href)
    const program = `
      import { openSqliteStores } from ${module}
      import { executionRow } from ${samples}
      const { executions } = await openSqliteStores({ path: ${JSON.stringify(path)} })
      const row = { kind: "execution", row: executionRow({ tenant: "default", user: "u" }) }
      executions.journal.append([row], "soon").then(() => console.log("soon"))
    `
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module-typescript", "-e", program], { timeout: 240_000 })
    expect(stdout).toBe("soon\n")
    const { store, executions } = await openSqliteStores({ path })
    expect(await executions.executions.list(allOf({ tenant: "default" }), {}, { after: null, limit: 5 })).toHaveLength(1)
    await store.close()
  })

  it("shares the file with changes of the catalog, and neither waits for ever", async () => {
    const { store, executions } = await openSqliteStores({ path: newPath() })
    const scope = newScope()
    const stop = new AbortController()
    let appends = 0
    const writer = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        const row = executionRow(scope)
        await executions.journal.append(
          [
            { kind: "execution", row },
            { kind: "call", row: callRow(row) },
          ],
          "now",
        )
        await executions.journal.append([{ kind: "call", row: doneCall(row) }], "now")
        appends += 1
      }
    }
    const writers = Promise.all(Array.from({ length: 32 }, writer))
    for (let index = 0; index < 20; index += 1) await store.integrations.put(scope, integrationRow(`i${index}`))
    stop.abort()
    await writers
    expect(appends).toBeGreaterThan(0)
    expect(await store.integrations.list(scope, { after: null, limit: 50 })).toHaveLength(20)
    await store.close()
  })
})
