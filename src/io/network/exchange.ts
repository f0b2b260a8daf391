// One HTTP request and its response over one connection, read within limits.
//
// The outcome is settled once, by whatever comes first: the end of the answer, a limit, a stream that has brought enough, the
// deadline or an error. What comes later is ignored, and the connection of an answer that was not read to its end is closed.
import type { Dispatcher } from "undici"
import type { BodyEnd, BodyReader, Reading } from "./body-reader.ts"
import { openBody } from "./body-reader.ts"
import { parseEncodings } from "./content-decode.ts"
import type { Deadline, Ending } from "./deadline.ts"

export type Hop = {
  readonly url: URL
  readonly method: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

export type Answer = {
  readonly kind: "answer"
  readonly status: number
  readonly statusText: string
  readonly headers: Record<string, string>
  readonly bytes: Uint8Array
  readonly isComplete: boolean
}

export type ExchangeOutcome =
  | Answer
  | { readonly kind: "too_large" }
  | { readonly kind: "undecodable" }
  | { readonly kind: "ended"; readonly ending: Ending }
  /** `isUnanswered`: not even the head of an answer had come. */
  | { readonly kind: "broken"; readonly error: unknown; readonly isUnanswered: boolean }

type Head = Pick<Answer, "status" | "statusText" | "headers">
type Received = { readonly head: Head; readonly body: BodyReader }

export function exchange(hop: Hop, dispatcher: Dispatcher, reading: Reading, deadline: Deadline): Promise<ExchangeOutcome> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | null = null
    let received: Received | null = null
    let isSettled = false
    let isFull = false

    const settle = (outcome: ExchangeOutcome): void => {
      if (isSettled) return
      isSettled = true
      deadline.watch(null)
      received?.body.close()
      resolve(outcome)
    }
    const settleBody = (how: BodyEnd): void => {
      if (received) settle(bodyOutcome(received, how))
      if (how !== "complete") controller?.abort(new Error("The rest of the response is not needed"))
    }
    const interrupt = (outcome: ExchangeOutcome): void => {
      const hasItems = received !== null && received.body.isStream && received.body.bytes().byteLength > 0
      settle(received && hasItems ? bodyOutcome(received, "cut") : outcome)
      controller?.abort(new Error("The exchange has ended"))
    }

    const resume = (): void => (isFull ? undefined : controller?.resume())
    const onFull = (room: Promise<void>): void => {
      isFull = true
      controller?.pause()
      deadline.pause()
      void room.then(() => {
        isFull = false
        deadline.resume()
        resume()
      })
    }

    if (deadline.ending !== null) return settle({ kind: "ended", ending: deadline.ending })
    deadline.watch((ending) => interrupt({ kind: "ended", ending }))
    dispatcher.dispatch(dispatchOptions(hop), {
      onRequestStart(started) {
        controller = started
        // A request that waited for a free connection until its deadline must not be sent any more.
        if (isSettled) started.abort(new Error("The exchange has ended"))
      },
      onResponseStart(_controller, status, headers, statusText) {
        if (status < 200 || isSettled) return
        const head = { status, statusText: statusText ?? "", headers: plainHeaders(headers) }
        received = { head, body: openBody(head.headers, reading, { onEnd: settleBody, onDrain: resume, onFull }) }
        if (!received.body.isStream && announcedBytes(hop, head) > reading.bytesMax) settleBody("too_large")
      },
      onResponseData(current, chunk) {
        if (!isSettled && received && !received.body.write(chunk)) current.pause()
      },
      onResponseEnd() {
        if (!isSettled) received?.body.end()
      },
      onResponseError: (_controller, error) => interrupt({ kind: "broken", error, isUnanswered: received === null }),
    })
  })
}

function bodyOutcome({ head, body }: Received, how: BodyEnd): ExchangeOutcome {
  if (how === "too_large" || how === "undecodable") return { kind: how }
  return {
    kind: "answer",
    status: head.status,
    statusText: head.statusText,
    headers: decodedHeaders(head.headers),
    bytes: body.bytes(),
    isComplete: how === "complete",
  }
}

export function dispatchOptions(hop: Hop): Dispatcher.DispatchOptions {
  return {
    origin: hop.url.origin,
    path: hop.url.pathname + hop.url.search,
    method: hop.method,
    headers: hop.headers,
    body: hop.body,
    // The deadline covers both; undici's own timers would only differ from it.
    headersTimeout: 0,
    bodyTimeout: 0,
  }
}

const announcedBytes = (hop: Hop, head: Head): number => (hop.method === "HEAD" ? 0 : Number(head.headers["content-length"] ?? 0))

/** Of the connection rather than of the answer, or a secret of somebody else's session. */
const unpassedHeaders = new Set([
  "set-cookie",
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
])

export function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries: [string, string][] = []
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !unpassedHeaders.has(name)) entries.push([name, typeof value === "string" ? value : value.join(", ")])
  }
  return Object.fromEntries(entries)
}

/** The encoding is undone, so that the two headers that describe the encoded bytes would lie. */
export function decodedHeaders(headers: Record<string, string>): Record<string, string> {
  if (headers["content-encoding"] === undefined || parseEncodings(headers["content-encoding"]) === null) return headers
  const { "content-encoding": _encoding, "content-length": _length, ...rest } = headers
  return rest
}
