// Prints what an execution came to: its result, what it waits for, or why it failed.
import { executorCommand } from "../../io/executor-command.ts"
import type { AnswerAction, ExecutionReply, Interaction, StructuredOutcome } from "../../core/execution.ts"
import { withoutRoot } from "../../core/address.ts"
import { questionText } from "../../core/question-text.ts"
import { recapText } from "../../core/recap-text.ts"
import type { ToolResult } from "../../core/result.ts"
import { isEnvelope } from "../client/call-code.ts"
import type { ExecutorDesk } from "./command-action.ts"
import { describeError } from "./error-print.ts"
import { exitCodeOfCode, exitCodes } from "./exit-code.ts"
import type { ExitCode } from "./exit-code.ts"
import { contentExample, fieldLines, formFields } from "./form-fields.ts"
import { readWholeResult } from "../client/result-read.ts"
import { writeResult } from "./result-write.ts"
import type { Screen } from "./screen.ts"
import { safeJson, safeLine, safeText } from "./text-safe.ts"

type Waiting = Extract<StructuredOutcome, { status: "waiting_for_interaction" }>

export type ReplyForm = {
  /** `call`: the result is one tool's answer, of which the data is shown. */
  readonly of: "call" | "code"
  /** What was answered just now, by whoever reads this. */
  readonly answered?: AnswerAction
  /** A file to write the result to. */
  readonly output?: string
}

export async function printReply(reply: ExecutionReply, form: ReplyForm, desk: ExecutorDesk): Promise<ExitCode> {
  const { structured } = reply
  if (desk.printsJson) desk.screen.data(safeJson(reply, 2))
  if (structured.status === "waiting_for_interaction") {
    printBeside(structured, desk)
    desk.screen.note(waitingText(structured, desk.screen))
    return exitCodes.paused
  }
  if (!desk.printsJson) printBeside(structured, desk)
  if (structured.error !== undefined) {
    const { name, message, line, calls = [] } = structured.error
    desk.screen.note(describeError({ message: `${name}: ${message}${line === undefined ? "" : ` (line ${line})`}` }, desk.screen))
    const recap = recapText(calls, "Already done, do not repeat")
    if (recap !== "") desk.screen.note(safeText(recap))
    return exitCodes.failed
  }
  if (structured.status === "running") {
    desk.screen.note(`Execution ${reply.executionId} is still running; see ${executorCommand} executions show ${reply.executionId}`)
    return exitCodes.done
  }
  const result = await readWholeResult(reply, desk.api)
  if (form.of === "call" && isEnvelope(result)) return printAnswer(result, form, desk)
  if (!desk.printsJson || form.output !== undefined) writeResult(result, form.output, desk)
  return exitCodes.done
}

function printAnswer(result: ToolResult, form: ReplyForm, desk: ExecutorDesk): ExitCode {
  const refusal = result.ok || form.answered === undefined ? undefined : refusals[result.error.code]
  // That it was refused is what was asked for; the message of the error is for the code's author.
  if (refusal !== undefined && refusal.action === form.answered) {
    desk.screen.note(refusal.text)
    return exitCodes.done
  }
  if (!result.ok) {
    desk.screen.note(describeError(result.error, desk.screen))
    return exitCodeOfCode(result.error.code)
  }
  if (!desk.printsJson || form.output !== undefined) writeResult(result.data, form.output, desk)
  return exitCodes.done
}

const refusals: Readonly<Record<string, { readonly action: AnswerAction; readonly text: string }>> = {
  approval_declined: { action: "decline", text: "The call was declined" },
  approval_cancelled: { action: "cancel", text: "The call was cancelled" },
}

/** What the code said while it ran. */
function printBeside(structured: StructuredOutcome, { screen, printsJson }: ExecutorDesk): void {
  if (printsJson) return
  for (const { level, text } of structured.logs)
    screen.note(level === "log" ? safeText(text) : `${screen.err.dim(`[${safeLine(level)}]`)} ${safeText(text)}`)
  for (const value of structured.emitted) screen.note(typeof value === "string" ? safeText(value) : safeJson(value, 2))
}

function waitingText(waiting: Waiting, screen: Screen): string {
  const { executionId, interactions, approvalUrl } = waiting
  const resume = `${executorCommand} resume --execution-id ${safeLine(executionId)}`
  return [
    screen.err.yellow(`Execution ${safeLine(executionId)} is waiting for a human until ${waiting.expiresAt}:`),
    ...interactions.map((one) => interactionText(one)),
    ...(approvalUrl === null ? ["To answer, run:"] : [`Answer at ${safeLine(approvalUrl)}, or run:`]),
    `  ${resume} --action accept ${contentExample(interactions)}`.trimEnd(),
  ].join("\n")
}

/** Whole, because it is what somebody agrees to. */
export function interactionText(interaction: Interaction): string {
  const { kind, address, args } = interaction
  const asked = [
    `  ${withoutRoot(safeLine(address))} ${safeJson(args)}`,
    `  ${safeText(questionText(interaction)).replaceAll("\n", "\n  ")}`,
  ]
  if (kind === "form") asked.push("  The form asks for:", ...fieldLines(formFields(interaction)).map((line) => `    ${line}`))
  return asked.join("\n")
}
