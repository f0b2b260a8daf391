// How answers are written: JSON and HTML with the headers that every one of them carries.
//
// Headers are plain records, because the Node adapter passes those on without building a `Headers` object.
import { isLargeJson, writeJson } from "../../io/json-write.ts"
import { createTimeSlices } from "../../io/time-slices.ts"

export const commonHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
}

const apiHeaders = { ...commonHeaders, "content-security-policy": "default-src 'none'; frame-ancestors 'none'" }
const jsonHeaders = { ...apiHeaders, "content-type": "application/json" }
/** The last one keeps a proxy from collecting events before it passes them on. */
const eventHeaders = { ...apiHeaders, "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" }

export function jsonResponse(status: number, value: unknown, requestId: string, extra: Record<string, string> = {}): Response {
  const headers = { ...jsonHeaders, ...extra, "x-request-id": requestId }
  return new Response(isLargeJson(value) ? jsonStream(value) : JSON.stringify(value), { status, headers })
}

export const jsonTextResponse = (text: string, requestId: string): Response =>
  new Response(text, { headers: { ...jsonHeaders, "x-request-id": requestId } })

export const eventResponse = (stream: ReadableStream<Uint8Array>, requestId: string): Response =>
  new Response(stream, { headers: { ...eventHeaders, "x-request-id": requestId } })

export const textResponse = (stream: ReadableStream<Uint8Array>, headers: Readonly<Record<string, string>>, requestId: string): Response =>
  new Response(stream, { headers: { ...apiHeaders, ...headers, "x-request-id": requestId } })

export const emptyResponse = (requestId: string): Response =>
  new Response(null, { status: 204, headers: { ...apiHeaders, "x-request-id": requestId } })

/** The page's only style element, and its only script, if it has one; nothing else that is inline is allowed to act. */
export type PageHashes = { readonly style: string; readonly script?: string }

export function htmlResponse(html: string, { style, script }: PageHashes, requestId: string, status = 200): Response {
  const scripts = script === undefined ? "" : `script-src '${script}'; `
  const policy = `default-src 'none'; style-src '${style}'; ${scripts}img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  const headers = {
    ...commonHeaders,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    "x-request-id": requestId,
  }
  return new Response(html, { status, headers })
}

/** Pieces are joined until they fill a packet or two. */
const chunkCharsMin = 64 * 1024

/** Other requests get their turn between two chunks; a client that goes away ends the writing. */
function jsonStream(value: unknown): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const pieces = writeJson(value)
  const slices = createTimeSlices()
  return new ReadableStream({
    async pull(controller) {
      if (slices.isOver()) await slices.next()
      let chunk = ""
      let step = pieces.next()
      for (; step.done !== true; step = pieces.next()) {
        chunk += step.value
        if (chunk.length >= chunkCharsMin) break
      }
      controller.enqueue(encoder.encode(chunk))
      if (step.done === true) controller.close()
    },
  })
}
