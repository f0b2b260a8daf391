// Runs the code that performs a call outside of an execution: nothing is replayed, and its own calls are audited one by one.
import { setMaxListeners } from "node:events"
import { withoutRoot } from "../../core/address.ts"
import type { CodeProgram } from "../../core/call/program.ts"
import type { Principal } from "../../core/principal.ts"
import type { ToolResult } from "../../core/result.ts"
import { newId, randomSeed } from "../../io/ids.ts"
import type { SandboxAnswer } from "../../sandbox/sandbox.ts"
import type { EngineParts } from "../engine-parts.ts"
import { createBudget } from "../gate/budget.ts"
import { bugReport } from "../gate/bug-report.ts"
import type { GateCall } from "../gate/call.ts"
import type { GateContext } from "../gate/context.ts"
import { gate } from "../gate/gate.ts"
import type { CallJournal } from "../gate/journal.ts"
import { principalKey } from "../../io/fair-queue.ts"
import { toGateCall } from "./gate-call.ts"
import { programPrincipal, runProgram } from "./program.ts"

type ToolContext = GateContext<ToolResult>

/** Runs of agents are executions all the same. */
export type RunAgent = (principal: Principal, call: GateCall, program: CodeProgram, signal: AbortSignal) => Promise<ToolResult>

export function withUnrecordedPrograms(context: Omit<ToolContext, "runCode">, runAgent: RunAgent, parts: EngineParts): ToolContext {
  const complete: ToolContext = {
    ...context,
    async runCode(call, program) {
      if (program.kind === "agent") return runAgent(context.principal, call, program, context.signal)
      const held = parts.heldBytes.open(principalKey(context.principal))
      try {
        const budget = createBudget(parts.limits, [], held)
        return await runUnrecorded(call, program, { ...codeContext(complete), budget }, runAgent, parts)
      } finally {
        held.close()
      }
    },
  }
  return complete
}

type CodeContext = GateContext<SandboxAnswer>

/** The same place, whose answers are those that code gets. */
const codeContext = (context: ToolContext): CodeContext => ({ ...context, journal: answersForCode(context.journal) })

function runUnrecorded(
  parent: GateCall,
  program: CodeProgram,
  context: CodeContext,
  runAgent: RunAgent,
  parts: EngineParts,
): Promise<ToolResult> {
  const principal = programPrincipal(context.principal, program)
  const nested: CodeContext = {
    ...context,
    principal,
    current: async () => programPrincipal(await context.current(), program),
    runCode: (call, inner) =>
      inner.kind === "agent" ? runAgent(principal, call, inner, context.signal) : runUnrecorded(call, inner, nested, runAgent, parts),
  }
  // Each of many calls listens to it.
  setMaxListeners(0, context.signal)
  const id = newId("prg")
  return runProgram(
    program,
    {
      key: parent.key,
      id,
      principal: principalKey(principal),
      seed: randomSeed(),
      startedAtMs: parts.clock.now().getTime(),
      replay: [],
      signal: context.signal,
      async call(asked) {
        const call: GateCall = {
          ...toGateCall(asked, parts),
          key: `${parent.key}/${asked.key}`,
          line: null,
          callers: [...(parent.callers ?? []), withoutRoot(parent.path)],
        }
        try {
          return await gate(call, nested, parts)
        } catch (error) {
          return nested.journal.refused(call, bugReport(error, call.path, parts.log))
        }
      },
      record: () => {},
      logged: (line) => context.notify(parent.path, { type: "log", ...line }),
      said: () => {},
      runId: id,
      leftMs: Math.max(1, program.timeoutMs),
      settled: async () => {},
      // Nothing is recorded, so that nothing can be recalled.
      remembering: {
        current: () => nested.current(),
        recall: () => null,
        remember: (_step, work) => work(context.signal),
        approvalOf: () => null,
        addressOf: () => null,
        argsOf: () => null,
        mayCall: () => true,
        spent: () => ({ usage: [], isSpentAbove: false }),
      },
      isAbandoned: () => false,
    },
    parts,
  )
}

/** The journal of calls outside of executions, in the form of answers that code gets. */
function answersForCode(journal: CallJournal<ToolResult>): CallJournal<SandboxAnswer> {
  const envelope = (result: ToolResult): SandboxAnswer => ({ form: "envelope", json: JSON.stringify(result) })
  return {
    replay: () => ({ state: "new" }),
    started: (call, target, verdict, approvalId) => journal.started(call, target, verdict, approvalId),
    refused: (call, failure, target, verdict) =>
      call.kind === "tool"
        ? envelope(journal.refused(call, failure, target, verdict))
        : { form: "reject", json: JSON.stringify(failure.error) },
    answered: (_call, { form, json }) => ({ form, json }),
    waiting: (call, target, verdict, approvalId) => envelope(journal.waiting(call, target, verdict, approvalId)),
    done: async (call, target, verdict, result) => envelope(await journal.done(call, target, verdict, result)),
  }
}
