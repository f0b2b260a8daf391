// Bounds what a server may make us hold: one body of JSON, or one event of a stream that may last for days.
import { OutboundBreak } from "../../io/outbound.ts"
import type { OutboundFailure } from "../../io/outbound.ts"

type Bytes = Uint8Array<ArrayBuffer>

/** How a stream of events ended. `isResumable`: its events had ids, from which the transport goes on by itself. */
export type StreamEnd = { readonly isResumable: boolean; readonly failure: OutboundFailure | null }

export function boundBody(body: ReadableStream<Bytes>, bytesMax: number): ReadableStream<Bytes> {
  let bytes = 0
  const bound = new TransformStream<Bytes, Bytes>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes <= bytesMax) controller.enqueue(chunk)
      else controller.error(new OutboundBreak(tooLarge(bytesMax)))
    },
  })
  return body.pipeThrough(bound)
}

const newline = 0x0a
const carriageReturn = 0x0d
/** Of the names that a line of an event can begin with, only `id` begins so. */
const letterI = 0x69

/** An event ends with an empty line; only what has come since the last one is held by whoever parses the stream. */
export function boundEvents(body: ReadableStream<Bytes>, bytesMax: number, onEnd: (end: StreamEnd) => void): ReadableStream<Bytes> {
  const reader = body.getReader()
  let bytes = 0
  let isLineEmpty = true
  let isResumable = false
  const isWithin = (chunk: Bytes): boolean => {
    for (const byte of chunk) {
      bytes += 1
      if (isLineEmpty && byte === letterI) isResumable = true
      if (byte === newline) {
        if (isLineEmpty) bytes = 0
        isLineEmpty = true
      } else if (byte !== carriageReturn) isLineEmpty = false
      if (bytes > bytesMax) return false
    }
    return true
  }
  return new ReadableStream<Bytes>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) {
          controller.close()
          onEnd({ isResumable, failure: null })
          return
        }
        if (!isWithin(value)) throw new OutboundBreak(tooLarge(bytesMax))
        controller.enqueue(value)
      } catch (error) {
        controller.error(error)
        const failure = error instanceof OutboundBreak ? error.failure : null
        onEnd({ isResumable: isResumable && failure?.code !== "response_too_large", failure })
        if (failure?.code === "response_too_large") await reader.cancel()
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

const tooLarge = (bytesMax: number): OutboundFailure => ({
  ok: false,
  code: "response_too_large",
  message: `The server sent a message of more than ${bytesMax} bytes`,
  retryable: false,
})
