// How answers are written: JSON and HTML with the headers that every one of them carries.
//
// Headers are plain records, because the Node adapter passes those on without building a `Headers` object.
import type { Page } from "../../core/page.ts"

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

/** A longer list is written in slices, so that other requests get their turn in between. */
const sliceItems = 1000

export function jsonResponse(status: number, value: unknown, requestId: string, extra: Record<string, string> = {}): Response {
  const headers = { ...jsonHeaders, ...extra, "x-request-id": requestId }
  return isLongPage(value) ? new Response(pageStream(value), { status, headers }) : new Response(JSON.stringify(value), { status, headers })
}

export const jsonTextResponse = (text: string, requestId: string): Response =>
  new Response(text, { headers: { ...jsonHeaders, "x-request-id": requestId } })

export const eventResponse = (stream: ReadableStream<Uint8Array>, requestId: string): Response =>
  new Response(stream, { headers: { ...eventHeaders, "x-request-id": requestId } })

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

const isLongPage = (value: unknown): value is Page<unknown> =>
  typeof value === "object" && value !== null && "items" in value && Array.isArray(value.items) && value.items.length > sliceItems

function pageStream(page: Page<unknown>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next = 0
  return new ReadableStream({
    pull(controller) {
      const slice = JSON.stringify(page.items.slice(next, next + sliceItems)).slice(1, -1)
      const head = next === 0 ? '{"items":[' : ","
      next += sliceItems
      const isLast = next >= page.items.length
      const tail = isLast ? `],"nextCursor":${JSON.stringify(page.nextCursor)}}` : ""
      controller.enqueue(encoder.encode(head + slice + tail))
      if (isLast) controller.close()
    },
  })
}
