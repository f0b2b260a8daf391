// The port through which an agent's code runs, shaped so that every run can be replayed from a journal.
//
// The order of events. The engine calls `run`; the code asks for calls, and each reaches `host.call` once. When the host
// has answered, the sandbox gives the answer its place in the order of settling, tells `host.record`, and only then lets
// the code see it. What a run does depends on nothing but its code, its seed, its start time and these events, so
// that handing the recorded events back as `replay` brings the code to the same point again, on any machine.
//
// A call that waits for a human answers `pending`. The run goes on while something else can move it; then it ends as
// `waiting` and holds nothing. To resume is to run again with what was recorded.

export type CallKind = "tool" | "store" | "load"

export type SandboxCall = {
  /** The position among all calls of the execution; the same in every replay. */
  readonly seq: number
  /** `<hash of kind, path and canonical arguments>:<how often that was asked before>`: the identity of the call in the journal. */
  readonly key: string
  readonly kind: CallKind
  /** The tool's path, or the key that `store` and `load` name. */
  readonly path: string
  readonly argsJson: string
  /** Where the code calls, from 1, as the code itself says; null where it does not. */
  readonly line: number | null
  /** The approval that a call before it waits for: a human may be asked about this one as well, but it does not start. */
  readonly behind?: string
}

/** `envelope`: a result envelope; `value`: handed to the code as it is; `reject`: the fields of a ToolError. */
export type AnswerForm = "envelope" | "value" | "reject"

export type SandboxAnswer = { readonly form: AnswerForm; readonly json: string } | { readonly form: "pending" }

/** What moved the code, in order: an answer, or the clock reaching a timer. `atMs` is the time the code sees from then on. */
export type SettleEvent =
  | { readonly type: "answer"; readonly key: string; readonly form: AnswerForm; readonly json: string; readonly atMs: number }
  | { readonly type: "tick"; readonly atMs: number }

export type LogLevel = "debug" | "info" | "log" | "warn" | "error"
export type LogLine = { readonly level: LogLevel; readonly text: string }
export type SandboxOutput = { readonly kind: "log"; readonly line: LogLine } | { readonly kind: "emit"; readonly json: string }

export type SandboxRun = {
  readonly id: string
  /** Executions of different principals take turns. */
  readonly principal: string
  readonly code: string
  /** `raw`: every call behaves like `.unwrap()`. */
  readonly results: "envelope" | "raw"
  /** 32 bytes from which all randomness of the execution comes. */
  readonly seed: Uint8Array
  /** When the execution started for the first time: the clock of a replay begins there as well. */
  readonly startedAtMs: number
  /** What is left of the wall time. */
  readonly wallMs: number
  readonly replay: readonly SettleEvent[]
  /** How many outputs the host was told in earlier runs of this execution; they are not told again. */
  readonly outputsSeen: number
  readonly signal: AbortSignal
  /** Of code that performs a call of another run. It is not queued: the other one waits for it. */
  readonly program?: SandboxProgram
  /** The code is only read: it returns nothing, or throws a `syntax` error. */
  readonly isOnlyParsed?: true
}

/** `inputJson`: the global `input`, which an exported function gets as well. Without tools there is no `tools`, `store` or `load`. */
export type SandboxProgram = { readonly inputJson: string; readonly hasTools: boolean }

/** The side of the engine. Nothing here may throw; a call that fails is an answer. */
export interface SandboxHost {
  call(call: SandboxCall): Promise<SandboxAnswer>
  /** Called in the order of settling, before the code sees the event. */
  record(event: SettleEvent): void
  /** Logs and emitted values as they happen, each once. */
  output(output: SandboxOutput): void
}

export type ThrownError = {
  readonly code: "thrown" | "syntax"
  readonly name: string
  readonly message: string
  /** In the code as it was written, both from 1. */
  readonly line?: number
  readonly column?: number
  /** Of a ToolError: which call failed, and how. */
  readonly toolError?: { readonly tool: string; readonly code: string; readonly status?: number }
}

export type StopReason =
  | "timeout"
  | "cpu_limit"
  | "memory_limit"
  | "output_limit"
  | "cancelled"
  | "replay_diverged"
  /** Of an agent: it has used up its steps, calls or tokens; it goes in circles; its model gave no answer to go on with. */
  | "limit_reached"
  | "loop_detected"
  | "model_error"

export type SandboxReport = {
  readonly logs: readonly LogLine[]
  /** Lines over the limit that were counted and dropped. */
  readonly logsDropped: number
  readonly emitted: readonly string[]
  readonly cpuMs: number
}

export type SandboxEnd =
  /** `resultJson` is null when the code returned nothing. */
  | { readonly status: "returned"; readonly resultJson: string | null }
  | { readonly status: "threw"; readonly error: ThrownError }
  | { readonly status: "stopped"; readonly reason: StopReason; readonly message: string }
  /** Only the answers to these calls, by key, can move it. */
  | { readonly status: "waiting"; readonly pending: readonly string[] }
  /** Nothing was started, because too much is waiting already. */
  | { readonly status: "refused"; readonly message: string }
  /** The sandbox was closed, or failed by a fault of its own. */
  | { readonly status: "killed"; readonly reason: "closed" | "crashed"; readonly message: string }

export type SandboxOutcome = SandboxEnd & { readonly report: SandboxReport }

export type SandboxStats = {
  readonly workers: number
  readonly queued: number
  readonly running: number
  /** Executions that computed for long and were started again apart from the others. */
  readonly moved: number
  /** Worker threads that had to be ended. */
  readonly terminated: number
  /** What waiting executions hold in memory, and on disk because that was too much. */
  readonly residentBytes: number
  readonly spilledBytes: number
}

export interface Sandbox {
  /** Never rejects. */
  run(run: SandboxRun, host: SandboxHost): Promise<SandboxOutcome>
  stats(): SandboxStats
  close(): Promise<void>
}
