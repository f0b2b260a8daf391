// Records which pause of an execution was shown to whom, and how much of it: an answer without ids applies to what its sender has seen, never to later questions.
//
// Order of events: a reply that shows a pause is noted before it is given, and only while somebody still waits for it.
// A request whose reply was lost, and that is sent again, therefore still means the pause before: it is answered
// already, so that the second request approves nothing and gives the reply that was lost. Notes are rows, so that this
// holds on every node and after every crash; whatever is lost of them makes an answer mean less, never more.
import type { ExecutionReply, Replied } from "../../core/execution.ts"
import { LruMap } from "../../core/lru-map.ts"
import { withFirstQuestions } from "../../core/text/questions-shown.ts"
import type { Principal } from "../../core/principal.ts"
import type { Log } from "../../io/log.ts"
import type { ApprovalRow, ExecutionRow, ExecutionStore, ShownPause } from "../../store/execution-store.ts"
import type { EngineParts } from "../engine-parts.ts"
import { readJournal } from "./children/scope.ts"
import { progressOf } from "./progress.ts"
import { sessionOf } from "../gate/session-value.ts"
import { toReply } from "./reply.ts"

type PausedRow = Pick<ExecutionRow, "tenant" | "id" | "pauseCount">

export type ShownPauses = {
  /** `questions`: how many of the approvals, in order; null for all of them. */
  record(viewer: Principal, row: PausedRow, questions: number | null): Promise<void>
  /** Null: nothing of this execution was shown to them. */
  latest(viewer: Principal, row: PausedRow): Promise<ShownPause | null>
}

/** So many are known without asking the store, because pages look again and again; whatever else waits takes no memory. */
const keptMax = 200

export function createShownPauses({ executions, journal }: ExecutionStore, log: Log): ShownPauses {
  const noted = new LruMap<string, ShownPause>(keptMax)
  return {
    async record(viewer, { tenant, id, pauseCount }, questions) {
      const row = { tenant, executionId: id, viewer: sessionOf(viewer), pause: pauseCount, questions }
      const key = JSON.stringify([tenant, id, row.viewer])
      const known = noted.get(key)
      if (known !== undefined && (known.pause > pauseCount || (known.pause === pauseCount && known.questions === questions))) return
      try {
        await journal.append([{ kind: "shown", row }], "now")
        noted.set(key, row)
      } catch (error) {
        log.warn({ executionId: id, error: String(error) }, "Could not record that a pause was shown; answers to it need its approvalIds")
      }
    },
    latest: (viewer, { tenant, id }) => executions.shown({ tenant, executionId: id, viewer: sessionOf(viewer) }),
  }
}

/** What somebody who waits for it is answered. */
export async function showReply(
  viewer: Principal,
  row: ExecutionRow,
  approvals: readonly ApprovalRow[],
  { signal, questions }: Replied,
  parts: EngineParts,
): Promise<ExecutionReply> {
  if (row.status === "running") return progressOf(viewer, row.id, parts)
  if (row.status !== "paused") return toReply(row, approvals, parts)
  const asked = inOrder(approvals)
  // Whoever is asked again is told what came of the answers before.
  const calls = row.pauseCount > 1 ? (await readJournal(row, parts)).calls : []
  const whole = toReply(row, asked, parts, calls)
  const reply = questions === "first" ? withFirstQuestions(whole) : whole
  if (signal?.aborted !== true) await parts.shownPauses.record(viewer, row, seenOf(reply, asked))
  return reply
}

/** Those of later pauses come later, so that what was seen of them can be counted. */
export const inOrder = (approvals: readonly ApprovalRow[]): ApprovalRow[] => approvals.toSorted((a, b) => a.pause - b.pause)

function seenOf({ structured }: ExecutionReply, asked: readonly ApprovalRow[]): number | null {
  if (structured.status !== "waiting_for_interaction" || structured.more === undefined) return null
  const last = structured.interactions.at(-1)?.approvalId
  return asked.findIndex(({ id }) => id === last) + 1
}
