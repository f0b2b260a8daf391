// Signals for executions in PostgreSQL: what is told arrives by its id, and what may have been missed is not forgotten.
import { Client } from "pg"
import { expect, it, vi } from "vitest"
import { sharedPostgres } from "../../../../test/servers/postgres.ts"
import { openPostgresStores } from "../../postgres.ts"

it("tells which execution, and after a loss of the connection that it may be any", async () => {
  const postgres = await sharedPostgres()
  const url = await postgres.createDatabase()
  const [here, other] = [await openPostgresStores({ url }), await openPostgresStores({ url })]
  const heard: (string | null)[] = []
  here.executions.signals.listen(async (id) => void heard.push(id))
  const revision = here.store.revision()
  await other.executions.signals.notify("exe_1")
  await vi.waitFor(() => expect(heard).toEqual(["exe_1"]), { timeout: 60_000 })
  // No change of the catalog: no cache is to be made again for it.
  expect(here.store.revision()).toBe(revision)

  const admin = new Client({ connectionString: url })
  await admin.connect()
  await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1", [
    "executor notifications",
  ])
  await vi.waitFor(() => expect(heard).toEqual(["exe_1", null]), { timeout: 60_000 })
  await other.executions.signals.notify("exe_2")
  await vi.waitFor(() => expect(heard).toEqual(["exe_1", null, "exe_2"]), { timeout: 60_000 })
  await admin.end()
  await Promise.all([here.store.close(), other.store.close()])
  await postgres.stop()
})
