// Asks before a run of an agent begins, wherever calling that agent as a tool would ask.
//
// The question is a call of the run itself, with a key of its own: it passes the gate and is journaled like any other, so
// that its answer is found again in every replay. Nothing is asked of a model before it was answered.
import { agentAddress } from "../../core/agents/agent.ts"
import type { AgentBinding, AgentInput, AgentProgram } from "../../core/agents/agent.ts"
import { withoutRoot } from "../../core/address.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Principal } from "../../core/principal.ts"
import type { ToolResult } from "../../core/result.ts"
import type { PolicyEvaluator } from "../../catalog/policies/evaluator.ts"
import { blocked } from "../../catalog/tools/access.ts"
import { sha256 } from "../../io/ids.ts"
import type { SandboxEnd, SandboxHost, SandboxOutcome } from "../../sandbox/sandbox.ts"
import type { CallTarget, ToolCall } from "../gate/call.ts"
import { makerOfAgent, withConsentTo } from "../gate/own-consent.ts"
import type { OwnConsentParts } from "../gate/own-consent.ts"

const startKey = "start"
/** Before those of the loop, which count from 0. */
const startSeq = -1

/** Throws where a rule blocks the agent. */
export async function asksToStart(
  principal: Principal,
  agent: AgentBinding,
  input: AgentInput,
  parts: OwnConsentParts & { readonly policyEvaluator: PolicyEvaluator },
): Promise<boolean> {
  const target = await startTarget(principal, agent, parts)
  const { action } = await parts.policyEvaluator.decide(principal, target, { ...input })
  if (action === "block") throw new ExecutorError("tool_blocked", blocked(target.subject).error.message)
  return action === "require_approval"
}

/** Of the call that asks; null for all others. */
export const startTargetOf =
  ({ agent, asks }: AgentProgram, parts: OwnConsentParts) =>
  ({ key }: ToolCall, principal: Principal): Promise<CallTarget> | null =>
    asks === true && key === startKey ? startTarget(principal, agent, parts) : null

/** The agent's tool, as the version that runs has it; there is nothing to call. */
function startTarget(principal: Principal, agent: AgentBinding, parts: OwnConsentParts): Promise<CallTarget> {
  const address = agentAddress(agent.slug)
  const target: CallTarget = {
    address,
    subject: withoutRoot(address),
    effect: "read",
    requiresApproval: false,
    effectOf: null,
    execution: null,
    readArgs: null,
    alwaysAsks: false,
    version: () => agent.version,
    title: agent.definition.name,
    approvalDescription: null,
    definitionHash: () => sha256(JSON.stringify(agent)),
    // The input of a run is checked before it is started.
    checkArgs: () => Promise.resolve(null),
    preview: () => null,
    open: () => Promise.resolve({ ok: true, secrets: [], call: () => Promise.resolve({ ok: true, data: null }) }),
  }
  return withConsentTo(principal, makerOfAgent(agent), target, parts)
}

/** Null where the loop may begin. */
export async function askToStart(program: AgentProgram, host: SandboxHost, signal: AbortSignal): Promise<SandboxOutcome | null> {
  if (program.asks !== true) return null
  const path = withoutRoot(agentAddress(program.agent.slug))
  const argsJson = JSON.stringify(program.input)
  const answer = await host.call({ kind: "tool", key: startKey, seq: startSeq, path, argsJson, line: null })
  if (signal.aborted) return toOutcome({ status: "stopped", reason: "cancelled", message: "The run was cancelled" })
  if (answer.form === "pending") return toOutcome({ status: "waiting", pending: [startKey] })
  const result = JSON.parse(answer.json) as ToolResult // an envelope, as every tool's answer
  if (result.ok) return null
  const { code, message } = result.error
  return toOutcome({ status: "threw", error: { code: "thrown", name: "ToolError", message, toolError: { tool: path, code } } })
}

const toOutcome = (end: SandboxEnd): SandboxOutcome => ({ ...end, report: { logs: [], logsDropped: 0, emitted: [], cpuMs: 0 } })
