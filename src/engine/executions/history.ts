// Reads executions, their results and approvals, with access checks.
import { withoutRoot } from "../../core/address.ts"
import { decodeCursor, pageSize, pageWithin, readPage, toPage, viewPage } from "../../core/cursor.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { ApprovalView, ExecutionSummary, ExecutionView } from "../../core/execution.ts"
import type { ApprovalListFilter, ExecutionFilter, ResultPiece, ResultPieceRequest, ResultText } from "../../core/executor-api.ts"
import type { Page, PageRequest } from "../../core/page.ts"
import type { Principal } from "../../core/principal.ts"
import type { ApprovalFilter, ApprovalRow, CallRow, ExecutionHead, ExecutionRow } from "../../store/execution-store.ts"
import { firstShown } from "../../store/all-rows.ts"
import type { After } from "../../store/store.ts"
import { causeNow } from "../approvals/context.ts"
import { viewInteraction } from "../approvals/row.ts"
import { callTimeoutOf } from "../gate/timeout.ts"
import type { EngineParts } from "../engine-parts.ts"
import { askedOf, isAnswerable, cancelHint } from "../approvals/answerers.ts"
import { inboxRows, rowsForOthers } from "../approvals/inbox.ts"
import { approvalsOf, readApproval } from "../approvals/read.ts"
import { whoText } from "../../policy/answerers.ts"
import type { AskedApproval } from "../../policy/answerers.ts"
import { getExecution, ofTenant, visibilityOf } from "../execution-access.ts"
import { inOrderOfTime } from "./call-view.ts"
import { readJournal, runIdsOf } from "./children/scope.ts"
import { programText } from "../programs/program-text.ts"
import { textOfResult, toSummary, toView } from "./reply.ts"
import { viewCaller } from "../audit/token-names.ts"

const pieceDefault = 30_000
const pieceMax = 1_000_000

export async function listExecutions(
  principal: Principal,
  query: ExecutionFilter & PageRequest,
  parts: EngineParts,
): Promise<Page<ExecutionSummary>> {
  const { limit: _limit, cursor: _cursor, query: text, tool, parentId, ...others } = query
  const filter = {
    ...others,
    ...(tool === undefined ? {} : { tool: withoutRoot(tool) }),
    ...(parentId === undefined ? {} : { parent: await parentOf(principal, parentId, parts) }),
  }
  const read = (page: After<string>): Promise<ExecutionHead[]> => parts.executions.executions.list(visibilityOf(principal), filter, page)
  const list = text === undefined || text === "" ? read : (page: After<string>) => firstShown(page, read, ({ id }) => id, thoseWith(text))
  const page = await readPage(query, parts.limits, list, ({ id }) => id)
  const names = await namesOf(principal, page.items, parts)
  const counts = await parts.executions.journal.count(
    principal.tenant,
    page.items.map(({ id }) => id),
  )
  return viewPage(page, (row) => toSummary(row, names, counts.get(row.id) ?? 0))
}

const parentOf = async (principal: Principal, id: string, parts: EngineParts): Promise<"any" | ExecutionRow> =>
  id === "any" ? id : getExecution(principal, id, parts)

/** Stored code is compressed, so that it is looked through here. */
const thoseWith = (text: string) => (rows: readonly ExecutionHead[]) => {
  const wanted = text.toLowerCase()
  return rows.filter((row) => row.id.includes(wanted) || programText(row).toLowerCase().includes(wanted))
}

export async function showExecution(principal: Principal, id: string, parts: EngineParts): Promise<ExecutionView> {
  const row = await getExecution(principal, id, parts)
  const { calls: recorded, events } = await readJournal(row, parts)
  const calls = inOrderOfTime(recorded, events)
  if (row.status === "paused") await parts.shownPauses.record(principal, row, null)
  const nowMs = parts.clock.now().getTime()
  const shown = calls.map((call) => (isAbandoned(call, row, nowMs - callTimeoutOf(row, parts.limits)) ? { ...call, ...abandoned } : call))
  const runIds = await runIdsOf(row, recorded, parts)
  const names = await namesOf(principal, [row], parts)
  const view = toView(row, await approvalsOf(row, parts), shown, { names, runIds }, parts)
  if (row.status !== "paused" || (await parts.access.of(row)) !== null) return view
  // The last line says where to answer, which nobody can.
  return { ...view, text: view.text.replace(/[^\n]*$/, () => `It needs ${onlyCancelled(row.user, row.id)}`) }
}

/** Reads on after "it needs". */
const onlyCancelled = (user: string, executionId: string | null): string =>
  `to be cancelled, because '${user}' or the token that asked can no longer act here${cancelHint(executionId)}`

/** Code may end before a call that it did not wait for, and the process before that call was recorded. */
const isAbandoned = (call: CallRow, row: ExecutionRow, beforeMs: number): boolean =>
  call.state === "started" && row.endedAt !== null && Date.parse(row.endedAt) < beforeMs

const abandoned = {
  state: "done",
  errorCode: "outcome_unknown",
  errorMessage: "The server stopped while the call was in progress; it may or may not have taken effect",
} as const

export async function readResult(principal: Principal, id: string, piece: ResultPieceRequest, parts: EngineParts): Promise<ResultPiece> {
  const { offset, length = pieceDefault } = checkPiece(piece)
  return pieceOf(await endedResult(principal, id, parts), offset, length)
}

/** The same for code, which counts what replies show; without a length as much as one reply shows in turn. */
export async function readResultText(principal: Principal, id: string, piece: ResultPieceRequest, parts: EngineParts): Promise<ResultText> {
  const { offset, length } = checkPiece(piece)
  const whole = textOfResult(await endedResult(principal, id, parts))
  const read = pieceOf(whole, offset, length ?? fittingLength(whole.slice(offset), parts.limits.resultTextCharsMax - pieceMargin))
  return { ...read, total: whole.length }
}

/** For what stands around a piece that is returned. */
const pieceMargin = 500

/** How much of a text has this many characters as JSON. */
function fittingLength(text: string, jsonCharsMax: number): number {
  let length = Math.min(text.length, jsonCharsMax)
  for (;;) {
    const jsonChars = JSON.stringify(text.slice(0, length)).length
    if (jsonChars <= jsonCharsMax || length <= 1) return Math.max(1, length)
    length = Math.min(length - 1, Math.floor((length * jsonCharsMax) / jsonChars))
  }
}

function checkPiece({ offset = 0, length }: ResultPieceRequest): { readonly offset: number; readonly length?: number } {
  if (!Number.isInteger(offset) || offset < 0) throw new ExecutorError("invalid_request", "offset must be a whole number of at least 0")
  if (length !== undefined && (!Number.isInteger(length) || length < 1 || length > pieceMax))
    throw new ExecutorError("invalid_request", `length must be a whole number from 1 to ${pieceMax}`)
  return { offset, ...(length === undefined ? {} : { length }) }
}

async function endedResult(principal: Principal, id: string, parts: EngineParts): Promise<string> {
  const { result, status } = await getExecution(principal, id, parts)
  if (status === "running" || status === "paused")
    throw new ExecutorError("conflict", `Execution ${id} is still ${status}: it has no result yet`)
  return result ?? "null"
}

function pieceOf(whole: string, offset: number, length: number): ResultPiece {
  const start = isInsidePair(whole, offset) ? offset - 1 : offset
  const end = isInsidePair(whole, offset + length) ? offset + length + 1 : offset + length
  return { text: whole.slice(start, end), nextOffset: end < whole.length ? end : null }
}

/** A character of two units is never cut in half. */
const isInsidePair = (text: string, at: number): boolean =>
  at > 0 && at < text.length && /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at))

/** What the reader may answer, or what others must answer for them, oldest first; an agent reads what it has asked. */
export async function listApprovals(
  principal: Principal,
  request: ApprovalListFilter & PageRequest,
  parts: EngineParts,
): Promise<Page<ApprovalView>> {
  const after = decodeCursor(request.cursor, 1)?.[0] ?? null
  const filter: ApprovalFilter = {
    status: "pending",
    expiresAfter: parts.clock.now().toISOString(),
    ...(request.executionId === undefined ? {} : { executionId: request.executionId }),
  }
  const isForOthers = request.waitingFor === "others"
  const rowsOf = isForOthers ? rowsForOthers : inboxRows
  const page = await pageWithin<ApprovalRow>(
    pageSize(request, parts.limits),
    parts.limits.pageBytesMax,
    (last, limit) => rowsOf(principal, filter, { after: last?.id ?? after, limit }, parts),
    (row) => row.argsJson.length + (row.requestedSchema?.length ?? 0),
  )
  const names = await namesOf(principal, page.rows, parts)
  const reader = (row: ApprovalRow): Reader => readerOf(principal, row, principal.kind === "human" && !isForOthers)
  const asked = new Map(isForOthers ? await Promise.all(page.rows.map(async (row) => [row.id, await askedOf(row, parts)] as const)) : [])
  return toPage(
    page.rows,
    page.size,
    (row) => [row.id],
    (row) => withAnswerers(viewApproval(row, names, reader(row)), asked.get(row.id) ?? null),
  )
}

/** Whom the rules of now name, and who may answer where the reader may not. */
function withAnswerers(view: ApprovalView, asked: AskedApproval | null): ApprovalView {
  if (asked === null) return view
  const named = asked.by.length === 0 ? {} : { by: asked.by }
  return { ...view, ...named, ...(view.mayAnswer ? {} : { answerers: whoText(asked.by, asked.requesters) }) }
}

/** Also one that is answered. One that is pending says why it needs an answer now, whatever the rules were when it was asked. */
export async function showApproval(principal: Principal, id: string, parts: EngineParts): Promise<ApprovalView> {
  const row = await readApproval(principal, id, parts)
  const reader = readerOf(principal, row, await isAnswerable(principal, row, parts))
  const { answerers: _before, ...stored } = viewApproval(row, await namesOf(principal, [row], parts), reader)
  const asked = row.status === "pending" ? await askedOf(row, parts) : null
  const view =
    row.status === "pending" && asked === null
      ? { ...stored, answerers: onlyCancelled(row.user, row.executionId) }
      : { ...withAnswerers(stored, asked), ...(asked !== null && reader.mayAnswer ? await codeOf(row, parts) : {}) }
  const cause = asked !== null && row.kind === "approval" ? await causeNow(row, parts) : null
  if (cause === null) return view
  const { rule: _asked, ...others } = view
  return { ...others, ...cause }
}

/** Whoever decides about a call reads what makes it, also where the execution is not theirs to read. */
async function codeOf({ tenant, executionId }: ApprovalRow, { executions }: EngineParts): Promise<Pick<ApprovalView, "code">> {
  const execution = executionId === null ? null : await executions.executions.get(ofTenant({ tenant }), executionId)
  return execution === null ? {} : { code: programText(execution) }
}

const namesOf = (
  { tenant }: Principal,
  rows: readonly { readonly tokenId: string | null }[],
  parts: EngineParts,
): Promise<ReadonlyMap<string, string>> =>
  parts.tokenNames.of(
    tenant,
    rows.map((row) => row.tokenId),
  )

type Reader = Pick<ApprovalView, "isOwn" | "mayAnswer">

const readerOf = ({ user }: Principal, row: ApprovalRow, mayAnswer: boolean): Reader => ({ isOwn: row.user === user, mayAnswer })

const viewApproval = (row: ApprovalRow, names: ReadonlyMap<string, string>, reader: Reader): ApprovalView => ({
  ...viewInteraction(row),
  executionId: row.executionId,
  status: row.status,
  principal: viewCaller(row, names),
  ...reader,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  ...(row.answeredAt === null ? {} : { answeredAt: row.answeredAt }),
  ...(row.answeredBy === null ? {} : { answeredBy: row.answeredBy }),
})
