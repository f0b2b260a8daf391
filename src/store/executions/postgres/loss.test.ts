// A journal whose connections are cut in the middle of its work records everything nevertheless.
import { Client } from "pg"
import { expect, it, vi } from "vitest"
import { sharedPostgres } from "../../../../test/servers/postgres.ts"
import { openPostgresStores } from "../../postgres.ts"
import { allOf, callRow, doneCall, eventRow, executionRow, newScope, outcomeRecord } from "../testing/samples.ts"

it("survives the loss of every connection, again and again", async () => {
  const postgres = await sharedPostgres()
  const url = await postgres.createDatabase()
  const { store, executions } = await openPostgresStores({ url })
  const admin = new Client({ connectionString: url })
  await admin.connect()
  const scope = newScope()
  const stop = new AbortController()
  let written = 0
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
      await executions.journal.append(
        [
          { kind: "call", row: doneCall(row) },
          { kind: "event", row: eventRow(row, 0) },
        ],
        "now",
      )
      await executions.journal.append([outcomeRecord(row)], "now")
      written += 1
    }
  }
  const writers = Promise.all(Array.from({ length: 8 }, writer))
  for (let cut = 0; cut < 10; cut += 1) {
    const before = written
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    )
    await vi.waitFor(() => expect(written).toBeGreaterThan(before + 16), { timeout: 60_000, interval: 5 })
  }
  stop.abort()
  await writers
  const { rows } = await admin.query<Record<string, string>>(
    `select (select count(*) from executions where status = 'completed') as executions,
            (select count(*) from calls where state = 'done') as calls, (select count(*) from events) as events`,
  )
  expect(rows).toEqual([{ executions: String(written), calls: String(written), events: String(written) }])
  expect(await executions.executions.list(allOf(scope), { status: "running" }, { after: null, limit: 5 })).toEqual([])
  await admin.end()
  await store.close()
  await postgres.stop()
})
