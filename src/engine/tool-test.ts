// Tests the working copy of a registry tool: one call of it, as an execution in debug mode.
import { callCode, isEnvelope } from "../core/call/code.ts"
import { readWholeResult } from "../core/call/whole-result.ts"
import { ExecutorError } from "../core/errors.ts"
import type { ExecutionReply, StructuredOutcome } from "../core/execution.ts"
import type { Principal } from "../core/principal.ts"
import { registrySlug } from "../core/registry/tool.ts"
import type { RegistryToolAnswer, RegistryToolTest } from "../core/registry/tool.ts"
import { currentAccess } from "../identity/access.ts"
import type { EngineParts } from "./engine-parts.ts"
import { requireDebug } from "../identity/debug-right.ts"
import { execute } from "./executions/execute.ts"
import { readResult } from "./executions/history.ts"

export async function testTool(
  principal: Principal,
  id: string,
  input: Readonly<Record<string, unknown>>,
  parts: EngineParts,
): Promise<RegistryToolTest> {
  // Before anything is looked up: to others there is nothing to find.
  requireDebug(await currentAccess(principal, parts))
  const tool = await parts.store.registryTools.get(principal, id)
  if (tool === null || tool.builtinKey !== null)
    throw new ExecutorError("not_found", `There is no tool '${id.slice(0, 80)}' in the registry; GET /tools lists them`)
  const reply = await execute(principal, { code: callCode(`${registrySlug}.${tool.slug}`, input), mode: "debug" }, parts)
  return { executionId: reply.executionId, logs: reply.structured.logs, ...(await answerOf(principal, reply, parts)) }
}

async function answerOf(principal: Principal, reply: ExecutionReply, parts: EngineParts): Promise<RegistryToolAnswer> {
  const { structured } = reply
  if (structured.status === "waiting_for_interaction") return waiting(structured)
  if (structured.status === "running") return failure("timeout", "The call is still running; GET /executions/:id shows how it ends")
  if (structured.error !== undefined) return failure(structured.error.code, structured.error.message)
  const result = await readWholeResult(reply, { executions: { result: (id, piece = {}) => readResult(principal, id, piece, parts) } })
  if (!isEnvelope(result)) return failure("internal", "The call did not return an answer")
  if (result.ok) return { ok: true, data: result.data }
  const { code, message, details } = result.error
  return failure(code, message, details)
}

type Waiting = Extract<StructuredOutcome, { status: "waiting_for_interaction" }>

function waiting({ interactions, approvalUrl, executionId }: Waiting): RegistryToolAnswer {
  const [asked] = interactions
  const message = `${asked?.message ?? "The call"} needs a human's answer before it goes on`
  return failure("approval_required", message, { approvalId: asked?.approvalId ?? null, approvalUrl, executionId })
}

const failure = (code: string, message: string, details?: unknown): RegistryToolAnswer => ({
  ok: false,
  error: { code, message, ...(details === undefined ? {} : { details }) },
})
