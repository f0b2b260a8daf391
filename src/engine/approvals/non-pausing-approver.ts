// The approvals of a call that cannot pause: it is refused with the id of an approval, and allowed once after a human has accepted it.
import type { ElicitRequest } from "../../core/call/elicit.ts"
import type { Approve } from "../../core/executor-api.ts"
import type { Principal } from "../../core/principal.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure } from "../../core/result.ts"
import type { Clock } from "../../io/clock.ts"
import type { ApprovalRow, ExecutionStore } from "../../store/execution-store.ts"
import { isAnsweredRightly } from "./answerers.ts"
import { describeQuestion } from "./context.ts"
import type { ContextParts } from "./context.ts"
import { approved, fromStart, toDecision } from "./decision.ts"
import type { ApprovalDecision, Approver } from "../gate/approver.ts"
import type { CallTarget } from "../gate/call.ts"
import { approvalsOf } from "./read.ts"
import type { WaitingQuota } from "./waiting-quota.ts"
import { approvalMessage, hashArgs, newApproval, viewInteraction } from "./row.ts"

export type NonPausingParts = ContextParts & {
  readonly clock: Clock
  readonly executions: ExecutionStore
  readonly waitingQuota: WaitingQuota
}

/** `approve`: how the caller of the SDK answers on the spot; undefined where there is nobody to ask. */
export function nonPausingApprover(
  principal: Principal,
  executionId: string | null,
  approve: Approve | undefined,
  parts: NonPausingParts,
): Approver {
  return {
    async decide(call, target, verdict) {
      // Where neither a rule nor its source asks for it, there is no answer to look for.
      if (verdict.action === "allow" && verdict.rule === null && !target.requiresApproval) return approved
      // Only whom a rule names can answer for it: not the caller, nor an answer that was meant for other calls.
      const { by = [] } = verdict
      const isOpen = by.length === 0
      if (verdict.action !== "allow" && typeof approve === "function" && isOpen) {
        const isAccepted = await approve({ address: target.address, args: call.args, message: approvalMessage(target) })
        return isAccepted ? approved : { status: "refused", failure: fail("approval_declined", `'${target.address}' was declined`) }
      }
      const { tenant, user, tokenId } = principal
      const grant = { tenant, user, tokenId, address: target.address, argsHash: hashArgs(call.args), toolHash: target.definitionHash() }
      const answered = await parts.executions.approvals.spend({ ...grant, now: parts.clock.now().toISOString() })
      if (answered !== null && (answered.status !== "accept" || (await isAnsweredRightly(answered, by, parts)))) return toDecision(answered)
      if (verdict.action === "allow" || (approve === "auto" && !target.alwaysAsks && isOpen)) return approved
      const remembered =
        executionId === null || target.alwaysAsks || !isOpen ? null : await rememberedIn(executionId, principal, target, parts)
      if (remembered !== null) return { status: "approved", approvalId: remembered }
      const asked = await askedBefore(principal, grant, parts)
      if (asked !== null) return required(target, asked)
      const failure = await parts.waitingQuota.take(principal, call.argsJson, 0)
      if (failure !== null) return { status: "refused", failure }
      const row = newApproval(
        {
          principal,
          executionId,
          call,
          target,
          kind: "approval",
          message: approvalMessage(target),
          context: await describeQuestion(principal, call, target, verdict, parts),
          by,
          requestedSchema: null,
          url: null,
          state: null,
          pause: 0,
        },
        parts,
      )
      await parts.executions.journal.append([{ kind: "approval", row }], "now")
      return required(target, row)
    },
    resumption: () => fromStart,
    question: (_call, target, _asked, request) => Promise.resolve({ status: "refused", failure: unasked(target, request) }),
    forAgents: () => nonPausingApprover(principal, executionId, approve === "auto" ? undefined : approve, parts),
  }
}

/** The answer by which a human has allowed the tool for the rest of this execution. */
async function rememberedIn(
  executionId: string,
  { tenant }: Principal,
  target: CallTarget,
  parts: NonPausingParts,
): Promise<string | null> {
  const rows = await approvalsOf({ tenant, id: executionId }, parts)
  return rows.find((row) => row.status === "accept" && row.remember === "execution" && row.address === target.address)?.id ?? null
}

/** Who asks again for the same while nobody has answered asks nothing new. */
async function askedBefore(
  { tenant, user, tokenId }: Principal,
  grant: Pick<ApprovalRow, "address" | "argsHash" | "toolHash">,
  parts: NonPausingParts,
): Promise<ApprovalRow | null> {
  const filter = { status: "pending" as const, expiresAfter: parts.clock.now().toISOString(), grant }
  const [row] = await parts.executions.approvals.list({ tenant, user, tokenId }, filter, { after: null, limit: 1 })
  return row ?? null
}

/** Nobody can fill in a form here; to a tool, a silent "cancel" would look like a human's answer. */
const unasked = (target: CallTarget, { kind, message }: ElicitRequest): ToolFailure =>
  fail(
    "approval_required",
    `'${target.address}' asks a human a question, but this call cannot pause; call it from code with 'run' and without approval: "throw"`,
    { details: { question: { kind, message } } },
  )

function required(target: CallTarget, row: ApprovalRow): ApprovalDecision {
  const { approvalId, answerers } = viewInteraction({ ...row, argsJson: "null" })
  const who = answerers === undefined ? "a human's approval" : `the approval of ${answerers}`
  const message = `'${target.address}' needs ${who}; ask them, then call it again with the same arguments`
  return { status: "refused", failure: fail("approval_required", message, { details: { approvalId } }) }
}
