// Turns a network error into a sentence that people understand and that contains no secret.
import type { Target } from "./address-guard.ts"
import { showTarget } from "./address-guard.ts"
import { ConnectionRefusal } from "./connect-guard.ts"
import type { OutboundFailure } from "./outbound.ts"

const connectReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "host name not found",
  EAI_AGAIN: "name resolution failed",
  EHOSTUNREACH: "no route to host",
  ENETUNREACH: "network unreachable",
  ETIMEDOUT: "no answer",
  UND_ERR_CONNECT_TIMEOUT: "no answer",
  EADDRNOTAVAIL: "address not available",
}

const answerReasons: Readonly<Record<string, string>> = {
  ECONNRESET: "closed the connection before its response was complete",
  EPIPE: "closed the connection before the request was complete",
  UND_ERR_SOCKET: "closed the connection before its response was complete",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "sent a response whose length differs from its content-length",
  UND_ERR_HEADERS_OVERFLOW: "sent headers that are too large",
}

/** Codes with which a connection ends before or while an answer is sent. */
const resetCodes: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"])

export const isReset = (error: unknown): boolean => resetCodes.has(codeOf(error))

export function networkFailure(error: unknown, target: Target): OutboundFailure {
  if (error instanceof ConnectionRefusal) return unreachable(error.message, "final")
  const code = codeOf(error)
  const host = showTarget(target)
  if (connectReasons[code] !== undefined) return unreachable(`Could not connect to ${host} (${connectReasons[code]})`)
  if (answerReasons[code] !== undefined) return sent(unreachable(`${host} ${answerReasons[code]}`))
  if (error instanceof Error && error.name === "HTTPParserError") return sent(unreachable(`${host} did not respond with HTTP/1.1`))
  if (isTlsCode(code)) return unreachable(`Could not connect to ${host} (TLS: ${code})`, "final")
  if (code === "UND_ERR_INVALID_ARG" || code === "UND_ERR_NOT_SUPPORTED")
    return unreachable("The request has a header, method or path that HTTP does not allow", "final")
  return sent(unreachable(`The exchange with ${host} failed (${code === "" ? "unknown network error" : code})`))
}

/** Of a request that was, or may have been, sent. */
export const sent = (failure: OutboundFailure): OutboundFailure => ({ ...failure, mayHaveArrived: true })

export const unreachable = (message: string, kind: "transient" | "final" = "transient"): OutboundFailure => ({
  ok: false,
  code: "upstream_unreachable",
  message,
  retryable: kind === "transient",
})

const isTlsCode = (code: string): boolean => /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code)

/** The code of an error, of its cause, or of the first of several attempts; codes are the only part of it that is shown. */
function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return ""
  if ("code" in error && typeof error.code === "string" && /^[A-Z0-9_]{1,64}$/.test(error.code)) return error.code
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error ? codeOf(error.cause) : ""
}
