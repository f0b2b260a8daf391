// What callers are answered about an execution, made of its rows alone, so that every node answers the same.
import { executorCommand } from "../io/executor-command.ts"
import type { CallView, ExecutionReply, ExecutionSummary, ExecutionView, LogLine, RunError, StructuredOutcome } from "../core/execution.ts"
import type { Limits } from "../core/limits.ts"
import { questionText } from "../core/question-text.ts"
import type { ApprovalRow, CallRow, ExecutionHead, ExecutionRow } from "../store/execution-store.ts"
import { viewInteraction } from "./approval-new.ts"
import { viewCall } from "./call-view.ts"
import { viewCaller } from "./token-names.ts"

export type ReplyParts = { readonly limits: Limits; approvalUrl(executionId: string): string | null }

/** `approvals`: those of the execution; what is pending of them is what it waits for. */
export function toReply(row: ExecutionRow, approvals: readonly ApprovalRow[], parts: ReplyParts): ExecutionReply {
  const structured = toStructured(row, approvals, parts)
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
  calls: viewCalls(calls, approvals, parts.limits.pageBytesMax),
})

/** Arguments past what one answer may weigh are named by their size. */
function viewCalls(calls: readonly CallRow[], approvals: readonly ApprovalRow[], bytesMax: number): CallView[] {
  const asked = new Map(approvals.map((approval) => [approval.id, approval]))
  let bytes = 0
  return calls.map((row) => {
    bytes += row.argsJson.length
    const approval = asked.get(row.approvalId ?? "")
    const answered =
      approval === undefined ? {} : { approval: { approvalId: approval.id, answer: approval.status, by: approval.answeredBy } }
    if (bytes <= bytesMax) return { ...viewCall(row), ...answered }
    return { ...viewCall({ ...row, argsJson: "" }), args: { truncated: true, totalChars: row.argsJson.length }, ...answered }
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

function toStructured(row: ExecutionRow, approvals: readonly ApprovalRow[], parts: ReplyParts): StructuredOutcome {
  const logs = JSON.parse(row.logs) as LogLine[] // written by a run
  const emitted = JSON.parse(row.emitted) as unknown[] // written by a run
  if (row.status === "paused") {
    const interactions = approvals.filter((approval) => approval.status === "pending").map(viewInteraction)
    return {
      status: "waiting_for_interaction",
      executionId: row.id,
      interactions,
      approvalUrl: parts.approvalUrl(row.id),
      expiresAt: row.expiresAt ?? "",
      logs,
      emitted,
    }
  }
  const error = row.error === null ? {} : { error: JSON.parse(row.error) as RunError } // written by a run
  return { status: row.status, result: boundedResult(row, parts.limits), logs, emitted, ...error }
}

/** What is too big to return is read in pieces; the beginning is shown. */
function boundedResult(row: ExecutionRow, limits: Limits): unknown {
  if (row.result === null) return null
  if (row.result.length <= limits.resultStructuredBytesMax) return JSON.parse(row.result) as unknown
  return {
    truncated: true,
    totalChars: row.result.length,
    beginning: row.result.slice(0, 1000),
    readMore: `executor.results.read({ executionId: "${row.id}", offset: 0 })`,
  }
}

/** Logs get at most a third of the text beside a long result, and whatever it leaves beside a short one. */
function toText(row: ExecutionRow, structured: StructuredOutcome, limits: Limits): string {
  const charsMax = limits.resultTextCharsMax
  const head = headline(row, structured, limits)
  const logs = structured.logs.map((line) => (line.level === "log" ? line.text : `[${line.level}] ${line.text}`)).join("\n")
  if (logs === "") return cut(head, charsMax, resultNote(row))
  const titled = cut(`Logs:\n${logs}`, Math.max(Math.floor(charsMax / 3), charsMax - head.length - gap.length), logsNote(row))
  return `${cut(head, charsMax - titled.length - gap.length, resultNote(row))}${gap}${titled}`
}

const gap = "\n\n"

const resultNote = (row: ExecutionRow) => (more: number) =>
  `\n… ${more} more characters; the whole result is read in pieces with tools.executor.results.read({ executionId: "${row.id}", offset: 0 })`
const logsNote = (row: ExecutionRow) => (more: number) => `\n… ${more} more characters of logs; GET /executions/${row.id} has them`

function cut(text: string, charsMax: number, noteOf: (more: number) => string): string {
  if (text.length <= charsMax) return text
  const kept = Math.max(0, charsMax - noteOf(text.length).length)
  return text.slice(0, kept) + noteOf(text.length - kept)
}

function headline(row: ExecutionRow, structured: StructuredOutcome, limits: Limits): string {
  if (structured.status === "waiting_for_interaction") return waitingText(structured)
  if (structured.error !== undefined) return errorText(structured.error)
  if (structured.status === "running") return `Execution ${row.id} is running.`
  if (row.result === null) return "Done; nothing was returned."
  // Nobody reads the whole of a large one here, and reading it would hold up everybody else.
  if (row.result.length > limits.resultStructuredBytesMax) return row.result
  const result: unknown = JSON.parse(row.result)
  return typeof result === "string" ? result : JSON.stringify(result, null, 2)
}

function errorText(error: RunError): string {
  const where = error.line === undefined ? "" : ` (line ${error.line}${error.column === undefined ? "" : `, column ${error.column}`})`
  return `${error.name}: ${error.message}${where}`
}

function waitingText(waiting: Extract<StructuredOutcome, { status: "waiting_for_interaction" }>): string {
  const asked = waiting.interactions
    .map((one) => `- ${questionText(one).replaceAll("\n", "\n  ")}\n  ${one.address} ${JSON.stringify(one.args)}`)
    .join("\n")
  const where =
    waiting.approvalUrl === null
      ? `Answer with: ${executorCommand} resume --execution-id ${waiting.executionId}`
      : `A human can answer at ${waiting.approvalUrl}`
  return `Execution ${waiting.executionId} waits for a human:\n${asked}\n${where}`
}
