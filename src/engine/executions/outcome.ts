// The outcome of a run, made of what the sandbox reports and of what the journal knows.
import type { LogLine, RunError } from "../../core/execution.ts"
import type { Limits } from "../../core/limits.ts"
import type { SandboxOutcome, StopReason } from "../../sandbox/sandbox.ts"
import type { ApprovalRow, ExecutionOutcome, ExecutionRow } from "../../store/execution-store.ts"
import { failedTitles, recapText } from "../../core/text/recap.ts"
import type { GateCall } from "../gate/call.ts"
import { rootOf } from "../programs/call-tree.ts"
import { recapCalls } from "./call-recap.ts"
import type { RecappedCall } from "./call-recap.ts"
import type { EngineParts } from "../engine-parts.ts"
import type { ToolLogs } from "../programs/tool-logs.ts"
import { Cancellation } from "./run-registry.ts"

export type RunFacts = {
  readonly row: ExecutionRow
  readonly approvals: readonly ApprovalRow[]
  readonly calls: readonly RecappedCall[]
  readonly toolLogs: Pick<ToolLogs, "with">
  readonly signal: AbortSignal
  readonly wallUsedMs: number
}

/** A call of which nothing is known yet: it may turn out to be a write. */
export const onItsWay = ({ path, argsJson }: Pick<GateCall, "path" | "argsJson">): RecappedCall => ({
  path,
  argsJson,
  effect: "write",
  state: "started",
  decision: "none",
  errorCode: null,
  answerJson: null,
})

/** Whether a replay of the same journal comes to the same end. */
export const endedByItself = ({ status }: SandboxOutcome): boolean => status === "returned" || status === "threw"

export function toOutcome(outcome: SandboxOutcome, facts: RunFacts, parts: Pick<EngineParts, "clock" | "limits">): ExecutionOutcome {
  const { row, signal, wallUsedMs } = facts
  const { report } = outcome
  const common = {
    wallUsedMs,
    pauseCount: row.pauseCount,
    expiresAt: null,
    endedAt: parts.clock.now().toISOString(),
    result: null,
    error: null,
    logs: JSON.stringify(facts.toolLogs.with(report.logs)),
    emitted: `[${report.emitted.join(",")}]`,
    outputsSeen: row.outputsSeen,
  }
  const failed = (error: RunError): ExecutionOutcome => {
    const calls = recapCalls(facts.calls, outcome.status === "threw" ? "by_itself" : "stopped")
    return {
      ...common,
      status: error.code === "cancelled" ? "cancelled" : "failed",
      error: JSON.stringify(calls.length === 0 ? error : { ...error, calls }),
    }
  }
  switch (outcome.status) {
    case "returned":
      return {
        ...common,
        status: "completed",
        result: outcome.resultJson,
        logs: JSON.stringify(facts.toolLogs.with([...report.logs, ...leftNotice(facts)])),
      }
    case "threw":
      return failed(outcome.error)
    case "stopped":
      if (outcome.reason === "cancelled" && signal.reason === journalFailure) return failed(journalFailure)
      return failed({ code: outcome.reason, name: stopNames[outcome.reason], message: stopMessage(outcome, row, signal, parts.limits) })
    case "waiting": {
      const waiting = facts.approvals.filter(
        (approval) => approval.status === "pending" && outcome.pending.includes(rootOf(approval.callKey ?? "")),
      )
      const expiresAt = waiting.map((approval) => approval.expiresAt).toSorted()[0] ?? common.endedAt
      return {
        ...common,
        status: "paused",
        endedAt: null,
        expiresAt,
        pauseCount: row.pauseCount + 1,
        outputsSeen: report.logs.length + report.emitted.length,
      }
    }
    case "refused":
    case "killed":
      return failed({ code: "internal", name: "InternalError", message: outcome.message })
  }
}

/** Only the journal knows which of the calls that the code has left behind were made. */
function leftNotice({ calls }: RunFacts): LogLine[] {
  const count = calls.filter(({ state }) => state === "started").length
  const [are, go] =
    count === 1
      ? ["1 call was", "it continues; `await` it to learn its result"]
      : [`${count} calls were`, "they continue; `await` them to learn their results"]
  const waiting = recapCalls(
    calls.filter(({ state }) => state === "waiting"),
    "by_itself",
  )
  return [
    ...(count === 0 ? [] : [`${are} still in progress when the code ended: ${go}.`]),
    ...(waiting.length === 0 ? [] : [`The code ended before approval came. ${recapText(waiting, failedTitles)}`]),
  ].map((text) => ({ level: "warn", text }))
}

function stopMessage(
  { reason, message }: { readonly reason: StopReason; readonly message: string },
  { wallMs }: ExecutionRow,
  signal: AbortSignal,
  { executionWallMsMax }: Limits,
): string {
  if (signal.reason instanceof Cancellation) return signal.reason.message
  if (reason !== "timeout") return message
  const next = wallMs < executionWallMsMax ? `Raise timeoutMs (max ${executionWallMsMax}), or split` : "Split"
  return `The execution took longer than ${wallMs / 1000} s. ${next} the work into several executions, without what is already done.`
}

export const journalFailure: RunError = {
  code: "internal",
  name: "InternalError",
  message: "The journal could not be written, so the execution was stopped",
}

const stopNames = {
  timeout: "TimeoutError",
  cpu_limit: "CpuLimitError",
  memory_limit: "MemoryLimitError",
  output_limit: "OutputLimitError",
  cancelled: "CancelledError",
  replay_diverged: "ReplayDivergedError",
  limit_reached: "LimitReachedError",
  loop_detected: "LoopDetectedError",
  model_error: "ModelError",
} as const
