// Builds the reply about an execution from its rows alone, so that every node gives the same one.
import { programText } from "../programs/program-text.ts"
import { executorCommand } from "../../io/executor-command.ts"
import type { CallView, ExecutionReply, ExecutionSummary, ExecutionView, RunError, StructuredOutcome } from "../../core/execution.ts"
import type { ResultText } from "../../core/executor-api.ts"
import type { Limits } from "../../core/limits.ts"
import { logText, logsWithin } from "../../core/text/logs.ts"
import { othersOf } from "../../core/text/others.ts"
import { questionsText } from "../../core/text/questions.ts"
import { failedTitles, recapText, soFarTitles } from "../../core/text/recap.ts"
import { cutResult, outlineOf, readOn } from "../../core/text/result-outline.ts"
import type { ApprovalRow, CallRow, ExecutionHead, ExecutionRow } from "../../store/execution-store.ts"
import { viewInteraction } from "../approvals/row.ts"
import { recapCalls } from "./call-recap.ts"
import { viewCall, withChildren } from "./call-view.ts"
import { readLogs } from "../programs/tool-logs.ts"
import { viewCaller } from "../audit/token-names.ts"

type AgentFacts = Pick<Extract<StructuredOutcome, { status: "completed" }>, "toolOutputs" | "context" | "state" | "usage">

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
  { names, runIds }: ViewNames,
  parts: ReplyParts,
): ExecutionView => ({
  ...toReply(row, approvals, parts),
  ...describeRow(row, names),
  calls: viewCalls(calls, approvals, runIds, parts.limits),
})

/** `names`: of tokens, by id. `runIds`: of the runs that its calls started, by their keys. */
type ViewNames = { readonly names: ReadonlyMap<string, string>; readonly runIds: ReadonlyMap<string, string> }

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

export function viewCalls(
  calls: readonly CallRow[],
  approvals: readonly ApprovalRow[],
  runIds: ReadonlyMap<string, string>,
  limits: Limits,
): CallView[] {
  const asked = new Map(approvals.map((approval) => [approval.id, approval]))
  const argsOf = boundedArgs(limits)
  return withChildren(calls).map((row) => {
    const approval = asked.get(row.approvalId ?? "")
    const answered =
      approval === undefined ? {} : { approval: { approvalId: approval.id, answer: approval.status, by: approval.answeredBy } }
    return { ...viewCall({ ...row, argsJson: "" }, runIds.get(row.key)), args: argsOf(row.argsJson, row.approvalId), ...answered }
  })
}

/** A list shows the beginning of the code: a page of whole ones could be hundreds of megabytes. */
export function toSummary(row: ExecutionHead, names: ReadonlyMap<string, string>, callCount: number): ExecutionSummary {
  const described = describeRow(row, names)
  const { code } = described
  const shown = code.length > summaryCodeChars ? `${code.slice(0, summaryCodeChars)}…` : code
  return { executionId: row.id, status: row.status, ...described, code: shown, callCount }
}

const summaryCodeChars = 1000

const describeRow = (row: ExecutionHead, names: ReadonlyMap<string, string>) => ({
  code: programText(row),
  mode: row.mode,
  program: row.program,
  principal: viewCaller(row, names),
  ...(row.replayOf === null ? {} : { replayOf: row.replayOf }),
  ...(row.parentId === null ? {} : { parentId: row.parentId }),
  ...(row.rootId === null ? {} : { rootId: row.rootId }),
  createdAt: row.createdAt,
  endedAt: row.endedAt,
})

function toStructured(
  row: ExecutionRow,
  approvals: readonly ApprovalRow[],
  calls: readonly CallRow[],
  parts: ReplyParts,
): StructuredOutcome {
  const logs = readLogs(row.logs)
  const emitted = JSON.parse(row.emitted) as unknown[] // written by a run
  if (row.status === "paused") {
    const recaps = recapCalls(calls, "not_yet").filter(({ effect }) => effect !== "read")
    const argsOf = boundedArgs(parts.limits)
    const interactions = approvals
      .filter((approval) => approval.status === "pending")
      .map((approval) => ({ ...viewInteraction({ ...approval, argsJson: "null" }), args: argsOf(approval.argsJson, approval.id) }))
    return {
      status: "waiting_for_interaction",
      executionId: row.id,
      interactions,
      approvalUrl: parts.approvalUrl(row.rootId ?? row.id),
      expiresAt: row.expiresAt ?? "",
      logs,
      emitted,
      ...(recaps.length === 0 ? {} : { calls: recaps }),
    }
  }
  const error = row.error === null ? {} : { error: JSON.parse(row.error) as RunError } // written by a run
  const result = boundedResult(row, parts.limits)
  if (row.program === "code") return { status: row.status, result, logs, emitted, ...error }
  // An agent's loop emits once, when it ends: what it has to say of itself.
  return { status: row.status, result, logs, emitted: [], ...(emitted[0] as AgentFacts | undefined), ...error }
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
  const cutHead = (room: number): string =>
    head.length <= room ? head : structured.status === "completed" ? cutResultText(head, row, structured.result, limits) : cut(head, room)
  const { logs } = structured
  if (logs.length === 0) return cutHead(charsMax)
  const titled = `Logs:\n${logText(logsWithin(logs, Math.max(Math.floor(charsMax / 3), charsMax - head.length - gap.length) - logsMargin))}`
  return `${cutHead(charsMax - titled.length - gap.length)}${gap}${titled}`
}

const gap = "\n\n"
/** For the title. */
const logsMargin = 10

/** What it is and how to get at it comes first: whoever reads the beginning has seen what matters. */
function cutResultText(text: string, row: ExecutionRow, result: unknown, limits: Limits): string {
  const isRead = row.result !== null && row.result.length <= limits.resultStructuredBytesMax
  const shape = isRead && typeof result !== "string" ? `${outlineOf(result)}, ` : ""
  const kept = wholeChars(text, Math.min(cutResultChars, Math.floor(limits.resultTextCharsMax / 3)))
  return `The result is too long to show: ${shape}${text.length} characters. Return less of it, or read on: ${readOn(row.id, kept)}\nIt begins:\n${text.slice(0, kept)}`
}

const cutResultChars = 4000

function cut(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const kept = wholeChars(text, Math.max(0, charsMax - noteChars))
  return `${text.slice(0, kept)}\n… ${text.length - kept} more characters are not shown`
}

const noteChars = 60

/** A character of two units is not cut in half. */
const wholeChars = (text: string, length: number): number => (/[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length)

function headline(row: ExecutionRow, structured: StructuredOutcome, limits: Limits): string {
  if (structured.status === "waiting_for_interaction") return waitingText(structured)
  if (structured.error !== undefined) return errorText(structured.error)
  if (structured.status === "running") return `Execution ${row.id} is still running.`
  if (row.result === null) return "Done. The code returned nothing."
  return pieceText(row.code, structured.result, limits) ?? textOfResult(row.result)
}

/** A piece of another result, returned as it was read, is shown without quotes and escapes. */
function pieceText(code: string, result: unknown, { resultTextCharsMax }: Limits): string | null {
  if (typeof result !== "object" || result === null || Object.keys(result).join() !== "text,nextOffset,total") return null
  const { text, nextOffset, total } = result as ResultText // the keys of one, whose types are checked here
  if (typeof text !== "string" || (nextOffset !== null && typeof nextOffset !== "number") || typeof total !== "number") return null
  const [id] = /\bexe_\w+/.exec(code) ?? []
  const next = id === undefined ? `offset: ${nextOffset}` : readOn(id, nextOffset ?? 0)
  const said = `${text}\n${nextOffset === null ? "[the end of the result]" : `[up to ${nextOffset} of ${total} characters; read on: ${next}]`}`
  return said.length <= resultTextCharsMax ? said : null
}

function errorText(error: RunError): string {
  const where = error.line === undefined ? "" : ` (line ${error.line}${error.column === undefined ? "" : `, column ${error.column}`})`
  const recap = recapText(error.calls ?? [], failedTitles)
  return `${error.name}: ${error.message}${where}${recap === "" ? "" : `\n${recap}`}`
}

type Waiting = Extract<StructuredOutcome, { status: "waiting_for_interaction" }>

function waitingText(waiting: Waiting): string {
  const recap = recapText(waiting.calls ?? [], soFarTitles)
  const whole = waiting.approvalUrl === null ? `by ${executorCommand} approvals show` : "there"
  return `${recap === "" ? "" : `${recap}\n`}Execution ${waiting.executionId} is waiting for a human:\n${questionsText(waiting, whole)}\n${whereText(waiting)}`
}

function whereText({ approvalUrl, executionId, interactions }: Waiting): string {
  const others = othersOf(interactions)
  if (others === null && approvalUrl === null) return `Answer with: ${executorCommand} resume --execution-id ${executionId}`
  if (others === null) return `A human can answer at ${approvalUrl}`
  const where = approvalUrl === null ? `with ${executorCommand} approvals list` : `at ${approvalUrl}`
  return `It needs ${others}, who can answer ${where}. The execution then goes on by itself.`
}
