// Starts a run of an agent: an execution whose program is the agent's loop.
import type { AgentBinding, AgentInput, AgentOnceRequest, AgentProgram, AgentRunReply, AgentRunRequest } from "../core/agents/agent.ts"
import { agentsSlug } from "../core/agents/agent.ts"
import { ownUses } from "../core/agents/own-uses.ts"
import { ExecutorError } from "../core/errors.ts"
import type { ExecutionReply } from "../core/execution.ts"
import type { ExecutionRow } from "../store/execution-store.ts"
import type { Limits } from "../core/limits.ts"
import type { Principal } from "../core/principal.ts"
import { checkAccess } from "../catalog/tools/access.ts"
import { bindingOf, findAgent, findVersion, isPublished, noAgent, notPublished } from "../agents/lifecycle/agent.ts"
import { changeDefinition, checkProvider, contentHash, emptyDefinition, readDefinition } from "../agents/lifecycle/definition.ts"
import { currentAccess } from "../identity/access.ts"
import { requireDebug } from "../identity/debug-right.ts"
import { roleSubject } from "../policy/visible.ts"
import { isEditor } from "../registry/tool.ts"
import { prepareArgsCheck } from "../arguments/arguments.ts"
import type { EngineParts } from "./engine-parts.ts"
import { asksToStart } from "./programs/agent-start.ts"
import { newRow, requireWorkspace, startRow } from "./executions/execute.ts"

export async function runAgent(principal: Principal, slug: string, request: AgentRunRequest, parts: EngineParts): Promise<AgentRunReply> {
  const agent = request.mode === "debug" ? await workingCopy(principal, slug, parts) : await published(principal, slug, parts)
  return start(principal, agent, request, parts)
}

const onceInstructions = "Do what you are asked, with the help of your tools. Answer briefly."

/** Nothing of it is stored but the run. */
export async function runAgentOnce(
  principal: Principal,
  { agent, ...request }: AgentOnceRequest,
  parts: EngineParts,
): Promise<AgentRunReply> {
  requireDebug(await currentAccess(principal, parts))
  const definition = changeDefinition({ name: "Once", instructions: onceInstructions, ...agent }, emptyDefinition, parts.limits)
  await checkProvider(principal, definition, parts.store)
  const { user } = principal
  const version = `0.0.0+once.${contentHash(definition).slice(0, 16)}`
  return start(principal, { agentId: "", slug: "once", version, definition, writtenBy: user, publishedBy: user }, request, parts)
}

async function start(principal: Principal, agent: AgentBinding, request: AgentRunRequest, parts: EngineParts): Promise<AgentRunReply> {
  const { mode = "production", wait = true, workspace, signal, onStart, ...input } = request
  if (workspace !== undefined) requireWorkspace(principal, workspace, parts)
  checkInput(input, agent, parts.limits)
  const own = agent.writtenBy === principal.user ? ("all" as const) : ownUses(agent.definition.tools)
  const isAsked = agent.agentId !== "" && (await asksToStart(principal, agent, input, parts))
  const program: AgentProgram = { agent, input, own, ...(isAsked ? { asks: true } : {}) }
  const base = newRow(principal, { code: JSON.stringify(program), mode, ...(workspace === undefined ? {} : { workspace }) }, parts)
  const wallMs = agent.definition.limits.wallMs ?? parts.limits.agentWallMs
  const row: ExecutionRow = { ...base, program: "agent", wallMs }
  const waiting = { wait, ...(signal === undefined ? {} : { signal }), ...(onStart === undefined ? {} : { onStart }) }
  return toRunReply(await startRow(principal, row, waiting, parts))
}

const toRunReply = (reply: ExecutionReply): AgentRunReply => ({
  ...reply,
  runId: reply.executionId,
  output: reply.structured.status === "completed" ? reply.structured.result : null,
})

/** Whoever may call the agent's tool may run it. */
async function published(principal: Principal, ref: string, parts: EngineParts): Promise<AgentBinding> {
  const row = await parts.store.agents.find(principal, ref)
  if (row === null) throw noAgent(ref)
  if (!isPublished(row)) throw isEditor(principal) ? notPublished(row) : noAgent(ref)
  const { isVisible } = await currentAccess(principal, parts)
  if (!isVisible(roleSubject(agentsSlug, row.slug))) throw noAgent(ref)
  const access = await checkAccess(principal, `${agentsSlug}.${row.slug}`, parts)
  if (!access.ok && access.error.code === "tool_blocked") throw new ExecutorError("tool_blocked", access.error.message)
  if (!access.ok) throw noAgent(ref)
  return bindingOf(row, await findVersion(principal, row, row.publishedVersion ?? "", parts.store))
}

async function workingCopy(principal: Principal, ref: string, parts: EngineParts): Promise<AgentBinding> {
  requireDebug(await currentAccess(principal, parts))
  const row = await findAgent(principal, ref, parts.store)
  const definition = readDefinition(row)
  const version = `${row.version}+working.${row.contentHash.slice(0, 16)}`
  return { agentId: row.id, slug: row.slug, version, definition, writtenBy: row.writtenBy, publishedBy: row.writtenBy }
}

function checkInput(input: AgentInput, { definition, slug }: AgentBinding, limits: Limits): void {
  const bytes = Buffer.byteLength(JSON.stringify(input))
  if (bytes > limits.codeBytesMax)
    throw new ExecutorError("payload_too_large", `The input of a run has ${bytes} bytes; the maximum is ${limits.codeBytesMax}`)
  if (definition.inputSchema === null || input.input === undefined) return
  const whole = { type: "object", properties: { input: definition.inputSchema }, $defs: definition.inputSchema["$defs"] ?? {} }
  const args = { input: input.input }
  const checked = prepareArgsCheck(whole, () => undefined).check(args, JSON.stringify(args))
  if (!checked.ok)
    throw new ExecutorError("invalid_request", `The input does not fit the agent '${slug}': ${checked.message}`, { issues: checked.issues })
}
