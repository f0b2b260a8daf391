// Runs the code of a tool that is made of code: in a sandbox run of its own, with its calls through the same gate.
//
// The calls of such code are journaled as children of the call that it performs: their key is the parent's, a slash and
// their own. So are the events that moved the code, the first of which says when it started. When the parent is called
// again after a pause or a crash, its code is therefore replayed like that of an execution: what was done is not done
// again. While the code can go on only with a human's answer, the parent waits for it too.
import type { CodeProgram } from "../../core/call/program.ts"
import type { LogLine, ProgramKind } from "../../core/execution.ts"
import type { Limits } from "../../core/limits.ts"
import type { Principal } from "../../core/principal.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure, ToolResult } from "../../core/result.ts"
import { narrowOwn } from "../../core/principal.ts"
import { sha256 } from "../../io/ids.ts"
import type { ProgramHost, ProgramRunner } from "../../sandbox/program-runner.ts"
import type { SandboxAnswer, SandboxHost, SandboxCall, SandboxOutcome, SettleEvent } from "../../sandbox/sandbox.ts"
import { CallAbandoned, QuestionAsked } from "../gate/elicitation.ts"
import { depthOf } from "./call-tree.ts"

/** Where the code runs: what it is replayed from, and who answers its calls. */
export type ProgramPlace = {
  /** Of the call that the code performs. */
  readonly key: string
  readonly id: string
  readonly principal: string
  /** Hex; all randomness of the code comes from it and the key. */
  readonly seed: string
  readonly startedAtMs: number
  readonly replay: readonly SettleEvent[]
  readonly signal: AbortSignal
  call(asked: SandboxCall): Promise<SandboxAnswer>
  record(event: SettleEvent): void
  /** The code has logged a line. */
  logged(line: LogLine): void
  /** An agent's model says something. */
  said(text: string): void
  /** Of an agent: which run it is. */
  readonly runId: string
  /** Of an agent: what is left of its time. */
  readonly leftMs: number
  /** How it ended, or that it waits for a human; not called where it is begun again. */
  settled(outcome: SandboxOutcome): Promise<void>
  /** What an agent's loop needs besides. `approvalOf`: by which approval a call of the code waits. */
  readonly remembering: Omit<ProgramHost, keyof SandboxHost | "text">
  /** The run ended under the call, to be begun again here or elsewhere. */
  isAbandoned(): boolean
}

export type ProgramParts = { readonly runners: Readonly<Record<ProgramKind, ProgramRunner>>; readonly limits: Limits }

export async function runProgram(program: CodeProgram, place: ProgramPlace, parts: ProgramParts): Promise<ToolResult> {
  if (depthOf(place.key) >= parts.limits.nestedCallsDepthMax) return tooDeep(parts.limits)
  const outcome = await parts.runners[program.kind ?? "code"].run(
    {
      id: `${place.id}/${place.key}`,
      principal: place.principal,
      code: program.code,
      results: "envelope",
      seed: Buffer.from(sha256(`${place.seed}/${place.key}`), "hex"),
      startedAtMs: place.startedAtMs,
      wallMs: place.leftMs,
      replay: place.replay,
      outputsSeen: 0,
      signal: place.signal,
      program: { inputJson: JSON.stringify(program.input) ?? "null", hasTools: program.reach !== null },
    },
    {
      call: (asked) => (program.reach === null ? Promise.resolve(noTools) : place.call(asked)),
      record: place.record,
      output: (output) => {
        if (output.kind === "log") place.logged(output.line)
      },
      text: place.said,
      ...place.remembering,
    },
  )
  if (place.isAbandoned() || isUnsettled(outcome, place)) throw new CallAbandoned()
  await place.settled(outcome)
  return program.kind === "agent" ? toAgentResult(outcome, place) : toResult(outcome, place)
}

/** The server stops; or it waits for nobody, which is to wait for a run that has ended. */
const isUnsettled = (outcome: SandboxOutcome, place: ProgramPlace): boolean =>
  (outcome.status === "killed" && outcome.reason === "closed") || (outcome.status === "waiting" && askedOf(outcome, place) === null)

const askedOf = ({ pending }: { readonly pending: readonly string[] }, { remembering }: ProgramPlace): string | null =>
  pending.map((key) => remembering.approvalOf(key)).find((id) => id !== null) ?? null

const noTools: SandboxAnswer = { form: "reject", json: JSON.stringify({ code: "tool_blocked", message: "This code may not call tools" }) }

/**
 * Whoever calls acts through the code as an agent: it never administers, of the caller's own connections it reaches what it
 * names, and of their workspace nothing.
 */
export function programPrincipal(caller: Principal, { reach }: Pick<CodeProgram, "reach">): Principal {
  const { workspace: _, ...rest } = caller
  return { ...rest, kind: "agent", rights: [], ...narrowOwn(caller, reach?.own ?? []) }
}

function toResult(outcome: SandboxOutcome, place: ProgramPlace): ToolResult {
  switch (outcome.status) {
    case "returned":
      return { ok: true, data: outcome.resultJson === null ? null : (JSON.parse(outcome.resultJson) as unknown) }
    case "threw":
      return threw(outcome.error)
    case "waiting":
      throw new QuestionAsked({ ok: "pending", approvalId: askedOf(outcome, place) ?? "" })
    case "stopped":
      return stopped(outcome.reason, outcome.message)
    case "refused":
      return fail("rate_limited", outcome.message)
    case "killed":
      return fail("internal", outcome.message)
  }
}

/** With what the run says of itself beside its output. */
function toAgentResult(outcome: SandboxOutcome, place: ProgramPlace): ToolResult {
  const { runId } = place
  if (outcome.status === "stopped" && outcome.reason === "cancelled") return cancelledRun(runId, outcome.message)
  const result = toResult(outcome, place)
  // Why its loop stopped is about the run; no code of a tool was in it.
  const message = outcome.status === "stopped" ? { message: outcome.message } : {}
  if (!result.ok) return { ok: false, error: { ...result.error, ...message, details: { runId } } }
  const [about = "{}"] = outcome.report.emitted
  return { ok: true, data: { runId, output: result.data, ...(JSON.parse(about) as object) } } // written by the loop
}

/** Of a run that somebody cancelled, while whoever called it goes on. */
export const cancelledRun = (runId: string, message: string): ToolFailure =>
  fail("upstream_error", message, { details: { runId, reason: "cancelled" } })

type Threw = Extract<SandboxOutcome, { status: "threw" }>["error"]

function threw({ name, message, line, column, toolError }: Threw): ToolFailure {
  const place = line === undefined ? "" : ` (line ${line}${column === undefined ? "" : `, column ${column}`} of the tool's code)`
  const details = { name, message, ...(line === undefined ? {} : { line }), ...(toolError === undefined ? {} : { toolError }) }
  return fail("upstream_error", `The tool's code failed: ${name}: ${message}${place}`, { details })
}

function stopped(reason: string, message: string): ToolFailure {
  if (reason === "timeout") return fail("timeout", `The tool's code did not end in time. ${message}`)
  if (reason === "cancelled") return fail("timeout", "The call was stopped before it returned")
  if (reason === "model_error" || reason === "loop_detected") return fail("upstream_error", message, { details: { reason } })
  if (reason === "replay_diverged") return fail("internal", `The tool's code could not be continued: ${message}`)
  return fail("budget_exceeded", `The tool's code was stopped: ${message}`)
}

const tooDeep = ({ nestedCallsDepthMax }: Limits): ToolFailure =>
  fail("budget_exceeded", `Tools that call tools may be ${nestedCallsDepthMax} levels deep; this one is called from deeper`)
