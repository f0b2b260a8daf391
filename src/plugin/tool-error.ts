// The error that a plugin throws to choose the code of a failure.
import type { ErrorCode } from "../core/errors.ts"
import type { ToolError as ToolErrorFields } from "../core/result.ts"

/** The codes that are a tool's own to give; the others are said by the gate. */
export const toolErrorCodes = [
  "upstream_error",
  "upstream_unreachable",
  "timeout",
  "rate_limited",
  "response_too_large",
  "invalid_arguments",
  "auth_required",
  "approval_declined",
  "approval_cancelled",
  "not_found",
  "conflict",
  "forbidden",
] as const satisfies readonly ErrorCode[]
export type ToolErrorCode = (typeof toolErrorCodes)[number]

export class ToolError extends Error {
  override readonly name = "ToolError"
  readonly code: ToolErrorCode
  readonly status: number | undefined
  readonly details: unknown
  readonly retryable: boolean | undefined
  constructor(code: ToolErrorCode, message: string, extra: Omit<ToolErrorFields, "code" | "message"> = {}) {
    super(message)
    this.code = code
    this.status = extra.status
    this.details = extra.details
    this.retryable = extra.retryable
  }
}
