// The conformance suite on SQLite.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openSqliteStores } from "../../sqlite.ts"
import { testExecutions } from "../testing/suite.ts"

testExecutions("executions in SQLite", async () => {
  const directory = mkdtempSync(join(tmpdir(), "executor-executions-"))
  const path = join(directory, "executor.db")
  const stores = await openSqliteStores({ path })
  const other = await openSqliteStores({ path })
  return {
    stores,
    other,
    close: async () => {
      await Promise.all([stores.store.close(), other.store.close()])
      rmSync(directory, { recursive: true, force: true })
    },
  }
})
