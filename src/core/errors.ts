// Every error code of the product in one table, with the HTTP status it has at the API.

type ErrorRow = {
  /** The status at the HTTP API; null where the code only occurs inside a result envelope. */
  readonly httpStatus: number | null
  readonly retryable: boolean
  readonly when: string
}

export const errorTable = {
  tool_not_found: { httpStatus: 404, retryable: false, when: "No such tool for this principal; the details suggest up to five." },
  tool_ambiguous: { httpStatus: 400, retryable: false, when: "A short path fits several tools; the details list the full paths." },
  invalid_arguments: { httpStatus: null, retryable: false, when: "The arguments break the tool's schema; nothing was sent." },
  tool_blocked: { httpStatus: 403, retryable: false, when: "A policy blocks the tool, or the role does not allow it." },
  approval_required: { httpStatus: null, retryable: false, when: "A human must approve the call, and the call cannot pause." },
  approval_declined: { httpStatus: null, retryable: false, when: "The human said no." },
  approval_cancelled: { httpStatus: null, retryable: false, when: "The human cancelled the request." },
  auth_required: { httpStatus: null, retryable: false, when: "The connection has no usable credential." },
  upstream_error: { httpStatus: null, retryable: false, when: "The upstream answered with an error; its status and body are included." },
  upstream_unreachable: { httpStatus: null, retryable: true, when: "The upstream could not be reached, or may not be." },
  timeout: { httpStatus: null, retryable: true, when: "The call did not end before its deadline." },
  rate_limited: { httpStatus: 429, retryable: true, when: "Too many requests, here or at the upstream." },
  response_too_large: { httpStatus: null, retryable: false, when: "The answer is over the response limit." },
  budget_exceeded: { httpStatus: null, retryable: false, when: "Too many calls or bytes in one execution." },
  outcome_unknown: { httpStatus: null, retryable: false, when: "The process died during a call that is no read: it may have happened." },
  invalid_request: { httpStatus: 400, retryable: false, when: "The request itself is wrong; the message says where." },
  unauthorized: { httpStatus: 401, retryable: false, when: "No token, or one that is not valid." },
  forbidden: { httpStatus: 403, retryable: false, when: "This principal may not do this." },
  not_found: { httpStatus: 404, retryable: false, when: "No such thing for this principal." },
  conflict: { httpStatus: 409, retryable: false, when: "It exists already, or changed in the meantime." },
  already_answered: { httpStatus: 409, retryable: false, when: "The approval has another answer already." },
  payload_too_large: { httpStatus: 413, retryable: false, when: "The body or document is over its limit." },
  internal: { httpStatus: 500, retryable: false, when: "A bug of ours; the id finds it in the log." },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof errorTable

/** What a caller of a surface gets. Inside an execution errors are values, see `result.ts`. */
export class ExecutorError extends Error {
  override readonly name = "ExecutorError"
  readonly code: ErrorCode
  readonly details: unknown
  constructor(code: ErrorCode, message: string, details?: unknown) {
    super(message)
    this.code = code
    this.details = details
  }
}
