// Runs an agent that is called outside of executions: as an execution of its own, which the same call finds again.
//
// Order of events: the row is durable before the model is asked, and names the call. A run that waits for a human answers
// the call with what it waits for; made again, the call goes on with that run instead of starting another, so that nothing
// that was done is done twice. Once the call has its answer, the row names it no longer.
import { withoutRoot } from "../../../core/address.ts"
import { toCallAnswer } from "../../../core/agents/call-answer.ts"
import type { AgentProgram } from "../../../core/agents/agent.ts"
import type { CodeProgram } from "../../../core/call/program.ts"
import { ExecutorError } from "../../../core/errors.ts"
import type { ErrorCode } from "../../../core/errors.ts"
import type { CallNotice } from "../../../core/call/notice.ts"
import type { ExecutionEvent, RunError } from "../../../core/execution.ts"
import { canonicalJson } from "../../../core/json/canonical.ts"
import { narrowOwn } from "../../../core/principal.ts"
import type { Principal } from "../../../core/principal.ts"
import { fail } from "../../../core/result.ts"
import type { ToolFailure, ToolResult } from "../../../core/result.ts"
import { sha256 } from "../../../io/ids.ts"
import type { ExecutionHead, ExecutionRow } from "../../../store/execution-store.ts"
import type { EngineParts } from "../../engine-parts.ts"
import { ofTenant } from "../../execution-access.ts"
import { newRow, startRow } from "../execute.ts"
import { settleExecution } from "../resume.ts"
import { QuestionAsked } from "../../gate/elicitation.ts"
import { cancelledRun } from "../../programs/program.ts"

/** A call that may be one of an agent, outside of executions. */
export type DirectCall = {
  readonly path: string
  readonly argsJson: string
  /** The tools whose code makes it. */
  readonly callers: readonly string[]
  readonly signal: AbortSignal
  notify(address: string, notice: CallNotice): void
}

/** Where agents are found; tools of other integrations are never made of one. */
const agentPath = /^(agents|registry)\./

/** The answer of a run that this call has started before; null where there is none. It is the caller's own, and nothing is called for it. */
export async function answerOfOpenRun(principal: Principal, call: DirectCall, parts: EngineParts): Promise<ToolResult | null> {
  if (!agentPath.test(withoutRoot(call.path))) return null
  const open = await findOpenRun(principal, call, parts)
  if (open === null) return null
  const settled = await settleOpen(principal, open, call, parts)
  return "asks" in settled ? settled.asks : toCallAnswer(programOf(open).agent, settled.result)
}

/** Throws what the call answers instead where the run waits for a human. */
export async function runDirectly(principal: Principal, call: DirectCall, program: CodeProgram, parts: EngineParts): Promise<ToolResult> {
  const open = await findOpenRun(principal, call, parts)
  const settled = open === null ? await start(principal, call, program, parts) : await settleOpen(principal, open, call, parts)
  if ("asks" in settled) throw new QuestionAsked(settled.asks)
  return settled.result
}

type Settled = { readonly asks: ToolFailure } | { readonly result: ToolResult }

async function start(principal: Principal, call: DirectCall, program: CodeProgram, parts: EngineParts): Promise<Settled> {
  const row: ExecutionRow = {
    ...newRow(principal, { code: narrowed(principal, program) }, parts),
    program: "agent",
    wallMs: Math.max(1, program.timeoutMs),
    directCall: hashOf(principal, call),
  }
  const stop = parts.runs.follow(row.id, (event) => tell(event, call))
  try {
    await startRow(principal, row, { signal: call.signal, isKeptFirst: true }, parts)
    return await settle(principal, row, call, parts)
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error
    return { result: fail(error.code, error.message) }
  } finally {
    stop()
  }
}

/** Whoever calls through code reaches no more of their own connections than that code. */
function narrowed(principal: Principal, { code }: CodeProgram): string {
  const program = JSON.parse(code) as AgentProgram // written by `sources/agents`
  return JSON.stringify({ ...program, own: narrowOwn(principal, program.own).own ?? program.own })
}

async function settleOpen(principal: Principal, open: ExecutionHead, call: DirectCall, parts: EngineParts): Promise<Settled> {
  const { signal } = call
  const left = Promise.withResolvers<Settled>()
  const leave = (): void => left.resolve({ result: cancelledRun(open.id, "The call was stopped before its run had ended, which goes on") })
  if (signal.aborted) leave()
  signal.addEventListener("abort", leave, { once: true })
  const stop = parts.runs.follow(open.id, (event) => tell(event, call))
  try {
    const settling = settle(principal, open, call, parts)
    settling.catch(() => {})
    return await Promise.race([settling, left.promise])
  } finally {
    stop()
    signal.removeEventListener("abort", leave)
  }
}

async function settle(principal: Principal, { id }: Pick<ExecutionRow, "id">, call: DirectCall, parts: EngineParts): Promise<Settled> {
  const read = (): Promise<ExecutionRow | null> => parts.executions.executions.get(ofTenant(principal), id)
  const row = await read()
  if (row === null) return { result: fail("internal", `The run ${id} of '${call.path}' is gone`) }
  const { structured } = await settleExecution(principal, row, { signal: call.signal }, parts)
  if (structured.status === "waiting_for_interaction") {
    const [asked] = structured.interactions
    const who = asked?.answerers === undefined ? "a human's answer" : `the answer of ${asked.answerers}`
    const message = `The run of '${call.path}' needs ${who}; ask them, then call it again with the same arguments: it goes on where it waits`
    return { asks: fail("approval_required", message, { details: { approvalId: asked?.approvalId, executionId: id } }) }
  }
  const ended = (await read()) ?? row
  await parts.executions.executions.answerDirectCall(ended)
  return { result: toResult(ended) }
}

function toResult({ id, result, error, emitted }: ExecutionRow): ToolResult {
  if (error !== null) return toFailure(id, JSON.parse(error) as RunError) // written by a run
  const [about = {}] = JSON.parse(emitted) as object[] // written by the loop
  return { ok: true, data: { runId: id, output: JSON.parse(result ?? "null") as unknown, ...about } }
}

function toFailure(runId: string, { code, message }: RunError): ToolFailure {
  if (code === "cancelled") return cancelledRun(runId, message)
  return fail(codes[code] ?? "upstream_error", message, { details: { runId, reason: code } })
}

/** What a call ends with where its run ended with this. */
const codes: Partial<Record<RunError["code"], ErrorCode>> = {
  timeout: "timeout",
  limit_reached: "budget_exceeded",
  approval_expired: "approval_cancelled",
  internal: "internal",
}

function tell(event: ExecutionEvent, { path, notify }: DirectCall): void {
  if (event.type === "log") notify(path, { type: "log", level: event.line.level, text: event.line.text })
  if (event.type === "progress") {
    const { address, ...notice } = event
    notify(address, notice)
  }
}

async function findOpenRun(
  principal: Principal,
  call: DirectCall,
  { executions, clock, limits }: EngineParts,
): Promise<ExecutionHead | null> {
  const since = new Date(clock.now().getTime() - limits.pausedMsMax).toISOString()
  const filter = { directCall: hashOf(principal, call), since }
  const [open] = await executions.executions.list(ofTenant(principal), filter, { after: null, limit: 1 })
  return open ?? null
}

const hashOf = ({ tenant, user, tokenId }: Principal, { path, argsJson, callers }: DirectCall): string =>
  sha256(canonicalJson([tenant, user, tokenId, callers, withoutRoot(path), argsJson === "" ? null : (JSON.parse(argsJson) as unknown)]))

const programOf = ({ code }: ExecutionHead): AgentProgram => JSON.parse(code) as AgentProgram // written by `start`
