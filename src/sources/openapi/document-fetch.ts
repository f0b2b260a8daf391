// Fetches a document, or a file that it refers to, from where the config says.
import { ExecutorError } from "../../core/errors.ts"
import type { Limits } from "../../core/limits.ts"
import type { Outbound } from "../../io/outbound.ts"

export type FetchParts = {
  /** Sent to the origin of the configured URL only. */
  readonly headers: Readonly<Record<string, string>>
  readonly outbound: Outbound
  readonly limits: Limits
  readonly signal: AbortSignal
}

export type FetchedDocument = { readonly bytes: Uint8Array; readonly url: string }

const accept = "application/json, application/yaml, application/vnd.oai.openapi, text/yaml, text/plain;q=0.8, */*;q=0.5"

/** Throws an `ExecutorError` that says what to change. */
export async function fetchDocument(url: string, bytesMax: number, parts: FetchParts): Promise<FetchedDocument> {
  const answer = await parts.outbound.send({
    method: "GET",
    url,
    headers: { accept, ...parts.headers },
    secretHeaders: Object.keys(parts.headers).map((name) => name.toLowerCase()),
    timeoutMs: parts.limits.callTimeoutMs,
    responseBytesMax: bytesMax,
    signal: parts.signal,
  })
  const shown = withoutSecrets(url)
  if (!answer.ok) {
    if (answer.code === "response_too_large") throw new ExecutorError("payload_too_large", `The document at ${shown} is over ${bytesMax} bytes`)
    throw new ExecutorError("invalid_request", `The document at ${shown} could not be fetched: ${answer.message}`)
  }
  if (answer.status !== 200) {
    throw new ExecutorError("invalid_request", `The document at ${shown} could not be fetched: the server answered ${answer.status} ${answer.statusText}`.trimEnd())
  }
  return { bytes: answer.bytes, url: answer.url }
}

/** User info and query values are secrets. */
function withoutSecrets(text: string): string {
  const url = URL.parse(text)
  return url ? `${url.origin}${url.pathname}` : "the configured URL"
}
