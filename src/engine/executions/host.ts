// The engine's side of a running sandbox: hands each call of the code to the gate, and the gate's answer back.
import type { ProgramHost } from "../../sandbox/program-runner.ts"
import type { SandboxAnswer, SandboxHost } from "../../sandbox/sandbox.ts"
import type { EngineParts } from "../engine-parts.ts"
import { bugReport } from "../gate/bug-report.ts"
import type { GateCall } from "../gate/call.ts"
import type { GateContext } from "../gate/context.ts"
import { CallAbandoned } from "../gate/elicitation.ts"
import { gate } from "../gate/gate.ts"
import { toGateCall } from "../programs/gate-call.ts"
import type { CallsInFlight } from "./calls-in-flight.ts"
import { modelPrefix, usageIn } from "./children/allowance.ts"
import type { Allowance } from "./children/allowance.ts"
import type { ChildRuns, Lineage } from "./children/child-runs.ts"
import type { ExecutionJournal } from "./journal.ts"
import type { ToolLogs } from "../programs/tool-logs.ts"
import { Cancellation, LeaseLost } from "./run-registry.ts"

export type HostContext = GateContext<SandboxAnswer> & {
  readonly inFlight: CallsInFlight
  readonly toolLogs: ToolLogs
  /** Of the agent's run that makes the calls; null where code makes them, and no agent above it. */
  readonly allowance: Allowance | null
  readonly children: ChildRuns
  readonly lineage: Lineage
  /** The tools that lead to the calls, from the execution's own program on. */
  readonly callers: readonly string[]
  /** Ends this run, and no other of the same execution. */
  endRun(reason: Error): void
}

/** As long as answers of models are at most, roughly. */
const wordsMax = 400_000

/** `open`: what calls need is made when there is one. */
export function executionHost(
  executionId: string,
  { journal, toolLogs }: { readonly journal: ExecutionJournal; readonly toolLogs: ToolLogs },
  open: () => HostContext,
  parts: EngineParts,
): ProgramHost {
  let opened: HostContext | null = null
  const contextOf = (): HostContext => (opened ??= open())
  const remembering = rememberingHost("", journal, contextOf, parts)
  return {
    async call(asked) {
      const context = contextOf()
      const call = toGateCall(asked, parts)
      const answering = answerCall(call, context, parts)
      context.inFlight.add(call, answering)
      parts.runs.trackCall(answering)
      return answering
    },
    record: (event) => journal.settle(event),
    output(output) {
      if (output.kind === "log") {
        toolLogs.own()
        parts.runs.get(executionId)?.logs.push(output.line)
      }
      parts.runs.publish(executionId, () =>
        output.kind === "log" ? { type: "log", line: output.line } : { type: "emit", value: JSON.parse(output.json) as unknown },
      )
    },
    text(text) {
      const live = parts.runs.get(executionId)
      if (live !== undefined && live.words.length < wordsMax) live.words += text
      parts.runs.publish(executionId, () => ({ type: "text", text }))
    },
    ...remembering,
    remember(step, work) {
      const live = parts.runs.get(executionId)
      if (live !== undefined) live.words = ""
      return remembering.remember(step, work)
    },
  }
}

/** What a program needs that remembers what it did. */
export type Remembering = Omit<ProgramHost, keyof SandboxHost | "text">

/** `prefix`: of the keys of a program that performs a call. */
export function rememberingHost(prefix: string, journal: ExecutionJournal, open: () => HostContext, parts: EngineParts): Remembering {
  const orEnd = async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof LeaseLost || error instanceof Cancellation)) throw error
      open().endRun(error)
      return null
    }
  }
  return {
    current: () => orEnd(() => open().current()),
    recall(key) {
      const row = journal.call(`${prefix}${key}`)
      return row?.answerForm && row.answerJson !== null ? { form: row.answerForm, json: row.answerJson } : null
    },
    async remember(step, work) {
      const { signal } = open()
      return orEnd(async () => {
        await journal.kept()
        const startedMs = parts.clock.monotonicMs()
        const json = await work(signal)
        journal.remember({ ...step, key: `${prefix}${step.key}` }, json, Math.round(parts.clock.monotonicMs() - startedMs))
        if (step.path.startsWith(modelPrefix)) open().allowance?.add(usageIn(json))
        return json
      })
    },
    approvalOf: (key) => journal.call(`${prefix}${key}`)?.approvalId ?? null,
    addressOf: (key) => journal.call(`${prefix}${key}`)?.address ?? null,
    argsOf: (key) => journal.call(`${prefix}${key}`)?.argsJson ?? null,
    mayCall: (key) => open().allowance?.takeCall(`${prefix}${key}`) ?? true,
    spent() {
      const { allowance } = open()
      return { usage: allowance?.usage() ?? [], isSpentAbove: allowance?.above?.isSpent() ?? false }
    },
  }
}

export async function answerCall(call: GateCall, context: HostContext, parts: EngineParts): Promise<SandboxAnswer> {
  try {
    return await gate(call, context, parts)
  } catch (error) {
    if (error instanceof CallAbandoned) return { form: "pending" }
    if (!(error instanceof LeaseLost || error instanceof Cancellation))
      return context.journal.refused(call, bugReport(error, call.path, parts.log))
    // Nothing more is called or written; the code waits for an answer that whoever takes over will give, or nobody if it is cancelled.
    context.endRun(error)
    return { form: "pending" }
  }
}
