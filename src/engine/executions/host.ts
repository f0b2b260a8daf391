// The engine's side of a running sandbox: hands each call of the code to the gate, and the gate's answer back.
import type { SandboxAnswer, SandboxHost } from "../../sandbox/sandbox.ts"
import type { EngineParts } from "../engine-parts.ts"
import { bugReport } from "../gate/bug-report.ts"
import type { GateCall } from "../gate/call.ts"
import type { GateContext } from "../gate/context.ts"
import { CallAbandoned } from "../gate/elicitation.ts"
import { gate } from "../gate/gate.ts"
import { toGateCall } from "../programs/gate-call.ts"
import type { CallsInFlight } from "./calls-in-flight.ts"
import type { ExecutionJournal } from "./journal.ts"
import type { ToolLogs } from "../programs/tool-logs.ts"
import { Cancellation, LeaseLost } from "./run-registry.ts"

export type HostContext = GateContext<SandboxAnswer> & {
  readonly inFlight: CallsInFlight
  readonly toolLogs: ToolLogs
  /** Ends this run, and no other of the same execution. */
  endRun(reason: Error): void
}

/** `open`: what calls need is made when there is one. */
export function executionHost(
  executionId: string,
  { journal, toolLogs }: { readonly journal: ExecutionJournal; readonly toolLogs: ToolLogs },
  open: () => HostContext,
  parts: EngineParts,
): SandboxHost {
  let opened: HostContext | null = null
  return {
    async call(asked) {
      const context = (opened ??= open())
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
