// Waits for the human whom a paused execution asks, without answering for them.
import { setTimeout as sleep } from "node:timers/promises"
import type { ExecutionReply, Shown } from "../../core/execution.ts"
import type { Principal } from "../../core/principal.ts"
import type { ApprovalStatus } from "../../store/execution-store.ts"
import type { EngineParts } from "../engine-parts.ts"
import { approvalsOf } from "../approvals/read.ts"
import { getExecution, visibilityOf } from "../execution-access.ts"
import { showReply } from "./pause-shown.ts"

const pollMs = 200

export type Waiting = Shown & { readonly ms: number; readonly signal: AbortSignal }

/** `isUnanswered`: it still waits for what the principal was shown before, and for nothing else. */
export type Waited = { readonly reply: ExecutionReply; readonly isUnanswered: boolean }

/** Answers with the execution as it is when it has ended, when it asks what this principal was not shown yet, or when the time is up. */
export async function waitForAnswer(principal: Principal, id: string, wait: Waiting, parts: EngineParts): Promise<Waited> {
  const untilMs = parts.clock.monotonicMs() + wait.ms
  let seen: number | null = null
  for (;;) {
    const row = await getExecution(principal, id, parts)
    const approvals = await approvalsOf(row, parts)
    const pending = approvals.filter(({ status }) => status === "pending")
    seen ??= (await parts.shownPauses.latest(principal, row))?.pause ?? 0
    const isNew = row.status === "paused" && pending.some(({ pause }) => pause > (seen ?? 0))
    const isMoving = (row.status === "paused" || row.status === "running") && !isNew
    if (!isMoving || wait.signal.aborted || parts.clock.monotonicMs() >= untilMs) {
      const isUnanswered = row.status === "paused" && row.pauseCount === seen && pending.length > 0
      return { reply: await showReply(principal, row, approvals, wait, parts), isUnanswered }
    }
    await sleep(pollMs, undefined, { signal: wait.signal }).catch(() => {})
  }
}

/** The same for a call outside an execution: how its approval stands when it is answered, or when the time is up. */
export async function waitForApproval(principal: Principal, id: string, wait: Waiting, parts: EngineParts): Promise<ApprovalStatus> {
  const untilMs = parts.clock.monotonicMs() + wait.ms
  for (;;) {
    const row = await parts.executions.approvals.get(visibilityOf(principal), id)
    if (row === null) return "cancel"
    if (row.status !== "pending" || wait.signal.aborted || parts.clock.monotonicMs() >= untilMs) return row.status
    await sleep(pollMs, undefined, { signal: wait.signal }).catch(() => {})
  }
}
