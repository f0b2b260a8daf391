// The approvals of an execution that can pause: each question becomes a row, and its answer is read when the code runs again.
import type { ElicitAnswer, ElicitRequest } from "../../core/call/elicit.ts"
import type { ApprovalBy } from "../../core/policy.ts"
import type { Principal } from "../../core/principal.ts"
import type { ToolFailure } from "../../core/result.ts"
import type { JsonSchema } from "../../core/tool.ts"
import type { Clock } from "../../io/clock.ts"
import type { ApprovalRow, ExecutionRow, ExecutionStore, JournalRows } from "../../store/execution-store.ts"
import { joinBy } from "../../policy/answerers.ts"
import { isAnsweredRightly, namedIn } from "./answerers.ts"
import { describeQuestion } from "./context.ts"
import type { ApprovalContext, ContextParts } from "./context.ts"
import { approved, fromStart, toDecision } from "./decision.ts"
import type { Approver } from "../gate/approver.ts"
import { approvalMessage, hashArgs, newApproval } from "./row.ts"
import type { CallTarget, GateCall } from "../gate/call.ts"
import { askingAgent } from "./asking-agent.ts"
import type { WaitingQuota } from "./waiting-quota.ts"

export type PausingParts = ContextParts & {
  readonly clock: Clock
  readonly executions: Pick<ExecutionStore, "approvals">
  readonly waitingQuota: WaitingQuota
}

/** `rows`: every approval that this execution asked for in earlier runs; new ones are added to it. */
export function pausingApprover(
  principal: Principal,
  execution: ExecutionRow,
  rows: ApprovalRow[],
  journal: Pick<JournalRows, "append">,
  parts: PausingParts,
): Approver {
  const questionsOf = (call: GateCall): ApprovalRow[] => rows.filter((row) => row.callKey === call.key && row.kind !== "approval")
  const remembered = new Map(rows.filter((row) => row.status === "accept" && row.remember === "execution").map((row) => [row.address, row]))

  const add = (row: ApprovalRow): ApprovalRow => {
    rows.push(row)
    // It is durable before the pause is answered: the pause itself is appended after it and waited for.
    void journal.append([{ kind: "approval", row }], "soon").catch(() => {})
    return row
  }

  const create = (call: GateCall, target: CallTarget, form: Question, told: ApprovalContext, by: readonly ApprovalBy[]): ApprovalRow => {
    const context = { ...told, ...askingAgent(execution, call) }
    return add(
      newApproval({ principal, executionId: execution.id, call, target, ...form, context, by, pause: execution.pauseCount + 1 }, parts),
    )
  }

  /** Whoever asked for it has said yes beforehand. It belongs to no pause, and is used up. */
  const preapprove = (call: GateCall, target: CallTarget, context: ApprovalContext): ApprovalRow => {
    const row = newApproval({ principal, executionId: execution.id, call, target, ...consent(target), context, by: [], pause: 0 }, parts)
    return add({ ...row, status: "accept", answeredBy: principal.user, answeredAt: row.createdAt, usedAt: row.createdAt })
  }

  /** What a rule or another answer lets through needs this answer no more; a human who was faster is heard all the same. */
  const acceptUnlessAnswered = async (asked: ApprovalRow, answeredBy: string | null): Promise<ApprovalRow> => {
    const answer = { status: "accept", content: null, remember: null, answeredBy, answeredAt: parts.clock.now().toISOString() } as const
    const [row = asked] = await parts.executions.approvals.answer(principal.tenant, [asked.id], answer)
    rows[rows.indexOf(asked)] = row
    return row
  }

  /** Calls that run side by side may not ask more than each of them alone. */
  let asking = 0
  const ask = async (call: GateCall, make: () => ApprovalRow): Promise<ApprovalRow | ToolFailure> => {
    const open = rows.filter((row) => row.status === "pending").length + asking
    asking += 1
    try {
      return (await parts.waitingQuota.take(principal, call.argsJson, open)) ?? make()
    } finally {
      asking -= 1
    }
  }

  const approver = (isPreapproved: boolean): Approver => ({
    async decide(call, target, verdict) {
      const asked = rows.findLast((row) => row.callKey === call.key && row.kind === "approval")
      if (asked?.status === "decline" || asked?.status === "cancel") return toDecision(asked)
      const by = joinBy(asked === undefined ? [] : namedIn(asked), verdict.by ?? [])
      // Whom a rule has named is asked, also when that rule is gone: neither another rule nor another answer stands in for them.
      if (verdict.action === "allow" && asked?.status === "pending" && by.length > 0) return toDecision(asked)
      const answered = verdict.action === "allow" || target.alwaysAsks || by.length > 0 ? undefined : remembered.get(target.address)
      if (verdict.action === "allow" || answered !== undefined) {
        const row = asked?.status === "pending" ? await acceptUnlessAnswered(asked, answered?.answeredBy ?? null) : null
        if (row !== null && row.status !== "accept") return toDecision(row)
        return answered === undefined ? approved : toDecision(answered)
      }
      const stands = asked !== undefined && isFor(asked, call, target)
      if (stands && (asked.status !== "accept" || (await isAnsweredRightly(asked, by, parts)))) return toDecision(asked)
      const question = await describeQuestion(principal, call, target, { ...verdict, by }, parts)
      const context = asked === undefined ? question : { ...question, reason: `${changedSince(asked, target)}${question.reason}` }
      if (isPreapproved && !target.alwaysAsks && by.length === 0) return toDecision(preapprove(call, target, context))
      const row = await ask(call, () => create(call, target, consent(target), context, by))
      return "ok" in row ? { status: "refused", failure: row } : toDecision(row)
    },
    resumption(call) {
      const asked = questionsOf(call)
      const state = asked.at(-1)?.state ?? null
      if (state === null) return fromStart
      const first = asked.findIndex((row) => row.state === state)
      return { asked: asked.slice(0, first).map((row) => row.id), state }
    },
    async question(call, target, asked, request) {
      const context = await describeQuestion(principal, call, target, null, parts)
      const form = toForm(request)
      // An answer counts for the question that the human saw, not for another one in its place.
      const standing = questionsOf(call).find((one) => !asked.has(one.id) && isSame(one, form))
      const row = standing ?? (await ask(call, () => create(call, target, form, context, [])))
      if ("ok" in row) return { status: "refused", failure: row }
      asked.add(row.id)
      return row.status === "pending" ? { status: "pending", approvalId: row.id } : { status: "answered", answer: toAnswer(row) }
    },
    forAgents: () => approver(false),
  })
  return approver(execution.autoApprove)
}

type Question = Pick<ApprovalRow, "kind" | "message" | "url" | "state"> & { readonly requestedSchema: JsonSchema | null }

const consent = (target: CallTarget): Question => ({
  kind: "approval",
  message: approvalMessage(target),
  requestedSchema: null,
  url: null,
  state: null,
})

/** An answer counts for these arguments of this tool as it was. */
const isFor = (row: ApprovalRow, call: GateCall, target: CallTarget): boolean =>
  row.argsHash === hashArgs(call.args) && row.toolHash === target.definitionHash()

/** Why an answer to the same question does not count any more. */
function changedSince(row: ApprovalRow, target: CallTarget): string {
  if (row.toolHash === target.definitionHash()) return ""
  const version = target.version()
  const what = version === null ? "changed" : version.includes("+") ? "edited" : `published anew, as version ${version},`
  return `The tool was ${what} since this was asked before, so that the earlier answer does not count. `
}

const toForm = (request: ElicitRequest) => {
  const state = request.state ?? null
  return request.kind === "form" ? { ...request, url: null, state } : { ...request, requestedSchema: null, state }
}

type Form = ReturnType<typeof toForm>

function isSame(row: ApprovalRow, form: Form): boolean {
  const schema = form.requestedSchema === null ? null : JSON.stringify(form.requestedSchema)
  return row.kind === form.kind && row.message === form.message && row.requestedSchema === schema && row.url === form.url
}

const toAnswer = (row: ApprovalRow): ElicitAnswer => {
  if (row.status === "accept") return { action: "accept", content: row.content === null ? {} : (JSON.parse(row.content) as unknown) }
  return { action: row.status === "decline" ? "decline" : "cancel" }
}
