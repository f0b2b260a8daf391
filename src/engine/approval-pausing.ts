// The approval desk of an execution that pauses: each question becomes a row, and its answer is found when the code runs again.
import type { ElicitAnswer, ElicitRequest } from "../core/elicit.ts"
import type { Limits } from "../core/limits.ts"
import type { Principal } from "../core/principal.ts"
import { fail } from "../core/result.ts"
import type { JsonSchema } from "../core/tool.ts"
import type { Clock } from "../io/clock.ts"
import type { ApprovalRow, ExecutionRow } from "../store/execution-store.ts"
import { approved, fromStart } from "./approval-desk.ts"
import type { ApprovalDecision, ApprovalDesk } from "./approval-desk.ts"
import { approvalMessage, hashArgs, newApproval } from "./approval-new.ts"
import type { CallTarget } from "./call-target.ts"
import type { ExecutionJournal } from "./execution-journal.ts"
import type { GateCall } from "./gate.ts"

export type PausingParts = { readonly clock: Clock; readonly limits: Limits }

/** `rows`: every approval that this execution asked for in earlier runs; new ones are added to it. */
export function pausingDesk(
  principal: Principal,
  execution: ExecutionRow,
  rows: ApprovalRow[],
  journal: Pick<ExecutionJournal, "append">,
  parts: PausingParts,
): ApprovalDesk {
  const questionsOf = (call: GateCall): ApprovalRow[] => rows.filter((row) => row.callKey === call.key && row.kind !== "approval")
  const remembered = new Map(rows.filter((row) => row.status === "accept" && row.remember === "execution").map((row) => [row.address, row]))

  /** What was asked before a human said so for all of them is answered by that: nobody can decline it any more. */
  const answerBy = (call: GateCall, answered: ApprovalRow): void => {
    const index = rows.findIndex((row) => row.callKey === call.key && row.kind === "approval" && row.status === "pending")
    const asked = rows[index]
    if (asked === undefined) return
    const { status, answeredBy, answeredAt } = answered
    rows[index] = { ...asked, status, answeredBy, answeredAt }
    void journal.append([{ kind: "approval", row: rows[index] }], "soon").catch(() => {})
  }

  const create = (
    call: GateCall,
    target: CallTarget,
    form: Pick<ApprovalRow, "kind" | "message" | "url" | "state"> & { requestedSchema: JsonSchema | null },
  ): ApprovalRow => {
    const row = newApproval({ principal, executionId: execution.id, call, target, ...form, pause: execution.pauseCount + 1 }, parts)
    rows.push(row)
    // It is durable before the pause is answered: the pause itself is appended after it and waited for.
    void journal.append([{ kind: "approval", row }], "soon").catch(() => {})
    return row
  }

  return {
    unasked: approved,
    ask(call, target) {
      const answered = target.alwaysAsks ? undefined : remembered.get(target.address)
      if (answered !== undefined) answerBy(call, answered)
      if (answered !== undefined || (!target.alwaysAsks && execution.autoApprove)) return Promise.resolve(approved)
      const asked = rows.findLast((row) => row.callKey === call.key && row.kind === "approval")
      const stands = asked !== undefined && asked.argsHash === hashArgs(call.args) && asked.toolHash === target.definitionHash()
      const row = stands
        ? asked
        : create(call, target, { kind: "approval", message: approvalMessage(target), requestedSchema: null, url: null, state: null })
      return Promise.resolve(toDecision(row))
    },
    resumption(call) {
      const asked = questionsOf(call)
      const state = asked.at(-1)?.state ?? null
      if (state === null) return fromStart
      const first = asked.findIndex((row) => row.state === state)
      return { asked: asked.slice(0, first).map((row) => row.id), state }
    },
    question(call, target, asked, request) {
      const form = toForm(request)
      // An answer counts for the question that the human saw, not for another one in its place.
      const row = questionsOf(call).find((one) => !asked.has(one.id) && isSame(one, form)) ?? create(call, target, form)
      asked.add(row.id)
      return Promise.resolve(
        row.status === "pending" ? { status: "pending", approvalId: row.id } : { status: "answered", answer: toAnswer(row) },
      )
    },
  }
}

const toForm = (request: ElicitRequest) => {
  const state = request.state ?? null
  return request.kind === "form" ? { ...request, url: null, state } : { ...request, requestedSchema: null, state }
}

type Form = ReturnType<typeof toForm>

function isSame(row: ApprovalRow, form: Form): boolean {
  const schema = form.requestedSchema === null ? null : JSON.stringify(form.requestedSchema)
  return row.kind === form.kind && row.message === form.message && row.requestedSchema === schema && placeOf(row.url) === placeOf(form.url)
}

/** What follows in a URL is often made anew each time. */
const placeOf = (url: string | null): string | null => url?.split(/[?#]/, 1)[0] ?? null

function toDecision(row: ApprovalRow): ApprovalDecision {
  switch (row.status) {
    case "pending":
      return { status: "pending", approvalId: row.id }
    case "accept":
      return approved
    case "decline":
      return {
        status: "refused",
        failure: fail("approval_declined", `'${row.address}' was declined; do not try it again without asking a human`),
      }
    case "cancel":
    case "expired":
      return { status: "refused", failure: fail("approval_cancelled", `The request to approve '${row.address}' was cancelled`) }
  }
}

const toAnswer = (row: ApprovalRow): ElicitAnswer => {
  if (row.status === "accept") return { action: "accept", content: row.content === null ? {} : (JSON.parse(row.content) as unknown) }
  return { action: row.status === "decline" ? "decline" : "cancel" }
}
