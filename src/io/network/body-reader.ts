// Reads the body of a response: decodes it, counts its bytes, and reports when it is complete or too large.
import { createByteSink } from "./byte-sink.ts"
import { createContentDecoder, parseEncodings } from "./content-decode.ts"
import type { OutboundRequest, StreamReading } from "./outbound.ts"

export type Reading = {
  readonly bytesMax: number
  readonly stream: StreamReading | null
  readonly arrive?: OutboundRequest["arrive"] | null
}

/** `cut`: a stream has brought enough or fell silent. */
export type BodyEnd = "complete" | "cut" | "too_large" | "undecodable"

export type BodyEvents = {
  readonly onEnd: (how: BodyEnd) => void
  readonly onDrain: () => void
  /** Nothing more is to be read before this has resolved. */
  readonly onFull: (room: Promise<void>) => void
}

export interface BodyReader {
  readonly isStream: boolean
  /** False: the next chunk must wait for `onDrain`. */
  write(chunk: Uint8Array): boolean
  end(): void
  close(): void
  bytes(): Uint8Array
}

export function openBody(headers: Readonly<Record<string, string>>, reading: Reading, events: BodyEvents): BodyReader {
  const sink = createByteSink(reading.bytesMax)
  const stream = reading.stream?.appliesTo(headers["content-type"] ?? "") ? reading.stream : null
  const silence = stream && setTimeout(() => events.onEnd("cut"), stream.idleMs)
  const take = (chunk: Uint8Array): void => {
    silence?.refresh()
    if (!sink.push(chunk)) events.onEnd(stream ? "cut" : "too_large")
    else if (stream?.isEnough(chunk)) events.onEnd("cut")
    const room = reading.arrive?.(chunk.byteLength) ?? null
    if (room === null) return
    decoder?.pause()
    events.onFull(room.then(() => decoder?.resume()))
  }
  const encodings = parseEncodings(headers["content-encoding"]) ?? []
  const decoder =
    encodings.length === 0
      ? null
      : createContentDecoder(encodings, {
          onChunk: take,
          onDrain: events.onDrain,
          onEnd: () => events.onEnd("complete"),
          onError: () => events.onEnd("undecodable"),
        })
  return {
    isStream: stream !== null,
    write(chunk) {
      if (decoder) return decoder.write(chunk)
      take(chunk)
      return true
    },
    end: () => (decoder ? decoder.end() : events.onEnd("complete")),
    close() {
      if (silence) clearTimeout(silence)
      decoder?.destroy()
    },
    bytes: () => sink.bytes(),
  }
}
