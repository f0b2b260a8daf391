// The answers of another execution, with which one begins that is to make the same calls.
//
// A call is the same if its path, its arguments and its number among equal ones are. From the first call on that the other
// execution did not make or did not finish, all are live: what is read after something else was done may be different now.
// So does a recorded refusal or failure that says nothing about now (`passing`).
// Nothing else is taken over: no approval, no decision, and nothing of the calls inside of tools that are made of code.
import { ExecutorError } from "../../../core/errors.ts"
import type { Principal } from "../../../core/principal.ts"
import type { CallRow, ExecutionRow } from "../../../store/execution-store.ts"
import type { EngineParts } from "../../engine-parts.ts"
import type { GateCall } from "../../gate/call.ts"
import type { SandboxAnswer } from "../../../sandbox/sandbox.ts"
import { getExecution } from "../../execution-access.ts"
import { depthOf } from "../../programs/call-tree.ts"
import { isLine } from "../journal.ts"
import type { Recording } from "../journal.ts"

/** In place of the number of a run, in rows that were answered from another execution. */
export const replayedRun = 0

/** The row of the call that is not made, and its answer; null: it is to be made. */
export type RecordedAnswers = (call: Asked) => { readonly row: CallRow; readonly answer: SandboxAnswer } | null
type Asked = Pick<GateCall, "key" | "seq"> & { readonly line?: number | null | undefined }

/** What these say was true of the caller, the rules and the upstream then, and of no call now. */
const passing: ReadonlySet<string> = new Set([
  "approval_required",
  "approval_declined",
  "approval_cancelled",
  "auth_required",
  "budget_exceeded",
  "rate_limited",
  "timeout",
  "upstream_unreachable",
  "outcome_unknown",
  "internal",
])

export const noAnswers: RecordedAnswers = () => null

/** Whoever may read an execution may begin with its answers. Its own user's randomness is the same, so that equal code makes equal calls. */
export async function replayedRow(principal: Principal, row: ExecutionRow, id: string, parts: EngineParts): Promise<ExecutionRow> {
  const source = await getExecution(principal, id, parts)
  if (source.program !== "code")
    throw new ExecutorError("invalid_request", `Execution ${id} ran an agent; replayOf takes executions of code`)
  if (source.status === "running" || source.status === "paused")
    throw new ExecutorError("conflict", `Execution ${id} is still ${source.status}; its record can be used when it has ended`)
  return { ...row, replayOf: source.id, ...(source.user === row.user ? { seed: source.seed } : {}) }
}

export async function readAnswers(row: ExecutionRow, own: Recording, parts: EngineParts): Promise<RecordedAnswers> {
  if (row.replayOf === null) return noAnswers
  let isLive = own.calls.some(({ key, run }) => depthOf(key) === 0 && run !== replayedRun)
  if (isLive) return noAnswers
  const { calls } = await parts.executions.journal.read(row, row.replayOf)
  const known = new Map(calls.filter(isLasting).map((call) => [call.key, call]))
  return ({ key, seq, line }) => {
    if (depthOf(key) > 0) return null
    const found = isLive ? undefined : known.get(key)
    isLive ||= found === undefined
    if (found?.answerForm == null || found.answerJson === null) return null
    const { tenant, id: executionId } = row
    const here = {
      tenant,
      executionId,
      seq,
      line: isLine(line) ? line : null,
      run: replayedRun,
      startedAt: parts.clock.now().toISOString(),
      ms: 0,
    }
    // Who decided about it there says nothing here.
    const taken: CallRow = { ...found, ...here, decision: "none", rule: null, approvalId: null }
    return { row: taken, answer: { form: found.answerForm, json: found.answerJson } }
  }
}

const isLasting = ({ key, state, errorCode }: CallRow): boolean =>
  depthOf(key) === 0 && state === "done" && (errorCode === null || !passing.has(errorCode))
