// Says why a model gave no answer, in our kinds and without anything secret.
import { APICallError } from "@ai-sdk/provider"
import type { Clock } from "../../io/clock.ts"
import { OutboundBreak } from "../../io/network/outbound.ts"
import { retryAfterMs } from "../../io/network/retry-after.ts"
import type { ModelFailure, ModelFailureKind } from "../model.ts"

export type FailureContext = {
  /** Of the provider, for people. */
  readonly host: string
  readonly apiKey: string | null
  readonly signal: AbortSignal
  /** Aborted when the answer took too long. */
  readonly deadline: AbortSignal
  readonly isPartial: boolean
  readonly clock: Clock
}

const detailCharsMax = 500

export function toFailure(error: unknown, context: FailureContext): ModelFailure {
  const { kind, message, ...rest } = classify(error, context)
  const clean = context.apiKey === null || context.apiKey === "" ? message : message.replaceAll(context.apiKey, "***")
  return { ok: false, kind, message: clean, ...rest, ...(context.isPartial ? { isPartial: true as const } : {}) }
}

type Classified = { readonly kind: ModelFailureKind; readonly message: string; readonly retryAfterMs?: number }

function classify(error: unknown, { host, signal, deadline, clock }: FailureContext): Classified {
  if (signal.aborted) return { kind: "cancelled", message: "The question to the model was cancelled" }
  if (deadline.aborted) return { kind: "timeout", message: `${host} did not finish its answer in time; try again, or ask for less` }
  const network = breakIn(error)
  if (network !== null) return ofNetwork(network, host)
  if (APICallError.isInstance(error)) return ofStatus(error, host, clock)
  // A provider can also say in the middle of a stream what went wrong.
  const text = textOf(error)
  if (/rate.?limit|overloaded|too many requests/i.test(text))
    return { kind: "rate_limited", message: `${host} is overloaded: ${text}. Try again later` }
  if (isTooLong(text)) return tooLong(text)
  if (/server.?error|internal error|unavailable/i.test(text)) return { kind: "server_error", message: `${host} failed: ${text}` }
  return { kind: "invalid_answer", message: `The answer of ${host} could not be read: ${text}` }
}

/** The packages wrap it, or not. */
function breakIn(error: unknown): OutboundBreak | null {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1)
    if (at instanceof OutboundBreak) return at
  return null
}

function ofNetwork({ failure }: OutboundBreak, host: string): Classified {
  switch (failure.code) {
    case "timeout":
      return { kind: "timeout", message: failure.message }
    case "response_too_large":
      return { kind: "invalid_answer", message: failure.message }
    case "upstream_unreachable":
      return failure.retryable
        ? { kind: "unreachable", message: `${host} could not be reached: ${failure.message}` }
        : { kind: "refused", message: failure.message }
  }
}

function ofStatus(error: APICallError, host: string, clock: Clock): Classified {
  const { statusCode: status, responseHeaders = {} } = error
  const text = `${error.message} ${error.responseBody ?? ""}`
  const said = textOf(error)
  if (status === undefined) return { kind: "unreachable", message: `${host} could not be reached: ${said}` }
  // A limit of tokens per minute sounds like one of a question. What cannot pass however long one waits says so.
  const isBusy = status === 429 && !/must be reduced/i.test(text)
  if (!isBusy && (isTooLong(text) || status === 413 || status === 429)) return tooLong(said)
  const retryMs = retryAfterMs(responseHeaders["retry-after"], clock)
  const after = retryMs === null ? {} : { retryAfterMs: retryMs }
  if (status === 401 || status === 403)
    return { kind: "auth", message: `${host} refuses the key (${status}): ${said}. Set another one with PATCH /models/providers/{id}` }
  if (isBusy) return { kind: "rate_limited", message: `${host} asks to wait (429): ${said}`, ...after }
  if (status >= 500 || status === 408) return { kind: "server_error", message: `${host} failed (${status}): ${said}`, ...after }
  if (status >= 400) return { kind: "refused", message: `${host} refuses the question (${status}): ${said}` }
  return { kind: "invalid_answer", message: `The answer of ${host} could not be read: ${said}` }
}

const isTooLong = (text: string): boolean =>
  /context.?length|context.?window|maximum context|prompt is too long|too many tokens|input is too long|exceed.{0,40}token/i.test(text)

const tooLong = (said: string): Classified => ({
  kind: "context_too_long",
  message: `The conversation is too long for the model: ${said}. Use a model with a longer context, or let the tools answer with less`,
})

/** Our own sentences go on behind it. */
function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message : typeof error === "string" ? error : (JSON.stringify(error) ?? String(error))
  const cut = text.slice(0, detailCharsMax).trim()
  return cut.endsWith(".") ? cut.slice(0, -1) : cut
}
