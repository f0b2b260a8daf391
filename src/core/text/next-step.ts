// What a model is told about an execution that runs or waits for its human, and what it can do next.
import type { ExecutionReply, StructuredOutcome } from "../execution.ts"
import { logText } from "./logs.ts"
import { othersOf } from "./others.ts"
import { questionsText } from "./questions.ts"
import { recapText, soFarTitles } from "./recap.ts"
import type { ElicitationMode } from "../token.ts"

type Running = Exclude<StructuredOutcome, { status: "waiting_for_interaction" }>
type Waiting = Extract<StructuredOutcome, { status: "waiting_for_interaction" }>

/** How the human is asked, how they start the command line, and what was asked for. */
export type AskedBy = {
  readonly mode: ElicitationMode
  readonly command: string
  /** What the model must not do twice. */
  readonly again?: "run the code" | "call the tool"
}

/** The reply with words for this mode; one that has ended is left as it is. */
export function withNextStep(reply: ExecutionReply, by: AskedBy): ExecutionReply {
  const { structured } = reply
  if (structured.status === "running") return { ...reply, text: runningText(reply, structured, by) }
  return structured.status === "waiting_for_interaction" ? { ...reply, text: waitingText(structured, by) } : reply
}

const notAgain = ({ again = "run the code" }: AskedBy): string => `Do not ${again} again.`

const resumeCall = (executionId: string): string => `resume({ "executionId": "${executionId}", "action": "accept" })`

function runningText({ executionId, text }: ExecutionReply, { calls = [], logs }: Running, by: AskedBy): string {
  const next =
    by.mode === "native" ? readLater(executionId) : `Call ${resumeCall(executionId)} to go on waiting for its result; "cancel" stops it.`
  const recap = recapText(calls, soFarTitles)
  return [
    `${text} ${notAgain(by)} ${next}`,
    ...(recap === "" ? [] : [recap]),
    ...(logs.length === 0 ? [] : [`Logs:\n${logText(logs)}`]),
  ].join("\n\n")
}

/** Where the client asks by itself there is no `resume`. */
const readLater = (executionId: string): string =>
  `Afterwards read the result with execute: return await tools.executor.results.read({ executionId: "${executionId}" })`

function waitingText(waiting: Waiting, by: AskedBy): string {
  const recap = recapText(waiting.calls ?? [], soFarTitles)
  const asked = `The execution waits for the user:\n${questionsText(waiting, pageOf(waiting, by))}`
  return [...(recap === "" ? [] : [recap]), asked, nextStep(waiting, by)].join("\n\n")
}

/** For whoever has waited for an answer to what they know already. */
export function withReminder(reply: ExecutionReply, by: AskedBy): ExecutionReply {
  const { structured } = reply
  if (structured.status !== "waiting_for_interaction") return withNextStep(reply, by)
  const others = othersOf(structured.interactions)
  const count = structured.interactions.length + (structured.more ?? 0)
  const asked = count === 1 ? "the same question" : `the same ${count} questions`
  // A server inside an agent's program ends with it; what waits is kept for days.
  const later =
    structured.approvalUrl === null
      ? ""
      : ` Should the link not answer, the user starts Executor with \`${by.command} serve\`, or answers with \`${by.command} approvals list\`.`
  const text = `Not answered yet: the execution still waits for the user with ${asked}. ${others === null ? "Remind them to answer" : `It needs ${others}: the user can remind them to answer`} ${pageOf(structured, by)}, then call ${resumeCall(reply.executionId)} again; do not ${by.again ?? "run the code"} again.${later}`
  return { ...reply, text }
}

const pageOf = ({ approvalUrl }: Waiting, { command }: AskedBy): string =>
  approvalUrl === null ? `with \`${command} approvals\`` : `at ${approvalUrl}`

function nextStep(waiting: Waiting, by: AskedBy): string {
  const { executionId } = waiting
  const { mode } = by
  const page = pageOf(waiting, by)
  const resume = resumeCall(executionId)
  const others = othersOf(waiting.interactions)
  if (others !== null) {
    const later = mode === "native" ? readLater(executionId) : `Then call ${resume}: it waits for the answer.`
    return `The user cannot approve this: it needs ${others}. Tell the user to ask them; they answer ${page}. ${later} ${notAgain(by)}`
  }
  switch (mode) {
    case "browser":
      return `Only the user can approve. Ask them to answer ${page}, then call ${resume}: it waits for the answer and gives the result. ${notAgain(by)}`
    case "model":
      return `Show this to the user and ask whether to go on. Pass on what they say: ${resume}, or "decline". They can also answer ${page}.`
    case "native":
      return `The user can answer ${page}. ${readLater(executionId)}`
  }
}
