// What a run says of itself when it ends or pauses: its lines, and the facts beside its output.
import type { AgentProgram } from "../../core/agents/agent.ts"
import type { ModelUsage } from "../../core/agents/model-provider.ts"
import type { AgentToolOutput } from "../../core/execution.ts"
import type { ProgramHost } from "../../sandbox/program-runner.ts"
import type { LogLine, SandboxEnd, SandboxOutcome } from "../../sandbox/sandbox.ts"
import type { CallOutput } from "./calls.ts"
import { shownOutput } from "./recorded-calls.ts"
import type { StepRecord } from "./step.ts"

/** Its own lines, which come again with every replay: those that were told before are kept, and not told again. */
export type RunLines = { add(line: LogLine): void; all(): readonly LogLine[] }

export function createRunLines(host: Pick<ProgramHost, "output">, seen: number, max: number): RunLines {
  const lines: LogLine[] = []
  return {
    add(line) {
      if (lines.length >= max) return
      lines.push(line)
      if (lines.length > seen) host.output({ kind: "log", line })
    },
    all: () => lines,
  }
}

/** What a step overcame, for the history of a run that goes on. `trim`: of the step before. */
export const troublesOf = ({ retries = [], trim }: StepRecord, before: { readonly trim: number }): string[] => [
  ...(retries.length === 0
    ? []
    : [
        `the model answered when it was asked for the ${ordinal(retries.length + 1)} time (${retries.map(({ kind }) => kind).join(", ")}), after waits of ${retries.map(({ waitedMs }) => `${waitedMs} ms`).join(", ")}`,
      ]),
  ...(trim > before.trim ? ["the conversation was too long for the model; outputs of tools were shortened"] : []),
]

const ordinal = (count: number): string => ["second", "third", "fourth", "fifth"][count - 2] ?? `${count}th`

export function toToolOutput({ call, tool, text, ok, value, written }: CallOutput): AgentToolOutput {
  const about = { tool, callId: call.id, ...(written === null ? {} : { written }) }
  return { ...about, ok, output: shownOutput(value, text) }
}

export type ReportedRun = {
  readonly program: AgentProgram
  readonly outputs: readonly AgentToolOutput[]
  readonly lines: RunLines
  readonly steps: number
  readonly calls: number
}

export function withReport(end: SandboxEnd, run: ReportedRun, usage: ModelUsage): SandboxOutcome {
  const emitted = end.status === "waiting" ? [] : [JSON.stringify(factsOf(end, run, usage))]
  return { ...end, report: { logs: [...run.lines.all()], logsDropped: 0, emitted, cpuMs: 0 } }
}

/** What the reply says of a run beside its output. */
function factsOf(end: SandboxEnd, { program, outputs, steps, calls }: ReportedRun, usage: ModelUsage) {
  const last = end.status === "returned" ? (JSON.parse(end.resultJson ?? "null") as unknown) : (outputs.at(-1)?.output ?? null)
  const named = Object.fromEntries(outputs.filter(({ ok }) => ok).map(({ tool, output }) => [tool, output]))
  return {
    toolOutputs: outputs,
    context: { ...program.input.context, ...(outputs.length === 0 ? {} : { tools: named }) },
    state: { lastAgentOutput: last },
    usage: { ...usage, steps, calls },
  }
}
