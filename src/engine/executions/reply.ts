// Builds the reply about an execution from its rows alone, so that every node gives the same one.
import { executorCommand } from "../../io/executor-command.ts"
import type {
  CallView,
  ExecutionReply,
  ExecutionSummary,
  ExecutionView,
  LogLine,
  RunError,
  StructuredOutcome,
} from "../../core/execution.ts"
import type { ResultPiece } from "../../core/executor-api.ts"
import type { Limits } from "../../core/limits.ts"
import { logText } from "../../core/text/logs.ts"
import { questionsText } from "../../core/text/questions.ts"
import { failedTitles, recapText, soFarTitles } from "../../core/text/recap.ts"
import { cutResult, outlineOf, readOn } from "../../core/text/result-outline.ts"
import type { ApprovalRow, CallRow, ExecutionHead, ExecutionRow } from "../../store/execution-store.ts"
import { viewInteraction } from "../approvals/row.ts"
import { recapCalls } from "./call-recap.ts"
import { viewCall } from "./call-view.ts"
import { viewCaller } from "../audit/token-names.ts"

export type ReplyParts = { readonly limits: Limits; approvalUrl(executionId: string): string | null }

/** `approvals`: those of the execution; what is pending of them is what it waits for. `calls`: what it did before it paused again. */
export function toReply(
  row: ExecutionRow,
  approvals: readonly ApprovalRow[],
  parts: ReplyParts,
  calls: readonly CallRow[] = [],
): ExecutionReply {
  const structured = toStructured(row, approvals, calls, parts)
  return {
    executionId: row.id,
    status: row.status,
    text: toText(row, structured, parts.limits),
    structured,
    isError: row.status === "failed" || row.status === "cancelled",
  }
}

export const toView = (
  row: ExecutionRow,
  approvals: readonly ApprovalRow[],
  calls: readonly CallRow[],
  names: ReadonlyMap<string, string>,
  parts: ReplyParts,
): ExecutionView => ({
  ...toReply(row, approvals, parts),
  ...describeRow(row, names),
  calls: viewCalls(calls, approvals, parts.limits),
})

/** Arguments past what one answer may weigh are shown by their beginning. */
function boundedArgs(limits: Limits): (argsJson: string, approvalId: string | null) => unknown {
  const charsMax = Math.min(limits.argsShownCharsMax, limits.pageBytesMax)
  let chars = 0
  return (argsJson, approvalId) => {
    chars += argsJson.length
    if (chars <= charsMax) return JSON.parse(argsJson === "" ? "null" : argsJson) as unknown
    const readMore = approvalId === null ? {} : { readMore: `GET /approvals/${approvalId}` }
    return { truncated: true, totalChars: argsJson.length, beginning: argsJson.slice(0, beginningChars), ...readMore }
  }
}

const beginningChars = 1000

function viewCalls(calls: readonly CallRow[], approvals: readonly ApprovalRow[], limits: Limits): CallView[] {
  const asked = new Map(approvals.map((approval) => [approval.id, approval]))
  const argsOf = boundedArgs(limits)
  return calls.map((row) => {
    const approval = asked.get(row.approvalId ?? "")
    const answered =
      approval === undefined ? {} : { approval: { approvalId: approval.id, answer: approval.status, by: approval.answeredBy } }
    return { ...viewCall({ ...row, argsJson: "" }), args: argsOf(row.argsJson, row.approvalId), ...answered }
  })
}

/** A list shows the beginning of the code: a page of whole ones could be hundreds of megabytes. */
export const toSummary = (row: ExecutionHead, names: ReadonlyMap<string, string>): ExecutionSummary => ({
  executionId: row.id,
  status: row.status,
  ...describeRow(row, names),
  code: row.code.length > summaryCodeChars ? `${row.code.slice(0, summaryCodeChars)}…` : row.code,
})

const summaryCodeChars = 1000

const describeRow = (row: ExecutionHead, names: ReadonlyMap<string, string>) => ({
  code: row.code,
  principal: viewCaller(row, names),
  createdAt: row.createdAt,
  endedAt: row.endedAt,
})

function toStructured(
  row: ExecutionRow,
  approvals: readonly ApprovalRow[],
  calls: readonly CallRow[],
  parts: ReplyParts,
): StructuredOutcome {
  const logs = JSON.parse(row.logs) as LogLine[] // written by a run
  const emitted = JSON.parse(row.emitted) as unknown[] // written by a run
  if (row.status === "paused") {
    const recaps = recapCalls(calls, "by_itself").filter(({ effect }) => effect !== "read")
    const argsOf = boundedArgs(parts.limits)
    const interactions = approvals
      .filter((approval) => approval.status === "pending")
      .map((approval) => ({ ...viewInteraction({ ...approval, argsJson: "null" }), args: argsOf(approval.argsJson, approval.id) }))
    return {
      status: "waiting_for_interaction",
      executionId: row.id,
      interactions,
      approvalUrl: parts.approvalUrl(row.id),
      expiresAt: row.expiresAt ?? "",
      logs,
      emitted,
      ...(recaps.length === 0 ? {} : { calls: recaps }),
    }
  }
  const error = row.error === null ? {} : { error: JSON.parse(row.error) as RunError } // written by a run
  return { status: row.status, result: boundedResult(row, parts.limits), logs, emitted, ...error }
}

/** What is too big to return is read in pieces; the beginning is shown. */
function boundedResult(row: ExecutionRow, limits: Limits): unknown {
  if (row.result === null) return null
  if (row.result.length <= limits.resultStructuredBytesMax) return JSON.parse(row.result) as unknown
  return cutResult(row.id, textOfResult(row.result), null)
}

/** What is shown of a result, and what is counted when it is read in pieces: a text as it is, anything else as its JSON. */
export const textOfResult = (result: string): string => (result.startsWith('"') ? (JSON.parse(result) as string) : result) // JSON that begins so is a text

/** Logs get at most a third of the text beside a long result, and whatever it leaves beside a short one. */
function toText(row: ExecutionRow, structured: StructuredOutcome, limits: Limits): string {
  const charsMax = limits.resultTextCharsMax
  const head = headline(row, structured, limits)
  const noteOf = structured.status === "completed" ? resultNote(row, structured.result, limits) : cutNote
  const logs = logText(structured.logs)
  if (logs === "") return cut(head, charsMax, noteOf)
  const titled = cut(`Logs:\n${logs}`, Math.max(Math.floor(charsMax / 3), charsMax - head.length - gap.length), cutNote)
  return `${cut(head, charsMax - titled.length - gap.length, noteOf)}${gap}${titled}`
}

const gap = "\n\n"

type NoteOf = (kept: number, total: number) => string

const cutNote: NoteOf = (kept, total) => `\n… ${total - kept} more characters are not shown`

const resultNote =
  (row: ExecutionRow, result: unknown, limits: Limits): NoteOf =>
  (kept, total) => {
    const isRead = row.result !== null && row.result.length <= limits.resultStructuredBytesMax
    const shape = isRead ? `The result is ${outlineOf(result)}, ` : "The result has "
    return `\n… ${total - kept} more characters. ${shape}${total} characters in all. Return less of it, or read on: ${readOn(row.id, kept)}`
  }

/** A character of two units is not cut in half. */
function cut(text: string, charsMax: number, noteOf: NoteOf): string {
  if (text.length <= charsMax) return text
  const room = Math.max(0, charsMax - noteOf(text.length, text.length).length - offsetDigits)
  const kept = /[\ud800-\udbff]/.test(text.charAt(room - 1)) ? room - 1 : room
  return text.slice(0, kept) + noteOf(kept, text.length)
}

/** The note's own numbers may be longer than those it was measured with. */
const offsetDigits = 10

function headline(row: ExecutionRow, structured: StructuredOutcome, limits: Limits): string {
  if (structured.status === "waiting_for_interaction") return waitingText(structured)
  if (structured.error !== undefined) return errorText(structured.error)
  if (structured.status === "running") return `Execution ${row.id} is running.`
  if (row.result === null) return "Done. The code returned nothing."
  return pieceText(structured.result, limits) ?? textOfResult(row.result)
}

/** A piece of another result, returned as it was read, is shown without quotes and escapes. */
function pieceText(result: unknown, { resultTextCharsMax }: Limits): string | null {
  if (typeof result !== "object" || result === null || Object.keys(result).join() !== "text,nextOffset") return null
  const { text, nextOffset } = result as ResultPiece // the two keys of one, whose types are checked here
  if (typeof text !== "string" || (nextOffset !== null && typeof nextOffset !== "number")) return null
  const said = `${text}\n${nextOffset === null ? "[the end of the result]" : `[nextOffset: ${nextOffset}]`}`
  return said.length <= resultTextCharsMax ? said : null
}

function errorText(error: RunError): string {
  const where = error.line === undefined ? "" : ` (line ${error.line}${error.column === undefined ? "" : `, column ${error.column}`})`
  const recap = recapText(error.calls ?? [], failedTitles)
  return `${error.name}: ${error.message}${where}${recap === "" ? "" : `\n${recap}`}`
}

function waitingText(waiting: Extract<StructuredOutcome, { status: "waiting_for_interaction" }>): string {
  const where =
    waiting.approvalUrl === null
      ? `Answer with: ${executorCommand} resume --execution-id ${waiting.executionId}`
      : `A human can answer at ${waiting.approvalUrl}`
  const recap = recapText(waiting.calls ?? [], soFarTitles)
  const whole = waiting.approvalUrl === null ? `by ${executorCommand} approvals show` : "there"
  return `${recap === "" ? "" : `${recap}\n`}Execution ${waiting.executionId} is waiting for a human:\n${questionsText(waiting, whole)}\n${where}`
}
