// Limits what a server can make us hold and do: one JSON body, or the events of a stream that may last for days.
import { setImmediate, setTimeout } from "node:timers/promises"
import { largeAnswerBytes } from "../../../io/answer-turn.ts"
import { OutboundBreak } from "../../../io/network/outbound.ts"
import type { OutboundFailure } from "../../../io/network/outbound.ts"
import type { MessageTurns } from "../session/calls.ts"

type Bytes = Uint8Array<ArrayBuffer>

/** How a stream of events ended. `isResumable`: its events had ids, from which the transport goes on by itself. */
export type StreamEnd = { readonly isResumable: boolean; readonly failure: OutboundFailure | null }

export function boundBody(body: ReadableStream<Bytes>, bytesMax: number, turns: MessageTurns): ReadableStream<Bytes> {
  let bytes = 0
  const bound = new TransformStream<Bytes, Bytes>({
    async transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes <= bytesMax) controller.enqueue(chunk)
      else controller.error(new OutboundBreak(tooLarge(bytesMax)))
      await turns.arrive(chunk.byteLength)
    },
    flush: () => (bytes > largeAnswerBytes ? turns.take() : undefined),
  })
  return body.pipeThrough(bound)
}

const newline = 0x0a
const carriageReturn = 0x0d
/** Of the names that a line of an event can begin with, only `id` begins so. */
const letterI = 0x69

/** What is handed on at once. Each event is parsed, checked and passed on, on the thread that serves everybody. */
const eventsPerTurn = 20
/** What a server may say in a row. Beyond that a thousand events a second are read, and the rest waits in its socket. */
const eventsAtOnceMax = 2000
const eventsPerMs = 1

/** Answers how to wait for one's turn after so many events. */
function createPace(): (events: number) => Promise<void> {
  let left = eventsAtOnceMax
  let lastMs = performance.now()
  return async (events) => {
    if (events === 0) return
    const nowMs = performance.now()
    left = Math.min(eventsAtOnceMax, left + (nowMs - lastMs) * eventsPerMs) - events
    lastMs = nowMs
    await (left < 0 ? setTimeout(-left / eventsPerMs) : setImmediate())
  }
}

/**
 * An event ends with an empty line; only what has come since the last one is held by whoever parses the stream. A server
 * that never stops talking is read slowly, a few events a turn, so that others are served in between.
 */
export function boundEvents(
  body: ReadableStream<Bytes>,
  bytesMax: number,
  turns: MessageTurns,
  onEnd: (end: StreamEnd) => void,
): ReadableStream<Bytes> {
  const reader = body.getReader()
  let bytes = 0
  let isLineEmpty = true
  let isResumable = false
  let rest: Bytes = new Uint8Array()
  /** How much of the event under way was counted as arrived. */
  let counted = 0
  const pace = createPace()
  /** Where the piece ends that may be handed on at once, and how many events it has; throws where one is too large. */
  const findPiece = (chunk: Bytes): { readonly end: number; readonly events: number; readonly isLarge: boolean } => {
    let [end, events] = [0, 0]
    let isLarge = false
    for (const byte of chunk) {
      end += 1
      bytes += 1
      if (isLineEmpty && byte === letterI) isResumable = true
      if (byte === newline) {
        isLarge ||= isLineEmpty && bytes > largeAnswerBytes
        if (isLineEmpty) [bytes, events] = [0, events + 1]
        isLineEmpty = true
      } else if (byte !== carriageReturn) isLineEmpty = false
      if (bytes > bytesMax) throw new OutboundBreak(tooLarge(bytesMax))
      if (events === eventsPerTurn) break
    }
    return { end, events, isLarge }
  }
  return new ReadableStream<Bytes>({
    async pull(controller) {
      try {
        const { done, value } = rest.byteLength > 0 ? { done: false as const, value: rest } : await reader.read()
        if (done) {
          controller.close()
          onEnd({ isResumable, failure: null })
          return
        }
        const { end, events, isLarge } = findPiece(value)
        rest = value.subarray(end)
        await pace(events)
        if (isLarge) await turns.take()
        controller.enqueue(value.subarray(0, end))
        const arrived = bytes - counted
        counted = bytes
        await turns.arrive(arrived)
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
