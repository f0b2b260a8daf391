// What a model is told about an execution that runs or waits for its human, and what it can do next.
import type { ExecutionReply, StructuredOutcome } from "../../../core/execution.ts"
import { logText } from "../../../core/text/logs.ts"
import { othersOf } from "../../../core/text/others.ts"
import { questionsText } from "../../../core/text/questions.ts"
import { recapText, soFarTitles } from "../../../core/text/recap.ts"
import { executorCommand } from "../../../io/executor-command.ts"
import type { ElicitationMode } from "../../../core/token.ts"

type Running = Exclude<StructuredOutcome, { status: "waiting_for_interaction" }>
type Waiting = Extract<StructuredOutcome, { status: "waiting_for_interaction" }>

/** The reply with words for this mode; one that has ended is left as it is. */
export function withNextStep(reply: ExecutionReply, mode: ElicitationMode): ExecutionReply {
  const { structured } = reply
  if (structured.status === "running") return { ...reply, text: runningText(reply, structured, mode) }
  return structured.status === "waiting_for_interaction" ? { ...reply, text: waitingText(structured, mode) } : reply
}

const resumeCall = (executionId: string): string => `resume({ "executionId": "${executionId}", "action": "accept" })`

function runningText({ executionId, text }: ExecutionReply, { calls = [], logs }: Running, mode: ElicitationMode): string {
  const next =
    mode === "native" ? readLater(executionId) : `Call ${resumeCall(executionId)} to go on waiting for its result; "cancel" stops it.`
  const recap = recapText(calls, soFarTitles)
  return [
    `${text} Do not run the code again. ${next}`,
    ...(recap === "" ? [] : [recap]),
    ...(logs.length === 0 ? [] : [`Logs:\n${logText(logs)}`]),
  ].join("\n\n")
}

/** Where the client asks by itself there is no `resume`. */
const readLater = (executionId: string): string =>
  `Afterwards read the result with execute: return await tools.executor.results.read({ executionId: "${executionId}" })`

function waitingText(waiting: Waiting, mode: ElicitationMode): string {
  const recap = recapText(waiting.calls ?? [], soFarTitles)
  const asked = `The execution waits for the user:\n${questionsText(waiting, pageOf(waiting))}`
  return [...(recap === "" ? [] : [recap]), asked, nextStep(waiting, mode)].join("\n\n")
}

/** For whoever has waited for an answer to what they know already. */
export function withReminder(reply: ExecutionReply, mode: ElicitationMode): ExecutionReply {
  const { structured } = reply
  if (structured.status !== "waiting_for_interaction") return withNextStep(reply, mode)
  const others = othersOf(structured.interactions)
  const count = structured.interactions.length + (structured.more ?? 0)
  const asked = count === 1 ? "the same question" : `the same ${count} questions`
  // A server inside an agent's program ends with it; what waits is kept for days.
  const later =
    structured.approvalUrl === null
      ? ""
      : ` Should the link not answer, the user starts Executor with \`${executorCommand} serve\`, or answers with \`${executorCommand} approvals list\`.`
  const text = `Not answered yet: the execution still waits for the user with ${asked}. ${others === null ? "Remind them to answer" : `It needs ${others}: the user can remind them to answer`} ${pageOf(structured)}, then call ${resumeCall(reply.executionId)} again; do not run the code again.${later}`
  return { ...reply, text }
}

const pageOf = ({ approvalUrl }: Waiting): string => (approvalUrl === null ? `with \`${executorCommand} approvals\`` : `at ${approvalUrl}`)

function nextStep(waiting: Waiting, mode: ElicitationMode): string {
  const { executionId } = waiting
  const page = pageOf(waiting)
  const resume = resumeCall(executionId)
  const others = othersOf(waiting.interactions)
  if (others !== null) {
    const later = mode === "native" ? readLater(executionId) : `Then call ${resume}: it waits for the answer.`
    return `The user cannot approve this: it needs ${others}. Tell the user to ask them; they answer ${page}. ${later} Do not run the code again.`
  }
  switch (mode) {
    case "browser":
      return `Only the user can approve. Ask them to answer ${page}, then call ${resume}: it waits for the answer and gives the result. Do not run the code again.`
    case "model":
      return `Show this to the user and ask whether to go on. Pass on what they say: ${resume}, or "decline". They can also answer ${page}.`
    case "native":
      return `The user can answer ${page}. ${readLater(executionId)}`
  }
}
