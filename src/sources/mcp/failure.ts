// Translates failures of a server into the messages and codes of the envelope.
import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from "@modelcontextprotocol/client"
import { ExecutorError } from "../../core/errors.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure } from "../../core/result.ts"
import { executorCommandOnPages } from "../../io/executor-command.ts"
import { OutboundBreak } from "../../io/network/outbound.ts"
import { boundedText } from "../document-value.ts"
import { QuestionsMixed } from "./session/calls-question.ts"
import type { SessionEnding } from "./session/session.ts"

export type FailureContext = {
  /** When it began, by the monotonic clock: what is told of a timeout is how long was waited. */
  readonly startedAtMs: number
  /** A read may simply be tried again; whether anything else happened is not known. */
  readonly isRead: boolean
  /** Why the session is over, if it is. */
  readonly ending: SessionEnding | null
  readonly isCancelled: boolean
  /** How a server gets more time to start; where it is not said, by the config of its integration. */
  readonly slowStartAdvice?: string
  redact(text: string): string
}

const messageCharsMax = 2000

/** The server does not know the session that we have with it: it was restarted, or dropped it. */
export const isSessionLost = (error: unknown): boolean => error instanceof SdkHttpError && error.status === 404

export function toFailure(error: unknown, context: FailureContext): ToolFailure {
  const failure = rawFailure(error, context)
  return { ok: false, error: { ...failure.error, message: boundedText(context.redact(failure.error.message), messageCharsMax) } }
}

function rawFailure(error: unknown, context: FailureContext): ToolFailure {
  if (context.isCancelled) return fail("timeout", "The call was cancelled", { retryable: false })
  const broken = causeOf(error, (one) => one instanceof OutboundBreak)
  if (broken instanceof OutboundBreak)
    return fail(broken.failure.code, broken.failure.message, { retryable: broken.failure.retryable && context.isRead })
  if (error instanceof ExecutorError) return fail(error.code, error.message)
  if (error instanceof QuestionsMixed)
    return fail("upstream_error", `${error.message}, so that none could be answered. Call the tool again: it will then be called alone`, {
      retryable: true,
    })
  if (error instanceof UnauthorizedError) return unauthorized(401)
  if (error instanceof InsufficientScopeError) return insufficient(error)
  if (error instanceof SdkHttpError) return httpFailure(error)
  if (error instanceof SdkError) return sdkFailure(error, context)
  if (error instanceof ProtocolError)
    return fail("upstream_error", error.message, { details: { code: error.code, ...(isSmall(error.data) ? { data: error.data } : {}) } })
  if (error instanceof RangeError) return fail("response_too_large", "The server's message is nested too deeply to be read")
  if (context.ending !== null) return closed(context.ending, context)
  return fail("upstream_unreachable", `The server could not be reached: ${error instanceof Error ? error.message : String(error)}`)
}

function sdkFailure(error: SdkError, context: FailureContext): ToolFailure {
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return fail(
        "timeout",
        `The server did not answer within ${secondsSince(context.startedAtMs)} s${startText(error, context.slowStartAdvice)}`,
      )
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
    case SdkErrorCode.SendFailed:
      return closed(context.ending ?? { code: "upstream_unreachable", message: error.message }, context)
    case SdkErrorCode.InvalidResult:
    case SdkErrorCode.UnsupportedResultType:
      return fail("upstream_error", `The server's response does not conform to MCP: ${error.message}`)
    default:
      return fail("upstream_error", error.message)
  }
}

function secondsSince(startedAtMs: number): number {
  const seconds = (performance.now() - startedAtMs) / 1000
  return seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds)
}

/** A server that was not ready in time. A program that runs and does not answer may have said why. */
export const startTimeout = (error: SdkError, lastWords: string): SdkError =>
  new SdkError(error.code, error.message, { isStart: true, lastWords }, { cause: error })

const integrationAdvice = `run: ${executorCommandOnPages} integrations update <slug> --config '{"timeoutSeconds":60}'`

function startText({ data }: SdkError, advice = integrationAdvice): string {
  if (typeof data !== "object" || data === null || !("isStart" in data) || !("lastWords" in data)) return ""
  const lastWords = data.lastWords === "" ? "" : `. It is still running; its last output:\n${String(data.lastWords)}`
  return `. If it needs longer to start, ${advice}${lastWords}`
}

function closed({ code, message }: SessionEnding, { isRead }: FailureContext): ToolFailure {
  if (code === "response_too_large") return fail(code, message)
  return fail(code, isRead ? message : `${message}\nThe call may or may not have taken effect`, { retryable: isRead })
}

function httpFailure(error: SdkHttpError): ToolFailure {
  const { status } = error
  if (status === 401) return unauthorized(status)
  if (status === 404) return fail("upstream_unreachable", "The server had lost the session; nothing was done. Call the tool again")
  if (status === 429) return fail("rate_limited", error.message, { status })
  return fail("upstream_error", error.message, { status })
}

const unauthorized = (status: number): ToolFailure =>
  fail("auth_required", "The server requires authorization, or does not accept this connection's credential", { status })

/** The consent was for less than this needs: only another one helps. */
function insufficient({ requiredScope }: InsufficientScopeError): ToolFailure {
  const scopes = requiredScope?.split(" ").filter(Boolean) ?? []
  const wanted = scopes.length === 0 ? "" : ` (${scopes.join(" ")})`
  return fail("auth_required", `The server requires more scopes than this connection has${wanted}; connect it again with more scopes`, {
    status: 403,
    details: { scopes },
  })
}

/** The SDK wraps what its transports throw. */
function causeOf(error: unknown, isWanted: (one: unknown) => boolean): unknown {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1) if (isWanted(at)) return at
  return null
}

function isSmall(data: unknown): boolean {
  return data !== undefined && JSON.stringify(data).length <= messageCharsMax
}
