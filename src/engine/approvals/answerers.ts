// Who may answer an approval: by the rules that asked, and by those of this moment. The stricter of both holds.
//
// It is asked when an answer arrives, and again when the call is made: whoever has lost the role in between, or was
// never named by a rule that came later, has not approved it.
import { withoutRoot } from "../../core/address.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { AnswerAction } from "../../core/execution.ts"
import type { ApprovalBy } from "../../core/policy.ts"
import type { Principal } from "../../core/principal.ts"
import type { PolicyEvaluator } from "../../catalog/policies/evaluator.ts"
import { executorCommandOnPages } from "../../io/executor-command.ts"
import type { Access, AccessReader } from "../../identity/access.ts"
import { isAsked, joinBy, mayAnswer, whoText } from "../../policy/answerers.ts"
import type { AskedApproval } from "../../policy/answerers.ts"
import { decide } from "../../policy/decide.ts"
import { roleSubjectOf } from "../../policy/visible.ts"
import type { ApprovalRow } from "../../store/execution-store.ts"
import { isChangeable, isVisible } from "../execution-access.ts"

export type AnswererParts = { readonly access: AccessReader; readonly policyEvaluator: PolicyEvaluator }

type Requester = Pick<ApprovalRow, "tenant" | "user" | "tokenId">

/** Null: nothing acts in the requester's name any more, so that nobody can let the call happen. */
export async function askedOf(row: ApprovalRow, parts: AnswererParts): Promise<AskedApproval | null> {
  const own = await ownAccess(row, parts)
  if (own === null) return null
  const by = row.kind === "approval" ? joinBy(namedIn(row), await namedNow(row, own, parts)) : []
  return askedWith(row, row.address, own, by, parts)
}

/** The same for a call that is about to ask, or was answered. */
export async function askedFor(
  requester: Requester,
  address: string,
  by: readonly ApprovalBy[],
  parts: AnswererParts,
): Promise<AskedApproval | null> {
  const own = await ownAccess(requester, parts)
  return own === null ? null : askedWith(requester, address, own, by, parts)
}

async function askedWith(
  requester: Requester,
  address: string,
  own: Access,
  by: readonly ApprovalBy[],
  parts: AnswererParts,
): Promise<AskedApproval> {
  const creator = requester.tokenId === null ? null : ((await parts.access.of(requester))?.token?.createdBy ?? null)
  return {
    subject: roleSubjectOf(address),
    human: own.isService ? null : requester.user,
    requesters: [...new Set([requester.user, ...(creator === null ? [] : [creator])])],
    by,
  }
}

/** The user as a human, whose agent may have asked. */
const ownAccess = ({ tenant, user }: Requester, { access }: AnswererParts): Promise<Access | null> =>
  access.of({ tenant, user, tokenId: null })

export const namedIn = ({ by }: Pick<ApprovalRow, "by">): ApprovalBy[] => (by === null ? [] : (JSON.parse(by) as ApprovalBy[])) // written by `newApproval`

/** Only rules name somebody, so that the tool need not be looked up. */
async function namedNow(row: ApprovalRow, { principal }: Access, parts: AnswererParts): Promise<readonly ApprovalBy[]> {
  const tool = { subject: withoutRoot(row.address), requiresApproval: true }
  const args = JSON.parse(row.argsJson === "" ? "{}" : row.argsJson) as Record<string, unknown> // written by `newApproval`
  return decide(tool, await parts.policyEvaluator.rules(principal), args).by ?? []
}

/** Who can approve, where the human who asks cannot; null where they can. */
export async function answerersBeside(asked: AskedApproval, tenant: string, parts: AnswererParts): Promise<string | null> {
  const human = asked.human === null ? null : await parts.access.of({ tenant, user: asked.human, tokenId: null })
  return human !== null && mayAnswer(human.principal, asked) ? null : whoText(asked.by, asked.requesters)
}

/** Whether an answer that was given counts for a call that is made now. */
export async function isAnsweredRightly(row: ApprovalRow, named: readonly ApprovalBy[], parts: AnswererParts): Promise<boolean> {
  const by = joinBy(namedIn(row), named)
  if (by.length === 0) return true
  if (row.answeredBy === null) return false
  const answerer = await parts.access.of({ tenant: row.tenant, user: row.answeredBy, tokenId: null })
  const asked = await askedFor(row, row.address, by, parts)
  return answerer !== null && !answerer.isService && asked !== null && mayAnswer(answerer.principal, asked)
}

/** An agent relays the answer of its human; a service account has no human. */
const canAnswer = (principal: Principal, asked: AskedApproval): boolean =>
  (principal.kind === "human" || asked.human !== null) && mayAnswer(principal, asked)

/** Whether it is in their inbox. */
export async function isAnswerable(principal: Principal, row: ApprovalRow, parts: AnswererParts): Promise<boolean> {
  if (principal.kind !== "human" || row.tenant !== principal.tenant) return false
  const asked = await askedOf(row, parts)
  return asked !== null && canAnswer(principal, asked)
}

/** Whether they may read it: their own, or one that they could answer if the rules demanded nothing else. */
export async function isReadable(principal: Principal, row: ApprovalRow, parts: AnswererParts): Promise<boolean> {
  if (isVisible(row, principal)) return true
  if (principal.kind !== "human" || row.tenant !== principal.tenant) return false
  const asked = await askedOf(row, parts)
  return asked !== null && (isAsked(principal, asked) || asked.by.some(({ role }) => role !== undefined && principal.roles.includes(role)))
}

/** Throws an error that says who may answer. Requesters may always cancel. */
export async function requireAnswerer(principal: Principal, row: ApprovalRow, action: AnswerAction, parts: AnswererParts): Promise<void> {
  if (action === "cancel" && isChangeable(row, principal)) return
  const asked = await askedOf(row, parts)
  if (asked === null)
    throw new ExecutorError(
      "conflict",
      `'${row.user}' can no longer act here, so this can only be cancelled${cancelHint(row.executionId)}`,
      {
        approvalId: row.id,
      },
    )
  // An agent says no to its own call, unless others decide about it.
  if (principal.kind === "agent" && action !== "accept" && asked.by.length === 0) return
  if (canAnswer(principal, asked)) return
  throw mayNotAnswer(row, asked)
}

/** A call outside of an execution is not waited for, so that nothing is left to cancel. */
export const cancelHint = (executionId: string | null): string =>
  executionId === null ? "" : `: ${executorCommandOnPages} executions cancel ${executionId}`

export const mayNotAnswer = (row: ApprovalRow, asked: AskedApproval): ExecutorError =>
  new ExecutorError("forbidden", `You may not answer this: it needs ${whoText(asked.by, asked.requesters)}`, {
    approvalId: row.id,
    by: asked.by,
  })

/** Of several that are answered at once, those that are for them to answer; throws where none is. */
export async function thoseAnswerable(
  principal: Principal,
  rows: readonly ApprovalRow[],
  action: AnswerAction,
  parts: AnswererParts,
): Promise<ApprovalRow[]> {
  const kept: ApprovalRow[] = []
  let refusal: ExecutorError | null = null
  for (const row of rows)
    try {
      if (row.status === "pending") await requireAnswerer(principal, row, action, parts)
      kept.push(row)
    } catch (error) {
      if (!(error instanceof ExecutorError) || error.code !== "forbidden") throw error
      refusal ??= error
    }
  if (refusal !== null && !kept.some(({ status }) => status === "pending")) throw refusal
  return kept
}
