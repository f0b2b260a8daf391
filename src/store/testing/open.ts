// A store for unit tests: the product's, on a file of its own, which opens in milliseconds and starts no thread.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openSqliteStore } from "../sqlite.ts"
import type { Store } from "../store.ts"

export type TestStore = { readonly store: Store; readonly directory: string; close(): Promise<void> }

export async function openTestStore(): Promise<TestStore> {
  const directory = mkdtempSync(join(tmpdir(), "executor-store-"))
  const store = await openSqliteStore({ path: join(directory, "executor.db") })
  return {
    store,
    directory,
    async close() {
      await store.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
