// Closes the approvals of a call that proceeds without an answer, so that nobody can decline what has already happened.
//
// A rule that was made since, an answer for the whole execution, a block or a changed tool each take a call past the
// question that it had asked. What goes ahead is accepted, by whoever's answer let it; what does not is withdrawn.
import type { Clock } from "../../io/clock.ts"
import type { ApprovalRow, CallRow } from "../../store/execution-store.ts"

/** Answers the rows that are no longer pending, and puts them into the list in place of those that were. */
export function closeAsked(call: CallRow, rows: ApprovalRow[], clock: Clock): ApprovalRow[] {
  const closed: ApprovalRow[] = []
  rows.forEach((row, index) => {
    if (row.callKey !== call.key || row.status !== "pending" || !isPassed(row, call)) return
    const answeredBy = rows.find((one) => one.id === call.approvalId)?.answeredBy ?? null
    const answer =
      call.state === "started" ? ({ status: "accept", answeredBy } as const) : ({ status: "cancel", answeredBy: null } as const)
    const answered: ApprovalRow = { ...row, ...answer, answeredAt: clock.now().toISOString() }
    rows[index] = answered
    closed.push(answered)
  })
  return closed
}

/** A tool asks its own questions while its call is under way, so that those are passed only when it is done. */
function isPassed(row: ApprovalRow, call: CallRow): boolean {
  switch (call.state) {
    case "waiting":
      return row.kind === "approval" && row.id !== call.approvalId
    case "started":
      return row.kind === "approval"
    case "done":
      return true
  }
}
