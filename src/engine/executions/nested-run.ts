// Runs the program that performs a call of an execution, be it code or an agent: its own calls become children of that call in the journal.
import { withoutRoot } from "../../core/address.ts"
import type { AgentProgram } from "../../core/agents/agent.ts"
import type { CodeProgram } from "../../core/call/program.ts"
import type { RunError } from "../../core/execution.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure, ToolResult } from "../../core/result.ts"
import type { ExecutionRow } from "../../store/execution-store.ts"
import type { EngineParts } from "../engine-parts.ts"
import type { GateCall } from "../gate/call.ts"
import { sessionOf } from "../gate/session-value.ts"
import { createAllowance } from "./children/allowance.ts"
import type { ChildRun } from "./children/child-runs.ts"
import { isCancelledAlone } from "./children/end.ts"
import type { HostContext } from "./host.ts"
import { answerCall, rememberingHost } from "./host.ts"
import { toGateCall } from "../programs/gate-call.ts"
import type { ExecutionJournal, ProgramJournal } from "./journal.ts"
import { depthOf } from "../programs/call-tree.ts"
import { cancelledRun, programPrincipal, runProgram } from "../programs/program.ts"
import { AnswerArrived, LeaseLost } from "./run-registry.ts"

export type NestedRunParts = {
  readonly row: ExecutionRow
  readonly journal: ExecutionJournal
  /** Of the run of the execution's own program. */
  readonly signal: AbortSignal
}

export function withPrograms(context: Omit<HostContext, "runCode">, run: NestedRunParts, parts: EngineParts): HostContext {
  const complete: HostContext = { ...context, runCode: (call, program) => runNested(call, program, complete, run, parts) }
  return complete
}

async function runNested(
  parent: GateCall,
  program: CodeProgram,
  context: HostContext,
  run: NestedRunParts,
  parts: EngineParts,
): Promise<ToolResult> {
  const known = context.children.known(parent.key)
  if (known !== undefined && isCancelledAlone(known)) return cancelledRun(known.id, messageOf(known.error))
  const recorded = run.journal.program(parent.key, program.code)
  if (recorded === null) return otherCode(parent)
  const callers = [...context.callers, withoutRoot(parent.path)]
  const isRun = program.kind === "agent" && depthOf(parent.key) < parts.limits.nestedCallsDepthMax
  const { lineage } = context
  const child = isRun
    ? await context.children.open({ key: parent.key, program, startedAtMs: recorded.startedAtMs, lineage, callers })
    : null
  try {
    const result = await perform({ parent, program, recorded, callers, child }, context, run, parts)
    const cancelled = (await child?.overruled()) ?? null
    return cancelled === null ? result : cancelledRun(cancelled.id, messageOf(cancelled.error))
  } finally {
    child?.leave()
  }
}

type Performed = {
  readonly parent: GateCall
  readonly program: CodeProgram
  readonly recorded: ProgramJournal
  readonly callers: readonly string[]
  /** Null for code. */
  readonly child: ChildRun | null
}

function perform(performed: Performed, context: HostContext, run: NestedRunParts, parts: EngineParts): Promise<ToolResult> {
  const { parent, program, recorded, callers, child } = performed
  const { row, journal, signal } = run
  const ended = new AbortController()
  const signals = [context.signal, ended.signal, ...(child === null ? [] : [child.signal])]
  const acting = {
    ...context,
    callers,
    signal: AbortSignal.any(signals),
    principal: programPrincipal(context.principal, program),
    current: async () => programPrincipal(await context.current(), program),
    ...(program.kind === "agent" ? { approvals: context.approvals.forAgents() } : {}),
    ...(child === null ? {} : ofChild(child, performed, context, journal, parts)),
  }
  const nested = withPrograms(acting, run, parts)
  const tool = callers.at(-1) ?? ""
  context.toolLogs.begin(parent.key)
  const keyOf = (key: string): string => `${parent.key}/${key}`
  const remembering = rememberingHost(keyOf(""), journal, () => nested, parts)
  const running = AbortSignal.any([signal, ...signals])
  return runProgram(
    program,
    {
      key: parent.key,
      id: `${row.id}.${row.run}`,
      principal: `${row.tenant}/${sessionOf(row)}`,
      seed: row.seed,
      startedAtMs: recorded.startedAtMs,
      replay: recorded.replay,
      signal: running,
      call(asked) {
        const call: GateCall = { ...toGateCall(asked, parts), key: keyOf(asked.key), seq: parent.seq, line: null, callers }
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
        child?.logged(line)
      },
      said: (text) => child?.said(text),
      runId: child?.id ?? "",
      leftMs: child?.leftMs ?? Math.max(1, program.timeoutMs),
      async settled(outcome) {
        // What it has started ends with it; an end by itself leaves calls behind that it did not want to wait for.
        if (outcome.status === "stopped" || outcome.status === "killed") ended.abort(running.reason ?? new Error("The call has ended"))
        await child?.settle(outcome, running)
      },
      remembering: {
        ...remembering,
        remember(step, work) {
          child?.asks()
          return remembering.remember(step, work)
        },
      },
      isAbandoned: () => signal.reason instanceof AnswerArrived || signal.reason instanceof LeaseLost,
    },
    parts,
  )
}

/** What the calls of an agent's run count for, and which run they are of. */
function ofChild(
  child: ChildRun,
  { parent, program, callers }: Performed,
  context: HostContext,
  journal: ExecutionJournal,
  parts: EngineParts,
) {
  const { agent } = JSON.parse(program.code) as AgentProgram // written by `sources/agents`
  return {
    allowance: createAllowance(`${parent.key}/`, agent.definition, journal.calls(), context.allowance, parts.limits),
    lineage: [...context.lineage, { id: child.id, depth: callers.length }],
  }
}

const messageOf = (error: string | null): string => (error === null ? "The run was cancelled" : (JSON.parse(error) as RunError).message) // written by `children/end.ts`

/** What a human approved and what was done belongs to the code that asked for it. */
const otherCode = ({ path }: GateCall): ToolFailure =>
  fail(
    "conflict",
    `The code of '${path}' was changed while this call waited, so that it does not go on. What it has done so far stays done: look at it, then call the tool again`,
  )
