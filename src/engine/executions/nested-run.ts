// Runs the code that performs a call of an execution: its own calls become children of that call in the journal.
import { withoutRoot } from "../../core/address.ts"
import type { CodeProgram } from "../../core/call/program.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure, ToolResult } from "../../core/result.ts"
import type { ExecutionRow } from "../../store/execution-store.ts"
import type { EngineParts } from "../engine-parts.ts"
import type { GateCall } from "../gate/call.ts"
import { sessionOf } from "../gate/session-value.ts"
import type { HostContext } from "./host.ts"
import { answerCall, rememberingHost } from "./host.ts"
import { toGateCall } from "../programs/gate-call.ts"
import type { ExecutionJournal } from "./journal.ts"
import { programPrincipal, runProgram } from "../programs/program.ts"
import { AnswerArrived, LeaseLost } from "./run-registry.ts"

export type NestedRunParts = {
  readonly row: ExecutionRow
  readonly journal: ExecutionJournal
  /** Of the run of the execution's own code. */
  readonly signal: AbortSignal
}

export function withPrograms(context: Omit<HostContext, "runCode">, run: NestedRunParts, parts: EngineParts): HostContext {
  const complete: HostContext = { ...context, runCode: (call, program) => runNested(call, program, complete, run, parts) }
  return complete
}

function runNested(
  parent: GateCall,
  program: CodeProgram,
  context: HostContext,
  run: NestedRunParts,
  parts: EngineParts,
): Promise<ToolResult> {
  const { row, journal, signal } = run
  const recorded = journal.program(parent.key, program.code)
  if (recorded === null) return Promise.resolve(otherCode(parent))
  const acting = {
    ...context,
    principal: programPrincipal(context.principal, program),
    current: async () => programPrincipal(await context.current(), program),
  }
  const nested = withPrograms(acting, run, parts)
  const tool = withoutRoot(parent.path)
  context.toolLogs.begin(parent.key)
  const keyOf = (key: string): string => `${parent.key}/${key}`
  return runProgram(
    program,
    {
      key: parent.key,
      id: `${row.id}.${row.run}`,
      principal: `${row.tenant}/${sessionOf(row)}`,
      seed: row.seed,
      startedAtMs: recorded.startedAtMs,
      replay: recorded.replay,
      signal: AbortSignal.any([signal, context.signal]),
      call(asked) {
        const call: GateCall = {
          ...toGateCall(asked, parts),
          key: keyOf(asked.key),
          seq: parent.seq,
          line: null,
          via: tool,
        }
        const answering = answerCall(call, nested, parts)
        nested.inFlight.add(call, answering)
        parts.runs.trackCall(answering)
        return answering
      },
      record: recorded.settle,
      logged(line) {
        const told = { ...line, tool }
        context.toolLogs.add(parent.key, told)
        parts.runs.get(row.id)?.logs.push(told)
        parts.runs.publish(row.id, () => ({ type: "log", line: told }))
      },
      remembering: rememberingHost(keyOf(""), journal, () => nested, parts),
      isAbandoned: () => signal.reason instanceof AnswerArrived || signal.reason instanceof LeaseLost,
    },
    parts,
  )
}

/** What a human approved and what was done belongs to the code that asked for it. */
const otherCode = ({ path }: GateCall): ToolFailure =>
  fail(
    "conflict",
    `The code of '${path}' was changed while this call waited, so that it does not go on. What it has done so far stays done: look at it, then call the tool again`,
  )
