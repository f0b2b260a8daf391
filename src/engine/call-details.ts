// The calls of an execution page by page, with when they were made, from which line, and what came back.
import type { CallDetail } from "../core/console/execution-calls.ts"
import { recordedCalls, writtenOf } from "../agents/loop/recorded-calls.ts"
import { decodeCursor, pageSize, toPage } from "../core/cursor.ts"
import { ExecutorError } from "../core/errors.ts"
import type { Page, PageRequest } from "../core/page.ts"
import type { Principal } from "../core/principal.ts"
import type { ApprovalRow, CallRow, ExecutionRow } from "../store/execution-store.ts"
import { approvalsOf } from "./approvals/read.ts"
import type { EngineParts } from "./engine-parts.ts"
import { getExecution } from "./execution-access.ts"
import { readJournal, runIdsOf } from "./executions/children/scope.ts"
import { inOrderOfTime, withChildren } from "./executions/call-view.ts"
import { replayedRun } from "./executions/start/recorded-answers.ts"
import { viewCalls } from "./executions/reply.ts"

/** Of each answer; a page of whole ones could be gigabytes. */
const answerCharsMax = 20_000
const beginningChars = 2000

export async function pageCalls(principal: Principal, id: string, page: PageRequest, parts: EngineParts): Promise<Page<CallDetail>> {
  const row = await getExecution(principal, id, parts)
  const { calls, events } = await readJournal(row, parts)
  const ordered = withChildren(inOrderOfTime(calls, events))
  const size = pageSize(page, parts.limits)
  const after = decodeCursor(page.cursor, 1)?.[0]
  const last = after === undefined ? -1 : ordered.findIndex(({ key }) => key === after)
  if (after !== undefined && last === -1)
    throw new ExecutorError("invalid_request", "The cursor is not from this list; start again without it")
  const shown = ordered.slice(last + 1, last + size + 2)
  const approvals = new Map((await approvalsOf(row, parts)).map((approval) => [approval.id, approval]))
  const written = new Map(
    recordedCalls(calls).flatMap(({ key, call, row: made }) => (made === undefined ? [] : [[key, writtenOf(call, made.argsJson)]])),
  )
  const views = viewCalls(shown, [...approvals.values()], await runIdsOf(row, calls, parts), parts.limits)
  return toPage(
    // A page may begin inside of a tool's calls, so that the order is the one above.
    shown.map((call, index) => ({ call, view: views[index] })),
    size,
    ({ call }) => [call.key],
    ({ call, view }): CallDetail => ({
      ...checked(view),
      ...detailsOf(call, row, approvals.get(call.approvalId ?? ""), written.get(call.key) ?? null),
    }),
  )
}

function checked<View>(view: View | undefined): View {
  if (view === undefined) throw new Error("Every call has a view")
  return view
}

function detailsOf(
  call: CallRow,
  execution: ExecutionRow,
  approval: ApprovalRow | undefined,
  written: string | null,
): Omit<CallDetail, keyof ReturnType<typeof viewCalls>[number]> {
  const { key, path, effect, startedAt, ms, line, state } = call
  const endedAt = state === "done" && startedAt !== null && ms !== null ? new Date(Date.parse(startedAt) + ms).toISOString() : null
  return {
    key,
    path,
    effect,
    startedAt,
    endedAt,
    ...(line === null ? {} : { line }),
    ...(state === "done" && call.run < execution.run ? { replayed: true } : {}),
    ...(call.run !== replayedRun || execution.replayOf === null ? {} : { replayedFrom: execution.replayOf }),
    ...(approval === undefined ? {} : { wait: { from: approval.createdAt, to: approval.answeredAt } }),
    ...(written === null ? {} : { written }),
    ...(call.answerJson === null ? {} : { answer: shownAnswer(call.answerJson) }),
  }
}

const shownAnswer = (json: string): unknown =>
  json.length <= answerCharsMax
    ? (JSON.parse(json) as unknown) // written by the journal
    : { truncated: true, totalChars: json.length, beginning: json.slice(0, beginningChars) }
