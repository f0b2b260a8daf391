// Fetches a document, or a file that it refers to, from where the config says.
import { ExecutorError } from "../../../core/errors.ts"
import { raiseLimit } from "../../../core/limits.ts"
import type { Limits } from "../../../core/limits.ts"
import type { Outbound } from "../../../io/network/outbound.ts"
import { splitUserInfo } from "../../../io/network/user-info.ts"

export type FetchParts = {
  /** Sent to the origin of the configured URL only. */
  readonly headers: Readonly<Record<string, string>>
  readonly outbound: Outbound
  readonly limits: Limits
  readonly signal: AbortSignal
}

export type FetchedDocument = {
  readonly bytes: Uint8Array
  /** After redirects. */
  readonly url: string
}

const accept = "application/json, application/yaml, application/vnd.oai.openapi, text/yaml, text/plain;q=0.8, */*;q=0.5"

/** Throws an `ExecutorError` that says what to change. */
export async function fetchDocument(address: string, bytesMax: number, parts: FetchParts): Promise<FetchedDocument> {
  const { url, authorization } = splitUserInfo(new URL(address))
  const answer = await parts.outbound.send({
    method: "GET",
    url: url.href,
    headers: { accept, ...(authorization === null ? {} : { authorization }), ...parts.headers },
    timeoutMs: parts.limits.callTimeoutMs,
    responseBytesMax: bytesMax,
    signal: parts.signal,
  })
  const shown = placeOf(address)
  if (!answer.ok) {
    if (answer.code === "response_too_large")
      throw new ExecutorError("payload_too_large", `The document at ${shown} is over ${bytesMax} bytes. ${raiseLimit("documentBytesMax")}`)
    throw new ExecutorError("invalid_request", `The document at ${shown} could not be fetched: ${answer.message}`)
  }
  if (answer.status !== 200) {
    throw new ExecutorError(
      "invalid_request",
      `The document at ${shown} could not be fetched: the server answered ${answer.status} ${answer.statusText}`.trimEnd(),
    )
  }
  return { bytes: answer.bytes, url: answer.url }
}

/** Where a document is, without user info and query: those may be secrets, and this is shown and stored. */
export function placeOf(address: string): string {
  const url = new URL(address)
  return `${url.origin}${url.pathname}`
}
