// Prints what an execution came to: its result, what it waits for, or why it failed.
import { executorCommand } from "../../../io/executor-command.ts"
import type { AnswerAction, ExecutionReply, Interaction, StructuredOutcome } from "../../../core/execution.ts"
import { isOwner, withoutRoot } from "../../../core/address.ts"
import { agentText, questionText } from "../../../core/text/question.ts"
import { othersOf } from "../../../core/text/others.ts"
import { failedTitles, recapText } from "../../../core/text/recap.ts"
import { registrySlug } from "../../../core/registry/tool.ts"
import type { ToolFailure, ToolResult } from "../../../core/result.ts"
import { isEnvelope } from "../../../core/call/code.ts"
import type { ExecutorCommandContext } from "../command-action.ts"
import { describeError } from "./error.ts"
import { exitCodeOfCode, exitCodes } from "../exit-code.ts"
import type { ExitCode } from "../exit-code.ts"
import { contentExample, fieldLines, formFields } from "../prompt/form-fields.ts"
import { shortTime } from "./page.ts"
import { readWholeResult } from "../../../core/call/whole-result.ts"
import { isAgentToken } from "../server/open-executor.ts"
import { writeResult } from "./result.ts"
import type { Screen } from "./screen.ts"
import { commandsFor } from "../registry/command-words.ts"
import { safeJson, safeLine, safeText } from "../../../core/text/safe.ts"

type Waiting = Extract<StructuredOutcome, { status: "waiting_for_interaction" }>

export type ReplyForm = {
  /** `call`: the result is one tool's answer, of which the data is shown. */
  readonly of: "call" | "code"
  /** What was answered just now, by whoever reads this. */
  readonly answered?: AnswerAction
  /** Whoever reads this asked for the call: a refusal is not what they wanted, even if they said it themselves. */
  readonly isRequester?: boolean
  /** The questions were shown a moment ago, and left open. */
  readonly isLeft?: boolean
  /** A file to write the result to. */
  readonly output?: string
}

export async function printReply(reply: ExecutionReply, form: ReplyForm, context: ExecutorCommandContext): Promise<ExitCode> {
  const { structured } = reply
  const refused = refusedCall(reply, form)
  if (context.printsJson) context.screen.data(safeJson(refused === null ? reply : { error: refused, executionId: reply.executionId }, 2))
  if (structured.status === "waiting_for_interaction") {
    printBeside(structured, context)
    const shown = form.isLeft === true ? [] : structured.interactions
    context.screen.note(waitingText(structured, shown, await othersThanReader(structured, context), context.screen))
    return exitCodes.paused
  }
  if (!context.printsJson) printBeside(structured, context)
  if (structured.error !== undefined) {
    if (form.answered !== undefined && refusals[structured.error.toolError?.code ?? ""] === form.answered)
      return printStopped(reply, form, context)
    const { name, code, line, calls = [] } = structured.error
    const message = code === "model_error" ? commandsFor(structured.error.message) : structured.error.message
    context.screen.note(describeError({ message: `${name}: ${message}${line === undefined ? "" : ` (line ${line})`}` }, context.screen))
    const recap = recapText(calls, failedTitles)
    if (recap !== "") context.screen.note(safeText(recap))
    if (structured.error.toolError?.status === unauthorized) await printCredentialHint(reply, context)
    return exitCodes.failed
  }
  if (structured.status === "running") {
    context.screen.note(`Execution ${reply.executionId} is still running; see ${executorCommand} executions show ${reply.executionId}`)
    return exitCodes.done
  }
  if (context.printsJson && refused !== null) return exitCodeOfCode(refused.code)
  const result = await readWholeResult(reply, context.api)
  if (form.of === "call" && isEnvelope(result)) return printAnswer(result, reply, form, context)
  if (!context.printsJson || form.output !== undefined) writeResult(result, form.output, context)
  return exitCodes.done
}

/** The error of a call that failed, which machines read where they read every other error. */
function refusedCall({ structured }: ExecutionReply, { of, answered }: ReplyForm): ToolFailure["error"] | null {
  const result = of === "call" && structured.status === "completed" ? structured.result : null
  return isEnvelope(result) && !result.ok && (answered === undefined || refusals[result.error.code] !== answered) ? result.error : null
}

/** Whoever refused a call asked for it; the error that it meant to the code is for the code's author. */
function printStopped(
  { executionId, structured }: ExecutionReply,
  { answered }: ReplyForm,
  { screen, printsJson }: ExecutorCommandContext,
): ExitCode {
  if (printsJson || structured.status === "waiting_for_interaction") return exitCodes.done
  const { line, calls = [] } = structured.error ?? {}
  const where = line === undefined ? "" : ` at line ${line}`
  screen.note(
    `The code of ${safeLine(executionId)} stopped${where}, because the call was ${answered === "cancel" ? "cancelled" : "declined"}`,
  )
  const recap = recapText(calls, { ...failedTitles, done: "Already done" })
  if (recap !== "") screen.note(safeText(recap))
  return exitCodes.done
}

async function printAnswer(result: ToolResult, reply: ExecutionReply, form: ReplyForm, context: ExecutorCommandContext): Promise<ExitCode> {
  // That it was refused is said already; the message of the error is for the code's author.
  if (!result.ok && form.answered !== undefined && refusals[result.error.code] === form.answered)
    return form.isRequester === true ? exitCodes.denied : exitCodes.done
  if (result.notice !== undefined) context.screen.note(safeText(result.notice.message))
  if (!result.ok) {
    context.screen.note(describeError(result.error, context.screen))
    if (result.error.status === unauthorized) await printCredentialHint(reply, context)
    return exitCodeOfCode(result.error.code)
  }
  if (!context.printsJson || form.output !== undefined) writeResult(result.data, form.output, context)
  return exitCodes.done
}

const unauthorized = 401

/** Upstreams say "bad key" and no more; whose key it is and how to replace it is ours to say. */
async function printCredentialHint({ executionId }: ExecutionReply, { api, screen }: ExecutorCommandContext): Promise<void> {
  const { calls } = await api.executions.get(executionId)
  const [slug, owner = "", name, ...tool] = withoutRoot(calls.findLast((call) => call.error !== undefined)?.address ?? "").split(".")
  if (!isOwner(owner)) return
  if (slug === registrySlug) {
    const edit = `${executorCommand} registry edit ${safeLine(tool.join("."))} --header <name>`
    return screen.note(
      `The API answered 401: it does not accept the credential of this tool, or the tool has none. To set it, run: ${edit}, then publish it`,
    )
  }
  const connection = safeLine(`${slug}.${owner}.${name}`)
  screen.note(
    `The API answered 401: it does not accept the credential of the connection ${connection}. To replace it, run: ${executorCommand} connections update ${connection}`,
  )
}

const refusals: Readonly<Record<string, AnswerAction>> = { approval_declined: "decline", approval_cancelled: "cancel" }

/** What the code said while it ran. */
function printBeside(structured: StructuredOutcome, { screen, printsJson }: ExecutorCommandContext): void {
  if (printsJson) return
  for (const { level, text, tool } of structured.logs) {
    const marks = [...(tool === undefined ? [] : [`${safeLine(tool)}:`]), ...(level === "log" ? [] : [`[${safeLine(level)}]`])]
    screen.note(marks.length === 0 ? safeText(text) : `${screen.err.dim(marks.join(" "))} ${safeText(text)}`)
  }
  for (const value of structured.emitted) screen.note(typeof value === "string" ? safeText(value) : safeJson(value, 2))
}

/** Null where the reader may answer: the human who asks may not, but it can be somebody else who reads. */
async function othersThanReader({ executionId, interactions }: Waiting, { api }: ExecutorCommandContext): Promise<string | null> {
  const others = othersOf(interactions)
  if (others === null || isAgent()) return others
  return (await api.approvals.list({ executionId, limit: 1 })).items.length > 0 ? null : others
}

const isAgent = (): boolean => isAgentToken(process.env["EXECUTOR_TOKEN"])

function waitingText(waiting: Waiting, shown: readonly Interaction[], others: string | null, screen: Screen): string {
  const { executionId } = waiting
  return [
    screen.err.yellow(
      `Execution ${safeLine(executionId)} is waiting for a human until ${shortTime(waiting.expiresAt)} UTC${shown.length === 0 ? "." : ":"}`,
    ),
    ...shown.map((one) => interactionText(one)),
    ...(isAgent() ? ["An agent cannot approve calls: EXECUTOR_TOKEN is an agent's token."] : []),
    ...(others === null ? answerLines(waiting) : otherLines(waiting, others)),
  ].join("\n")
}

const answerLines = ({ executionId, interactions, approvalUrl }: Waiting): string[] => [
  approvalUrl === null ? "To answer, run:" : `Answer at ${safeLine(approvalUrl)}, or run:`,
  `  ${executorCommand} resume ${safeLine(executionId)} --action accept ${contentExample(interactions)}`.trimEnd(),
]

/** Whoever answers lets it go on, so that nothing but the result is left for whoever asked. */
const otherLines = ({ executionId, interactions, approvalUrl }: Waiting, others: string): string[] => [
  `You cannot answer this yourself: it needs ${safeLine(others)}. Ask them to ${approvalUrl === null ? "run" : `answer at ${safeLine(approvalUrl)}, or to run`}:`,
  ...(interactions.length === 1
    ? interactions.map((one) => `  ${executorCommand} approvals approve ${safeLine(one.approvalId)} ${contentExample([one])}`.trimEnd())
    : [`  ${executorCommand} approvals list`]),
  "It then goes on by itself. To see the result, run:",
  `  ${executorCommand} executions show ${safeLine(executionId)}`,
]

const effects: Record<Interaction["effect"], string> = {
  read: "It reads",
  write: "It changes data",
  destroy: "It can delete or overwrite data",
}

/** Whole, because it is what somebody agrees to. */
export function interactionText(interaction: Interaction): string {
  const { kind, address, args, request, reason, requestedBy, line, via, agent } = interaction
  const asked = [
    `  ${withoutRoot(safeLine(address))} ${safeJson(args)}`,
    `  ${safeText(questionText(interaction)).replaceAll("\n", "\n  ")}`,
  ]
  const sent = request === undefined ? "" : `: ${safeLine(request.method)} ${safeLine(request.url)}`
  if (kind === "approval")
    asked.push(`  ${interaction.effectAssumed === true ? "Its server does not say what it changes" : effects[interaction.effect]}${sent}`)
  asked.push(
    `  ${safeLine(`Asked by ${requestedBy}${line === undefined ? "" : `, line ${line} of the code`}${agent === undefined ? "" : `, by ${agentText(agent)}`}${via === undefined ? "" : `, through the tool ${via}`}. ${reason}`)}`.trimEnd(),
  )
  if (interaction.answerers !== undefined) asked.push(`  ${safeLine(`It needs ${interaction.answerers}`)}`)
  if (kind === "form") asked.push("  The form asks for:", ...fieldLines(formFields(interaction)).map((field) => `    ${field}`))
  return asked.join("\n")
}
