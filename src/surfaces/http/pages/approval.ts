// The approval page: what an execution or a single call waits for, or how it continued after the answer.
import { html } from "hono/html"
import { ExecutorError } from "../../../core/errors.ts"
import type { ApprovalView, ExecutionView } from "../../../core/execution.ts"
import type { ExecutorApi } from "../../../core/executor-api.ts"
import { codeView } from "./approval-code.ts"
import { inboxOfExecution, nextUp, time } from "./approval-inbox.ts"
import { outcomeOf } from "./approval-outcome.ts"
import { agentView, questionView } from "./approval-question.ts"
import type { Question } from "./approval-question.ts"
import type { Html } from "./frame.ts"
import type { PageContent } from "./shell.ts"

/** One page shows so many questions, and of all their arguments together so many characters. */
const questionsMax = 50
const argsCharsMax = 300_000

type Asked = {
  readonly executionId: string | null
  readonly interactions: readonly Question[]
  readonly createdAt: string
  readonly expiresAt: string
  /** Null where no code runs. */
  readonly code: string | null
}

export type ApprovePageRequest = {
  /** Of an execution, or of one approval. */
  readonly id: string
  /** Shows arguments of any length. */
  readonly isWhole: boolean
}

export async function approvePage({ id, isWhole }: ApprovePageRequest, api: ExecutorApi): Promise<PageContent> {
  const approval = id.startsWith("apr_") ? await found(api.approvals.get(id)) : null
  const executionId = approval === null ? id : approval.executionId
  const execution = executionId === null ? null : await found(api.executions.get(executionId))
  const forOthers = approval === null && execution === null && executionId !== null ? await inboxOfExecution(executionId, api) : null
  if (forOthers !== null) return forOthers
  const asked = (approval === null ? null : askedIn(approval, execution)) ?? (await askedBy(execution, api))
  if (asked !== null) return { status: 200, title: "Approve?", content: questions(asked, isWhole) }
  const next = await nextUp(executionId ?? id, api)
  if (approval !== null && (execution === null || isRefused(execution, approval))) return { status: 200, ...answeredOf(approval, next) }
  if (execution !== null) return { status: 200, ...outcomeOf(execution, next) }
  return { status: 404, title: "Not found", content: html`${nothing} ${next}` }
}

const nothing = html`<h1>Nothing to answer here</h1>
  <p>This question does not exist, or it is not for you to answer.</p>
  <p>
    Did somebody send you this link? Then ask them who has to answer: an admin, or somebody with the role that a rule names. An admin can
    give you that role.
  </p>`

async function found<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch((error: unknown) => {
    if (error instanceof ExecutorError && error.code === "not_found") return null
    throw error
  })
}

async function askedBy(execution: ExecutionView | null, api: ExecutorApi): Promise<Asked | null> {
  if (execution === null || execution.structured.status !== "waiting_for_interaction") return null
  const { interactions, expiresAt } = execution.structured
  if (interactions.length === 0) return null
  // Each is read alone: with all of its arguments, and with the reason by the rules of today.
  const whole = await Promise.all(
    interactions.slice(0, questionsMax).map(async (one) => (await found(api.approvals.get(one.approvalId))) ?? one),
  )
  return { ...execution, interactions: [...whole, ...interactions.slice(questionsMax)], expiresAt }
}

const askedIn = (approval: ApprovalView, execution: ExecutionView | null): Asked | null =>
  approval.status === "pending" ? { ...approval, interactions: [approval], code: execution?.code ?? approval.code ?? null } : null

function questions(asked: Asked, isWhole: boolean): Html {
  const { interactions, executionId, code } = asked
  const shown = interactions.slice(0, questionsMax)
  const hidden = interactions.length - shown.length
  const charsMax = isWhole ? Number.POSITIVE_INFINITY : Math.floor(argsCharsMax / shown.length)
  const canAll = shown.length > 1 && executionId !== null && shown.every((one) => one.kind === "approval" && one.mayAnswer !== false)
  const all = html`<div class="actions">
    <button class="primary" data-all="accept" data-execution="${executionId ?? ""}">Approve all ${shown.length}</button>
    <button data-all="decline" data-execution="${executionId ?? ""}">Decline all ${shown.length}</button>
  </div>`
  const agent = shown.find((one) => one.agent !== undefined)?.agent
  const lines = new Set(shown.flatMap(({ line }) => (line === undefined ? [] : [line])))
  return html`<h1>${headlineOf(interactions)}</h1>
    <p class="soft">Asked ${time(asked.createdAt)} · expires ${time(asked.expiresAt)} if nobody answers</p>
    ${hidden === 0 ? "" : html`<p class="caution">The first ${shown.length} are shown; the other ${hidden} follow once these are answered.</p>`}
    ${canAll ? all : ""} ${shown.map((one, index) => questionView(one, index, { charsMax, isInExecution: executionId !== null }))}
    ${canAll ? all : ""}
    ${
      code === null
        ? executionId === null
          ? ""
          : html`<p class="soft">The code that asks is shown to whoever started it, and to whoever may answer.</p>`
        : html`<h2>${agent === undefined ? "Calling code" : html`Calling agent: ${agentView(agent)}`}</h2>
            ${codeView(code, lines)}`
    }`
}

/** In words of our own: a message may be an upstream's. */
function headlineOf(interactions: readonly Question[]): string {
  if (interactions.every(({ mayAnswer }) => mayAnswer === false)) return "Waiting for somebody else's approval"
  const isCall = interactions.every(({ kind }) => kind === "approval")
  if (interactions.length > 1) return `${interactions.length} ${isCall ? "calls" : "questions"} are waiting for you`
  return isCall ? "Approve this call?" : "A tool has a question for you"
}

/** The call could not wait: its code went on without it, and whatever that came to is no outcome of the answer. */
const isRefused = ({ calls }: ExecutionView, { approvalId, kind }: ApprovalView): boolean =>
  kind === "approval" && !calls.some(({ approval }) => approval?.approvalId === approvalId)

/** Of a call that could not wait, which its caller makes again. */
function answeredOf({ status, isOwn, executionId }: ApprovalView, next: Html): Omit<PageContent, "status"> {
  const [title, own] = answeredTexts[status]
  const text =
    isOwn || executionId === null || status === "expired"
      ? own
      : "The execution goes on with this answer. Whoever started it sees how it ends."
  return {
    title,
    content: html`<h1>${title}</h1>
      <p>${text}</p>
      ${next}`,
  }
}

const answeredTexts: Record<ApprovalView["status"], readonly [string, string]> = {
  pending: ["Waiting", "Nobody has answered yet."],
  accept: ["Approved", "The call is allowed once, when its caller repeats it with the same arguments."],
  decline: ["Declined", "The call is rejected when its caller repeats it."],
  cancel: ["Cancelled", "The question was withdrawn without an answer."],
  expired: ["Expired", "Nobody answered in time. The caller must ask again."],
}
