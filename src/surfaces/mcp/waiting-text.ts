// What a model is told about an execution that waits for its human, and what it can do next.
import type { ExecutionReply, Interaction, StructuredOutcome } from "../../core/execution.ts"
import { questionText } from "../../core/question-text.ts"
import { executorCommand } from "../../io/executor-command.ts"
import type { ElicitationMode } from "../../core/token.ts"

type Waiting = Extract<StructuredOutcome, { status: "waiting_for_interaction" }>

const argsCharsMax = 2000
const interactionsMax = 20

/** The reply with words for this mode; one that does not wait is left as it is. */
export function withNextStep(reply: ExecutionReply, mode: ElicitationMode): ExecutionReply {
  const { structured } = reply
  if (structured.status === "running") return { ...reply, text: runningText(reply.executionId, mode) }
  return structured.status === "waiting_for_interaction" ? { ...reply, text: waitingText(structured, mode) } : reply
}

function runningText(executionId: string, mode: ElicitationMode): string {
  const still = `Execution ${executionId} is still running;`
  return mode === "native" ? `${still} ${readLater(executionId)}` : `${still} call resume with it and "accept" to wait for its end.`
}

/** Where the client asks by itself there is no `resume`. */
const readLater = (executionId: string): string =>
  `afterwards read the result with execute: return await tools.executor.results.read({ executionId: "${executionId}" })`

function waitingText(waiting: Waiting, mode: ElicitationMode): string {
  const shown = waiting.interactions.slice(0, interactionsMax).map(describe)
  const hidden = waiting.interactions.length - shown.length
  const asked = [...shown, ...(hidden === 0 ? [] : [`- and ${hidden} more`])].join("\n")
  return `Execution ${waiting.executionId} waits for the user:\n${asked}\n\n${nextStep(waiting, mode)}`
}

function describe(interaction: Interaction): string {
  const { address, args } = interaction
  const text = JSON.stringify(args)
  const bounded = text.length > argsCharsMax ? `${text.slice(0, argsCharsMax)}… (${text.length} characters)` : text
  return `- ${questionText(interaction).replaceAll("\n", "\n  ")}\n  ${address} ${bounded}`
}

function nextStep({ executionId, approvalUrl }: Waiting, mode: ElicitationMode): string {
  const page = approvalUrl === null ? "with `executor approvals`" : `at ${approvalUrl}`
  const resume = `resume({ "executionId": "${executionId}", "action": "accept" })`
  // A server inside an agent's program ends with it; what waits is kept for days.
  const later =
    approvalUrl === null
      ? ""
      : ` Should the link not answer later, the user starts Executor with \`${executorCommand} serve\` and opens it again, or answers with \`${executorCommand} approvals list\`.`
  switch (mode) {
    case "browser":
      return `Only the user can approve this. Ask them to answer ${page} (their browser may show it already), then call ${resume}: it waits for their answer and gives the result. Do not run the code again.${later}`
    case "model":
      return `Show this to the user and ask whether to go on. Pass on what they say: ${resume}, or "decline". They can also answer ${page}.`
    case "native":
      return `The user can answer ${page}; ${readLater(executionId)}`
  }
}
