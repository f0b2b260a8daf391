// The one mapping from errors to API responses.
import type { ErrorCode } from "../../core/errors.ts"
import { ExecutorError, errorTable } from "../../core/errors.ts"
import { isRecord } from "../../core/json/record.ts"
import type { Log } from "../../io/log.ts"
import { jsonResponse } from "./response.ts"

type ErrorBody = { readonly error: { readonly code: ErrorCode; readonly message: string; readonly details?: unknown } }

/** Codes that belong in an envelope reach a caller of the API only as the reason why a request could not be served. */
export const httpStatus = (code: ErrorCode): number => errorTable[code].httpStatus ?? 400

function extraHeaders({ code, details }: ExecutorError): Record<string, string> {
  if (code === "unauthorized") return { "www-authenticate": 'Bearer realm="executor"' }
  return code === "rate_limited" ? { "retry-after": retryAfter(details) } : {}
}

/** In whole seconds. */
function retryAfter(details: unknown): string {
  const waitMs = isRecord(details) ? details["retryAfterMs"] : undefined
  return typeof waitMs === "number" ? String(Math.max(1, Math.ceil(waitMs / 1000))) : "1"
}

export function errorResponse(error: unknown, requestId: string, log: Log): Response {
  const known = knownError(error, requestId, log)
  return jsonResponse(httpStatus(known.code), bodyOf(known), requestId, extraHeaders(known))
}

/** For where the status is sent already. */
export const errorBody = (error: unknown, requestId: string, log: Log): ErrorBody => bodyOf(knownError(error, requestId, log))

/** The path exists, the method does not. */
export function methodResponse(method: string, allow: string, requestId: string): Response {
  const error = new ExecutorError("invalid_request", `This path does not support ${method}; it supports ${allow}`)
  return jsonResponse(405, bodyOf(error), requestId, { allow })
}

/** The message of a bug may hold anything, so it goes to the log alone; the request id finds it there. */
function knownError(error: unknown, requestId: string, log: Log): ExecutorError {
  if (error instanceof ExecutorError) return error
  log.error({ requestId, err: error }, "A request failed unexpectedly")
  return new ExecutorError("internal", `The server failed unexpectedly; look up the reason in its log under ${requestId}`, {
    id: requestId,
  })
}

function bodyOf(error: ExecutorError): ErrorBody {
  const { code, message } = error
  return isJson(error.details) ? { error: { code, message, details: error.details } } : { error: { code, message } }
}

function isJson(details: unknown): boolean {
  try {
    return JSON.stringify(details) !== undefined
  } catch {
    return false
  }
}
