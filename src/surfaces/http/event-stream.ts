// Writes server-sent events as they happen, until there are no more or nobody listens.
//
// The order of events: the first one, or a refusal, is waited for a moment, so that a refusal is an answer with its own
// status. Then the headers go out, and events follow at the pace at which the client reads them. A comment now and
// then keeps proxies and clients from taking silence for death. Whatever fails after the headers is a last event.
import type { StreamedEvent } from "./routes/route.ts"

export type StreamTimes = {
  /** How long the headers wait for a refusal, which a look at the store brings. */
  readonly openMs: number
  readonly heartbeatMs: number
}

const defaultTimes: StreamTimes = { openMs: 250, heartbeatMs: 15_000 }

type Turn =
  | { readonly kind: "event"; readonly result: IteratorResult<StreamedEvent> }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "silence" }
  | { readonly kind: "stopped" }

/** `stop` ends the stream, and is itself aborted when the client goes away. */
export async function openEventStream(
  events: AsyncIterable<StreamedEvent>,
  stop: AbortController,
  writeFailure: (error: unknown) => unknown,
  times: StreamTimes = defaultTimes,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  const iterator = events[Symbol.asyncIterator]()
  let next: Promise<IteratorResult<StreamedEvent>> | null = iterator.next()
  const first = await takeTurn(next, stop.signal, times.openMs)
  if (first.kind === "failed") throw first.error

  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(": open\n\n")),
    async pull(controller) {
      next ??= iterator.next()
      const turn = await takeTurn(next, stop.signal, times.heartbeatMs)
      if (turn.kind === "silence") return controller.enqueue(encoder.encode(": still here\n\n"))
      if (turn.kind === "event" && turn.result.done !== true) {
        next = null
        return controller.enqueue(encoder.encode(writeEvent(turn.result.value.type, turn.result.value, turn.result.value.id)))
      }
      if (turn.kind === "failed") controller.enqueue(encoder.encode(writeEvent("error", writeFailure(turn.error))))
      controller.close()
    },
    cancel: () => stop.abort(),
  })
}

/** JSON has no line breaks, so that the data is always one line. */
export const writeEvent = (name: string, data: unknown, id?: string): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

function takeTurn(next: Promise<IteratorResult<StreamedEvent>>, signal: AbortSignal, silenceMs: number): Promise<Turn> {
  return new Promise((resolve) => {
    const stopped = (): void => settle({ kind: "stopped" })
    const silence = setTimeout(() => settle({ kind: "silence" }), silenceMs)
    const settle = (turn: Turn): void => {
      clearTimeout(silence)
      signal.removeEventListener("abort", stopped)
      resolve(turn)
    }
    next.then(
      (result) => settle({ kind: "event", result }),
      (error: unknown) => settle({ kind: "failed", error }),
    )
    if (signal.aborted) return stopped()
    signal.addEventListener("abort", stopped, { once: true })
  })
}
