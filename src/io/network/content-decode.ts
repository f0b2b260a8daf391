// Decodes the content encodings of a response while it arrives.
import type { Transform } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from "node:zlib"

export interface ContentDecoder {
  /** False: wait for `onDrain` before the next chunk. */
  write(chunk: Uint8Array): boolean
  end(): void
  /** No chunk is handed on until it is resumed. */
  pause(): void
  resume(): void
  destroy(): void
}

export type DecoderEvents = {
  readonly onChunk: (chunk: Uint8Array) => void
  readonly onDrain: () => void
  readonly onEnd: () => void
  readonly onError: () => void
}

type Encoding = "gzip" | "deflate" | "br" | "zstd"
const encodingNames: Readonly<Record<string, Encoding>> = { gzip: "gzip", "x-gzip": "gzip", deflate: "deflate", br: "br", zstd: "zstd" }
const encodingsMax = 3

export const acceptedEncodings = "gzip, deflate, br, zstd"

/** The encodings in the order in which they were applied; null when one of them is unknown, and the bytes stay as they are. */
export function parseEncodings(header: string | undefined): readonly Encoding[] | null {
  if (header === undefined) return []
  const names = header
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
  const encodings = names
    .filter((name) => name !== "" && name !== "identity")
    .map((name) => (Object.hasOwn(encodingNames, name) ? encodingNames[name] : undefined))
  const known = encodings.filter((encoding) => encoding !== undefined)
  return known.length === encodings.length && known.length <= encodingsMax ? known : null
}

/** The decoders are made when the first byte is there: a HEAD or 304 answer names an encoding and has no body. */
export function createContentDecoder(encodings: readonly Encoding[], events: DecoderEvents): ContentDecoder {
  let stages: readonly Transform[] = []
  const open = (chunk: Uint8Array): Transform => {
    stages = encodings.toReversed().map((encoding, index) => createStage[encoding](index === 0 ? chunk : null))
    stages.forEach((stage, index) => {
      stage.on("error", events.onError)
      const next = stages[index + 1]
      if (next) stage.pipe(next)
      else stage.on("data", events.onChunk).on("end", events.onEnd)
    })
    const [first] = stages as readonly [Transform] // a decoder is made for at least one encoding
    return first.on("drain", events.onDrain)
  }
  return {
    write: (chunk) => (stages[0] ?? open(chunk)).write(chunk),
    end() {
      if (stages[0]) stages[0].end()
      else events.onEnd()
    },
    pause: () => void stages.at(-1)?.pause(),
    resume: () => void stages.at(-1)?.resume(),
    destroy: () => stages.forEach((stage) => stage.destroy()),
  }
}

const createStage: Readonly<Record<Encoding, (firstChunk: Uint8Array | null) => Transform>> = {
  gzip: () => createGunzip(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
  // Servers send both zlib and raw deflate under this name; only zlib begins with the method 8.
  deflate: (firstChunk) => (firstChunk === null || ((firstChunk[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()),
}
