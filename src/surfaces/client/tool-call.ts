// Calls one tool over HTTP: code that makes this one call, and its answer as the SDK gives it.
import type { ErrorCode } from "../../core/errors.ts"
import { errorTable } from "../../core/errors.ts"
import { checkExecute } from "../../core/execute-check.ts"
import type { ExecutionReply, Interaction, RunError } from "../../core/execution.ts"
import type { Approve, ExecutorApi } from "../../core/executor-api.ts"
import type { ToolFailure, ToolResult } from "../../core/result.ts"
import { callCode, isEnvelope } from "../../core/call/code.ts"
import { readWholeResult } from "../../core/call/whole-result.ts"

type Calls = Pick<ExecutorApi, "run" | "resume" | "executions">

export const toolCall =
  (calls: Calls): ExecutorApi["execute"] =>
  async (address, args = {}, options = {}) => {
    checkExecute(address, options)
    const { approve, signal, timeoutMs } = options
    const odd = oddValue(args)
    if (odd !== null) return refuse("invalid_arguments", `The arguments contain ${odd}, which JSON cannot represent`)
    const reply = await calls.run(callCode(address, args), {
      approval: typeof approve === "function" ? "pause" : "throw",
      ...(approve === "auto" ? { autoApprove: true } : {}),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(signal === undefined ? {} : { signal }),
    })
    if (typeof approve !== "function") return readReply(reply, address, calls)
    try {
      return await answerPauses(reply, address, approve, calls)
    } catch (error) {
      await calls.executions.cancel(reply.executionId).catch(() => {}) // The first failure is what the caller is told.
      throw error
    }
  }

async function answerPauses(first: ExecutionReply, address: string, approve: Exclude<Approve, "auto">, calls: Calls): Promise<ToolResult> {
  let reply = first
  while (reply.structured.status === "waiting_for_interaction") {
    const [asked] = reply.structured.interactions
    if (asked === undefined || asked.kind !== "approval") {
      await calls.executions.cancel(reply.executionId)
      return unasked(address, asked)
    }
    const isAccepted = await approve({ address: asked.address, args: asked.args, message: asked.message })
    reply = await calls.resume(reply.executionId, { action: isAccepted ? "accept" : "decline", approvalId: asked.approvalId })
  }
  return readReply(reply, address, calls)
}

async function readReply(reply: ExecutionReply, address: string, calls: Calls): Promise<ToolResult> {
  const { structured } = reply
  if (structured.status === "waiting_for_interaction") return unasked(address, structured.interactions[0])
  if (structured.error !== undefined) return failedRun(structured.error, address)
  const result = await readWholeResult(reply, calls)
  // Discovery built-ins answer code alone, without an envelope.
  return isEnvelope(result) ? result : notFound(address)
}

function failedRun({ code, message }: RunError, address: string): ToolFailure {
  switch (code) {
    case "timeout":
      return refuse("timeout", message)
    case "output_limit":
    case "memory_limit":
      return refuse("response_too_large", message)
    case "cancelled":
    case "approval_expired":
      return refuse("approval_cancelled", message)
    // In this code nothing throws but a built-in, or a path that can be no tool's.
    case "thrown":
      return notFound(address)
    case "syntax":
    case "cpu_limit":
    case "replay_diverged":
    case "limit_reached":
    case "loop_detected":
    case "model_error":
    case "internal":
      return refuse("internal", message)
  }
}

const notFound = (address: string): ToolFailure => refuse("tool_not_found", `Tool path '${address}' not found`)

const unasked = (address: string, asked: Interaction | undefined): ToolFailure =>
  refuse("approval_required", `'${address}' asks a human a question, but a direct call cannot pause. Call it from code with 'run'`, {
    question: { kind: asked?.kind, message: asked?.message },
  })

function refuse(code: ErrorCode, message: string, details?: unknown): ToolFailure {
  const { retryable } = errorTable[code]
  return { ok: false, error: { code, message, ...(details === undefined ? {} : { details }), ...(retryable ? { retryable } : {}) } }
}

/** What JSON would drop or change without a word; without HTTP the check of the arguments refuses the same. */
function oddValue(args: unknown): string | null {
  let odd: string | null = null
  try {
    const text = JSON.stringify(args, (_, value: unknown) => {
      if (typeof value === "function" || typeof value === "symbol") odd ??= `a ${typeof value}`
      if (typeof value === "number" && !Number.isFinite(value)) odd ??= String(value)
      return value
    })
    return odd ?? (text === undefined ? "no value" : null)
  } catch (error) {
    return error instanceof TypeError && /BigInt/.test(error.message) ? "a bigint" : "a circle"
  }
}
