// Every error code of the product in one table, with its HTTP status.

type ErrorRow = {
  /** The status of the HTTP response; null if the code only occurs inside a result envelope. */
  readonly httpStatus: number | null
  readonly retryable: boolean
  readonly when: string
}

export const errorTable = {
  tool_not_found: { httpStatus: 404, retryable: false, when: "The principal cannot see such a tool; the details suggest up to five." },
  tool_ambiguous: { httpStatus: 400, retryable: false, when: "A short path matches several tools; the details list the full paths." },
  invalid_arguments: { httpStatus: null, retryable: false, when: "The arguments do not match the tool's schema; nothing was sent." },
  tool_blocked: { httpStatus: 403, retryable: false, when: "A policy blocks the tool, or the role does not allow it." },
  approval_required: { httpStatus: null, retryable: false, when: "A human must approve the call, and the call cannot pause." },
  approval_declined: { httpStatus: null, retryable: false, when: "The human declined the call." },
  approval_cancelled: { httpStatus: null, retryable: false, when: "The human cancelled the request." },
  auth_required: { httpStatus: null, retryable: false, when: "The connection has no usable credential." },
  upstream_error: { httpStatus: null, retryable: false, when: "The upstream answered with an error; its status and body are included." },
  upstream_unreachable: { httpStatus: null, retryable: true, when: "The upstream could not be reached, or reaching it is not allowed." },
  timeout: { httpStatus: null, retryable: true, when: "The call did not finish before its deadline." },
  rate_limited: { httpStatus: 429, retryable: true, when: "Too many requests, here or at the upstream." },
  response_too_large: { httpStatus: null, retryable: false, when: "The response exceeds the size limit." },
  budget_exceeded: { httpStatus: null, retryable: false, when: "Too many calls or bytes in one execution." },
  outcome_unknown: {
    httpStatus: null,
    retryable: false,
    when: "The process stopped during a call that changes data; the call may have taken effect.",
  },
  invalid_request: { httpStatus: 400, retryable: false, when: "The request is invalid; the message says why." },
  unknown_implementation_type: {
    httpStatus: 400,
    retryable: false,
    when: "A registry tool has an implementation type that this version does not know.",
  },
  unauthorized: { httpStatus: 401, retryable: false, when: "The token is missing or invalid." },
  forbidden: { httpStatus: 403, retryable: false, when: "The principal is not allowed to do this." },
  not_found: { httpStatus: 404, retryable: false, when: "It does not exist, or the principal cannot see it." },
  conflict: { httpStatus: 409, retryable: false, when: "It already exists, or was changed in the meantime." },
  already_answered: { httpStatus: 409, retryable: false, when: "The approval already has a different answer." },
  payload_too_large: { httpStatus: 413, retryable: false, when: "The body or document exceeds its size limit." },
  internal: { httpStatus: 500, retryable: false, when: "An internal error; search the log for the id in the message." },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof errorTable

/** The error that callers of a surface receive. Inside an execution errors are values, see `result.ts`. */
export class ExecutorError extends Error {
  override readonly name = "ExecutorError"
  readonly code: ErrorCode
  readonly details: unknown
  /** The id of the request that failed, where the error came over HTTP: the server's log has it. */
  readonly requestId: string | null
  constructor(code: ErrorCode, message: string, details?: unknown, requestId: string | null = null) {
    super(message)
    this.code = code
    this.details = details
    this.requestId = requestId
  }
}
