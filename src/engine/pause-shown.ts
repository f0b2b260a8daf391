// Records which pause of an execution was shown to whom: an answer without ids applies to what its sender has seen, never to later questions.
//
// Order of events: a reply that shows a pause is noted before it is given, and only while somebody still waits for it.
// A request whose reply was lost, and that is sent again, therefore still means the pause before: it is answered
// already, so that the second request approves nothing and gives the reply that was lost. Notes are rows, so that this
// holds on every node and after every crash; whatever is lost of them makes an answer mean less, never more.
import type { ExecutionReply } from "../core/execution.ts"
import { LruMap } from "../core/lru-map.ts"
import type { Principal } from "../core/principal.ts"
import type { Log } from "../io/log.ts"
import type { ApprovalRow, ExecutionRow, ExecutionStore } from "../store/execution-store.ts"
import type { EngineParts } from "./engine-parts.ts"
import { sessionOf } from "./session-value.ts"
import { toReply } from "./execution-reply.ts"

type PausedRow = Pick<ExecutionRow, "tenant" | "id" | "pauseCount">

export type ShownPauses = {
  note(viewer: Principal, row: PausedRow): Promise<void>
  /** Null: nothing of this execution was shown to them. */
  latest(viewer: Principal, row: PausedRow): Promise<number | null>
}

/** So many are known without asking the store: pages look again and again. */
const keptMax = 10_000

export function createShownPauses({ executions, journal }: ExecutionStore, log: Log): ShownPauses {
  const noted = new LruMap<string, number>(keptMax)
  return {
    async note(viewer, { tenant, id, pauseCount }) {
      const row = { tenant, executionId: id, viewer: sessionOf(viewer), pause: pauseCount }
      const key = JSON.stringify([tenant, id, row.viewer])
      if ((noted.get(key) ?? 0) >= pauseCount) return
      try {
        await journal.append([{ kind: "shown", row }], "now")
        noted.set(key, pauseCount)
      } catch (error) {
        log.warn({ executionId: id, error: String(error) }, "Could not record that a pause was shown; answers to it need its approvalIds")
      }
    },
    latest: (viewer, { tenant, id }) => executions.shown({ tenant, executionId: id, viewer: sessionOf(viewer) }),
  }
}

/** What somebody who waits for it is answered. `signal` is aborted when they are gone, and see nothing of it. */
export async function showReply(
  viewer: Principal,
  row: ExecutionRow,
  approvals: readonly ApprovalRow[],
  signal: AbortSignal | undefined,
  parts: EngineParts,
): Promise<ExecutionReply> {
  if (row.status === "paused" && signal?.aborted !== true) await parts.shownPauses.note(viewer, row)
  // Whoever is asked again is told what came of the answers before.
  const isAskedAgain = row.status === "paused" && row.pauseCount > 1
  return toReply(row, approvals, parts, isAskedAgain ? (await parts.executions.journal.read(row, row.id)).calls : [])
}
