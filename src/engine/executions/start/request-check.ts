// Refuses requests to run code that cannot be what their caller means.
import { ExecutorError } from "../../../core/errors.ts"
import { approvalModes, executionModes, resultsModes } from "../../../core/execution.ts"
import type { ExecutionRequest } from "../../../core/execution.ts"
import type { Limits } from "../../../core/limits.ts"
import type { Principal } from "../../../core/principal.ts"

/** Callers without a type checker are told of a misspelt one, rather than served without it. */
const requestFields = [
  "code",
  "timeoutMs",
  "results",
  "approval",
  "autoApprove",
  "mode",
  "workspace",
  "replayOf",
  "session",
  "signal",
  "cancelOnDisconnect",
  "left",
  "onStart",
  "wait",
  "questions",
]

export function checkRequest(principal: Principal, request: ExecutionRequest, limits: Limits): void {
  const unknownName = Object.keys(request).find((name) => !requestFields.includes(name))
  if (unknownName !== undefined)
    throw new ExecutorError("invalid_request", `Unknown option '${unknownName}'; run takes ${requestFields.slice(1).join(", ")}`)
  if (request.autoApprove !== undefined && typeof request.autoApprove !== "boolean")
    throw new ExecutorError("invalid_request", "autoApprove must be true or false")
  if (request.wait !== undefined && typeof request.wait !== "boolean")
    throw new ExecutorError("invalid_request", "wait must be true or false")
  if (request.wait === false && request.cancelOnDisconnect === true)
    throw new ExecutorError("invalid_request", "cancelOnDisconnect needs somebody who waits; leave out wait")
  if (typeof request.code !== "string") throw new ExecutorError("invalid_request", "code must be a string")
  if (request.results !== undefined && !resultsModes.includes(request.results))
    throw new ExecutorError("invalid_request", `results must be one of ${resultsModes.join(", ")}`)
  if (request.approval !== undefined && !approvalModes.includes(request.approval))
    throw new ExecutorError("invalid_request", `approval must be one of ${approvalModes.join(", ")}`)
  if (request.mode !== undefined && !executionModes.includes(request.mode))
    throw new ExecutorError("invalid_request", `mode must be one of ${executionModes.join(", ")}`)
  if (request.replayOf !== undefined && typeof request.replayOf !== "string")
    throw new ExecutorError("invalid_request", "replayOf must be the id of an execution")
  const bytes = Buffer.byteLength(request.code)
  if (request.code.trim() === "") throw new ExecutorError("invalid_request", "code is empty")
  if (bytes > limits.codeBytesMax)
    throw new ExecutorError("payload_too_large", `code is ${bytes} bytes; the maximum is ${limits.codeBytesMax}`)
  const { timeoutMs } = request
  if (timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && timeoutMs >= 1 && timeoutMs <= limits.executionWallMsMax)) {
    throw new ExecutorError("invalid_request", `timeoutMs must be a number from 1 to ${limits.executionWallMsMax}`)
  }
  if (request.autoApprove === true && principal.kind === "agent")
    throw new ExecutorError("forbidden", "An agent cannot approve calls; leave out autoApprove")
}
