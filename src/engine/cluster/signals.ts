// Receives what other nodes did to the executions that run here: one was taken over, or a human has answered it.
//
// Whoever cancels or answers an execution that runs elsewhere says so in the store. What is heard is only a reason to
// look: the rows say whether it is true. A node that hears nothing finds the same when it renews its leases.
import { approvalsOf } from "../approvals/read.ts"
import type { EngineParts } from "../engine-parts.ts"
import { isCancelledAlone } from "../executions/children/end.ts"
import { Cancellation, LeaseLost } from "../executions/run-registry.ts"
import type { ActiveRun } from "../executions/run-registry.ts"

/** Answers how to stop. */
export const onNodeSignal = (parts: EngineParts): (() => void) =>
  parts.executions.signals.listen(async (id) => {
    const live = parts.runs.all().filter((one) => (id === null ? one.isStored : one.id === id))
    if (live.length === 0) return
    try {
      await noticeTaken(live, parts)
      await noticeAnswers(live, parts)
      await noticeCancelled(live, parts)
    } catch (error) {
      parts.log.warn(
        { error: String(error) },
        "Changes to executions by other nodes could not be read; they are found when leases are renewed",
      )
    }
  })

/** Every claim raises the run. One that ended here by itself is not held either, but its run is still the same. */
async function noticeTaken(live: readonly ActiveRun[], parts: EngineParts): Promise<void> {
  const ids = live.map(({ tenant, id }) => ({ tenant, id }))
  const unheld = await parts.executions.leases.findUnheld(parts.node, ids)
  const runs = new Map(unheld.map((row) => [row.id, row.run]))
  for (const one of live) {
    const isTaken = (runs.get(one.id) ?? 0) > one.run
    if (isTaken) one.abort.abort(new LeaseLost("Another node has taken the execution"))
  }
}

const noticedMax = 100

/** A human may have answered on another node while the code goes on here. */
export async function noticeAnswers(live: readonly ActiveRun[], parts: EngineParts): Promise<void> {
  const asking = live.filter(({ id }) => (parts.runs.awaitingAnswer(id)?.pending().length ?? 0) > 0).slice(0, noticedMax)
  for (const { tenant, id } of asking) {
    const rows = await approvalsOf({ tenant, id }, parts)
    const pending = parts.runs.awaitingAnswer(id)?.pending() ?? []
    if (rows.some((row) => row.status !== "pending" && pending.includes(row.id))) parts.runs.awaitingAnswer(id)?.restart()
  }
}

/** Somebody may have cancelled a run on another node that an execution here has started. */
export async function noticeCancelled(live: readonly ActiveRun[], parts: EngineParts): Promise<void> {
  for (const root of live) {
    const below = parts.runs.below(root.id)
    if (below.length === 0) continue
    const rows = await parts.executions.executions.below(root)
    const cancelled = new Set(rows.filter(isCancelledAlone).map(({ id }) => id))
    for (const one of below) if (cancelled.has(one.id)) one.abort.abort(new Cancellation({ kind: "human" }))
  }
}
