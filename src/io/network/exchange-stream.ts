// One HTTP request whose response is passed on while it arrives.
//
// The head settles the promise; from then on the body is a stream that takes no more from the socket than its reader
// wants. Whoever asked ends the exchange by the signal, or by leaving the stream.
import type { Dispatcher } from "undici"
import { showTarget, targetOf } from "./address-guard.ts"
import { createContentDecoder, parseEncodings } from "./content-decode.ts"
import type { ContentDecoder } from "./content-decode.ts"
import { decodedHeaders, dispatchOptions, plainHeaders } from "./exchange.ts"
import type { Hop } from "./exchange.ts"
import { networkFailure, unreachable } from "./failure.ts"
import { OutboundBreak } from "./outbound.ts"
import type { OutboundFailure, OutboundOpening, OutboundStream } from "./outbound.ts"

type Chunk = Uint8Array<ArrayBuffer>

/** How much may wait for the reader before the socket is paused. */
const waitingBytesMax = 64 * 1024
/** A small answer may decompress to a vast one before the socket is paused. */
const decodedBytesMax = 16 * 1024 * 1024

export function openExchange(hop: Hop, dispatcher: Dispatcher, opening: OutboundOpening): Promise<OutboundStream | OutboundFailure> {
  const { signal, headTimeoutMs } = opening
  const host = showTarget(targetOf(hop.url))
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | null = null
    let body: ReadableStreamDefaultController<Chunk> | null = null
    let decoder: ContentDecoder | null = null
    let isOver = false

    const end = (settle: () => void): void => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      signal?.removeEventListener("abort", onAbort)
      settle()
      decoder?.destroy()
    }
    const fail = (failure: OutboundFailure): void => {
      end(() => (body === null ? resolve(failure) : body.error(new OutboundBreak(failure))))
      controller?.abort(new Error("The exchange has ended"))
    }
    const late = (): void => {
      const message = `${host} did not respond within ${headTimeoutMs} ms`
      fail({ ok: false, code: "timeout", message, retryable: true })
    }
    const onAbort = (): void => fail({ ok: false, code: "timeout", message: `The request to ${host} was cancelled`, retryable: false })
    const take = (chunk: Uint8Array): void => {
      if (isOver || body === null) return
      // A copy, because the socket's buffer is used again.
      body.enqueue(new Uint8Array(chunk))
      const room = body.desiredSize ?? 0
      if (room <= 0) controller?.pause()
      if (room < -decodedBytesMax)
        fail({ ok: false, code: "response_too_large", message: `The response from ${host} is too large`, retryable: false })
    }
    const openStream = (): ReadableStream<Chunk> =>
      new ReadableStream<Chunk>(
        {
          start: (opened) => void (body = opened),
          pull: () => controller?.resume(),
          cancel: () => {
            end(() => {})
            controller?.abort(new Error("The rest of the response is not needed"))
          },
        },
        { highWaterMark: waitingBytesMax, size: (chunk) => chunk.byteLength },
      )

    const timer = setTimeout(late, headTimeoutMs)
    signal?.addEventListener("abort", onAbort)
    if (signal?.aborted) return onAbort()
    dispatcher.dispatch(dispatchOptions(hop), {
      onRequestStart(started) {
        controller = started
        if (isOver) started.abort(new Error("The exchange has ended"))
      },
      onResponseStart(_controller, status, received, statusText) {
        if (status < 200 || isOver) return
        clearTimeout(timer)
        const headers = plainHeaders(received)
        const encodings = parseEncodings(headers["content-encoding"]) ?? []
        const stream = openStream()
        if (encodings.length > 0) {
          decoder = createContentDecoder(encodings, {
            onChunk: take,
            onDrain: () => controller?.resume(),
            onEnd: () => end(() => body?.close()),
            onError: () => fail(unreachable(`The response from ${host} could not be decompressed`)),
          })
        }
        resolve({ ok: true, status, statusText: statusText ?? "", headers: decodedHeaders(headers), body: stream })
      },
      onResponseData(current, chunk) {
        if (decoder === null) take(chunk)
        else if (!decoder.write(chunk)) current.pause()
      },
      onResponseEnd() {
        if (decoder !== null) decoder.end()
        else end(() => body?.close())
      },
      onResponseError: (_controller, error) => fail(networkFailure(error, targetOf(hop.url))),
    })
  })
}
