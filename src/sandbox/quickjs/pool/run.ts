// One execution as the pool sees it: the events that moved it, its open calls, its timers and what it has shown.
//
// Everything that would be needed to start the run again elsewhere is kept here until it ends.
import type { Clock } from "../../../io/clock.ts"
import type { Log } from "../../../io/log.ts"
import type {
  LogLine,
  SandboxAnswer,
  SandboxCall,
  SandboxEnd,
  SandboxHost,
  SandboxOutcome,
  SandboxOutput,
  SandboxRun,
  SettleEvent,
} from "../../sandbox.ts"
import type { PoolWorker } from "./worker.ts"
import type { LogLimits } from "./run-logs.ts"
import { reportLogs } from "./run-logs.ts"
import type { Lane } from "../protocol.ts"
import { answerForms, lanes, modes, tickForm, toWorker } from "../protocol.ts"

/** A run that asks to be woken more often is woken less often. */
const tickEveryMs = 4

type CallState = { seq: number; state: "open" | "pending" | "settled" }

export type PoolRun = {
  readonly no: number
  readonly run: SandboxRun
  isDone: boolean
  lane: Lane
  worker: PoolWorker | null
  restarts: number
  /** Whether it counts among the running. */
  isCounted: boolean
  cpuMs: number
  /** What was counted at its start of its principal's share of the fast threads. */
  countedMs: number
  logsDropped: number
  /** Puts the start, with all that is recorded, into the worker's outbox. */
  startIn(worker: PoolWorker, memoryColumn: number): void
  /** The worker is gone; nothing else is lost. */
  leaveWorker(): void
  ask(call: SandboxCall): void
  wake(dueMs: number): void
  show(output: SandboxOutput): void
  /** What the sandbox has to say, at the end of the run. */
  notice(text: string): void
  end(end: SandboxEnd): void
}

export type PoolRunParts = {
  readonly clock: Clock
  readonly log: Log
  readonly limits: LogLimits
  /** Something waits in the outbox of the run's worker. */
  flush(): void
  /** The run is over; its worker is told if it does not know. */
  ended(run: PoolRun): void
}

const internalAnswer: SandboxAnswer = {
  form: "envelope",
  json: '{"ok":false,"error":{"code":"internal","message":"The call failed inside the server."}}',
}

export function createPoolRun(
  no: number,
  run: SandboxRun,
  host: SandboxHost,
  resolve: (outcome: SandboxOutcome) => void,
  parts: PoolRunParts,
): PoolRun {
  const { clock, log } = parts
  const events: SettleEvent[] = []
  const calls = new Map<string, CallState>()
  const logs: LogLine[] = []
  const notices: LogLine[] = []
  const emitted: string[] = []
  let shownInAttempt = 0
  let shown = 0
  let lastAtMs = run.replay.at(-1)?.atMs ?? run.startedAtMs
  let lastTickMs = 0
  let wakeTimer: NodeJS.Timeout | null = null
  const wallTimer = setTimeout(
    () => end({ status: "stopped", reason: "timeout", message: `The execution took longer than ${run.wallMs / 1000} s.` }),
    run.wallMs,
  )
  const onAbort = (): void => end({ status: "stopped", reason: "cancelled", message: "The execution was cancelled." })
  run.signal.addEventListener("abort", onAbort, { once: true })

  function settleTime(): number {
    lastAtMs = Math.max(lastAtMs, clock.now().getTime())
    return lastAtMs
  }

  function record(event: SettleEvent): void {
    events.push(event)
    host.record(event)
  }

  async function answered(call: SandboxCall): Promise<SandboxAnswer> {
    try {
      return await host.call(call)
    } catch (error) {
      log.error({ executionId: run.id, error }, "A sandbox host must answer, not throw.")
      return internalAnswer
    }
  }

  function settle(key: string, state: CallState, answer: SandboxAnswer): void {
    if (self.isDone) return
    if (answer.form === "pending") {
      state.state = "pending"
      self.worker?.push(toWorker.pending, no, state.seq)
    } else {
      state.state = "settled"
      const atMs = settleTime()
      record({ type: "answer", key, form: answer.form, json: answer.json, atMs })
      self.worker?.push(toWorker.answer, no, state.seq, answerForms.indexOf(answer.form), answer.json, atMs)
      self.worker?.awaited.add(self)
    }
    parts.flush()
  }

  function tick(dueMs: number): void {
    wakeTimer = null
    if (self.isDone || !self.worker) return
    lastAtMs = Math.max(lastAtMs, dueMs)
    const atMs = settleTime()
    lastTickMs = atMs
    record({ type: "tick", atMs })
    self.worker.push(toWorker.tick, no, atMs)
    self.worker.awaited.add(self)
    parts.flush()
  }

  function clearWake(): void {
    if (wakeTimer) clearTimeout(wakeTimer)
    wakeTimer = null
  }

  function end(result: SandboxEnd): void {
    if (self.isDone) return
    self.isDone = true
    clearWake()
    clearTimeout(wallTimer)
    run.signal.removeEventListener("abort", onAbort)
    parts.ended(self)
    // A pause is not the end of the lines: what is told of them then would be told again.
    const { logs: reported, dropped } =
      result.status === "waiting" ? { logs, dropped: self.logsDropped } : reportLogs(logs, notices, self.logsDropped, parts.limits)
    resolve({ ...result, report: { logs: reported, logsDropped: dropped, emitted, cpuMs: self.cpuMs } })
  }

  const self: PoolRun = {
    no,
    run,
    lane: "fast",
    worker: null,
    restarts: 0,
    isCounted: false,
    cpuMs: 0,
    countedMs: 0,
    logsDropped: 0,
    isDone: false,
    startIn(worker, memoryColumn) {
      self.worker = worker
      worker.runs.add(self)
      shownInAttempt = 0
      const seed = Buffer.from(run.seed).toString("latin1")
      const replay = [...flat(run.replay), ...flat(events)]
      const mode = modeOf(run)
      const input = run.program?.inputJson ?? ""
      worker.push(toWorker.start, no, run.code, mode, input, seed, run.startedAtMs, lanes.indexOf(self.lane), memoryColumn, replay)
    },
    leaveWorker() {
      self.worker?.runs.delete(self)
      self.worker?.awaited.delete(self)
      self.worker = null
      clearWake()
    },
    ask(call) {
      const known = calls.get(call.key)
      if (known?.state === "pending") {
        known.seq = call.seq
        self.worker?.push(toWorker.pending, no, call.seq)
        return
      }
      if (known) return
      const state: CallState = { seq: call.seq, state: "open" }
      calls.set(call.key, state)
      void answered(call).then((answer) => settle(call.key, state, answer))
    },
    wake(dueMs) {
      clearWake()
      if (dueMs < 0) return
      const nowMs = clock.now().getTime()
      wakeTimer = setTimeout(tick, Math.max(dueMs - nowMs, lastTickMs + tickEveryMs - nowMs, 0), dueMs)
    },
    show(output) {
      shownInAttempt += 1
      if (shownInAttempt <= shown) return
      shown = shownInAttempt
      if (output.kind === "log") logs.push(output.line)
      else emitted.push(output.json)
      if (shown > run.outputsSeen) host.output(output)
    },
    notice(text) {
      const line: LogLine = { level: "warn", text }
      notices.push(line)
      host.output({ kind: "log", line })
    },
    end,
  }
  return self
}

function flat(events: readonly SettleEvent[]): (string | number)[] {
  return events.flatMap((event) =>
    event.type === "tick" ? [tickForm, event.atMs, "", ""] : [answerForms.indexOf(event.form), event.atMs, event.key, event.json],
  )
}

const modeOf = ({ results, program, isOnlyParsed }: SandboxRun): number =>
  (results === "raw" ? modes.raw : 0) +
  (program?.hasTools === false ? modes.withoutTools : 0) +
  (isOnlyParsed === true ? modes.onlyParsed : 0)
