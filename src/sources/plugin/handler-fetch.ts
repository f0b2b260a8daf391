// `fetch` for handlers, through the guard that every outbound request passes.
import type { Limits } from "../../core/limits.ts"
import { largeAnswerBytes } from "../../io/answer-turn.ts"
import type { AnswerTurn } from "../../io/answer-turn.ts"
import type { Outbound, OutboundResponse } from "../../io/network/outbound.ts"
import { ToolError } from "../../plugin/tool-error.ts"

export type HandlerFetchParts = {
  readonly outbound: Outbound
  readonly limits: Limits
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly answerTurn: AnswerTurn
}

export type HandlerFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** Within this a handler has parsed what it got; what it does then may take long. */
const readMs = 1000

/** Statuses that have no body, which `Response` insists on. */
const bodilessStatuses = [204, 205, 304]

export function createHandlerFetch(parts: HandlerFetchParts): HandlerFetch {
  return async (input, init) => {
    const request = new Request(input, init)
    if (request.redirect !== "follow")
      throw new TypeError(`ctx.fetch follows redirects of GET and HEAD only; redirect: "${request.redirect}" is not supported`)
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer())
    parts.answerTurn.release()
    const answer = await parts.outbound.send({
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      ...(body === null ? {} : { body }),
      signal: AbortSignal.any([parts.signal, request.signal]),
      timeoutMs: parts.timeoutMs,
      responseBytesMax: parts.limits.responseBytesMax,
      arrive: parts.answerTurn.arrive,
    })
    if (!answer.ok) {
      // Whoever aborted knows why, and waits for that reason.
      if (request.signal.aborted) throw request.signal.reason
      throw new ToolError(answer.code, answer.message, { retryable: answer.retryable })
    }
    if (answer.status > 599)
      throw new ToolError("upstream_error", `The upstream answered with the status ${answer.status}, which is not a valid HTTP status`)
    if (answer.bytes.byteLength > largeAnswerBytes) await parts.answerTurn.lend(readMs)
    return toResponse(answer)
  }
}

function toResponse({ status, statusText, headers, bytes, url }: OutboundResponse): Response {
  const body = bodilessStatuses.includes(status) ? null : new Uint8Array(bytes)
  const response = new Response(body, { status, statusText: statusText.replaceAll(/[^\t\x20-\x7e]/g, "") })
  for (const [name, value] of Object.entries(headers)) {
    // The body has been decompressed, and what a header must not hold is no loss.
    if (name === "content-encoding" || name === "content-length" || /[^\t\x20-\x7e\x80-\xff]/.test(value)) continue
    response.headers.set(name, value)
  }
  Object.defineProperty(response, "url", { value: url })
  return response
}
