// Executions in an SQLite file: read on the main thread, written by the journal's.
//
// One writer for all of them: a claim or an answer stands in the same queue as the journal, so that it shares its
// commits, never waits for its lock, and never overtakes a record.
import type { ExecutionStore } from "../../execution-store.ts"
import type { Reader } from "../../session.ts"
import type { ExecutionBackend } from "../backend.ts"
import { createExecutionStore } from "../execution-rows.ts"
import { createGroupCommit } from "../group-commit.ts"
import { createPending } from "../pending.ts"
import type { Job } from "./message.ts"
import { sqliteBroadcasts } from "./broadcasts.ts"
import { sqliteSignals } from "./signals.ts"
import type { JournalThread, Rows } from "./thread.ts"

/** While the thread commits one group the next one is on its way, so that it never waits for the main thread. */
const inFlightMax = 2

export function sqliteExecutions(reader: Reader, thread: JournalThread): ExecutionStore {
  const groups = createGroupCommit<Job, Rows>({ commit: (jobs) => thread.commit(jobs), inFlightMax })
  const pending = createPending()
  let closing: Promise<void> | null = null
  const batch: ExecutionBackend["batch"] = (statements) => groups.add({ kind: "statements", statements }, "now")
  const backend: ExecutionBackend = {
    dialect: "sqlite",
    async all(statement, sees) {
      if (pending.matters(sees)) await groups.settled()
      return reader.all(statement)
    },
    append: async (records, urgency) => {
      if (records.length > 0) await pending.during(records, () => groups.add({ kind: "records", records }, urgency))
    },
    batch,
    async seal() {
      const [[answer]] = (await groups.add({ kind: "seal" }, "now")) as [["more" | "none"]] // as the thread answers this job
      return answer
    },
    signals: sqliteSignals,
    broadcasts: sqliteBroadcasts(reader, batch),
    close: () => (closing ??= groups.settled().then(() => thread.close())),
  }
  return createExecutionStore(backend)
}
