// The conformance suite on the store in memory, so that unit tests may rely on it.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openSqliteStore } from "../sqlite.ts"
import { createMemoryDatabase } from "./testing/memory.ts"
import { testExecutions } from "./testing/suite.ts"

testExecutions("executions in memory", async () => {
  const directory = mkdtempSync(join(tmpdir(), "executor-memory-"))
  const store = await openSqliteStore({ path: join(directory, "executor.db") })
  const database = await createMemoryDatabase()
  return {
    stores: { store, executions: database.open() },
    other: { store, executions: database.open() },
    close: async () => {
      database.close()
      await store.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
})
