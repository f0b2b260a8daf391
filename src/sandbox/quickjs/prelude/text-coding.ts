// TextEncoder and TextDecoder over the host's own codecs.
import type { Kit } from "./kit.ts"

export function installTextCoding(kit: Kit): void {
  function bytesOf(input: unknown): Uint8Array {
    if (input === undefined) return new Uint8Array(0)
    if (input instanceof ArrayBuffer) return new Uint8Array(input)
    if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
    throw new TypeError("The bytes must be an ArrayBuffer or a view of one.")
  }
  kit.bytesOf = bytesOf

  kit.decode = (label, flags, bytes) => {
    const text = kit.bridge.decode(label, flags, bytes)
    if (text === 1) throw new RangeError(`The encoding '${label.slice(0, 40)}' is not known.`)
    if (typeof text === "number") throw new TypeError("The encoded data was not valid.")
    return text
  }

  /** How many bytes at the end are the beginning of a longer UTF-8 sequence. */
  function unfinished(bytes: Uint8Array): number {
    for (let back = 1; back <= 3 && back <= bytes.length; back++) {
      const byte = bytes[bytes.length - back] ?? 0
      if (byte < 0x80) return 0
      if (byte < 0xc0) continue
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? back : 0
    }
    return 0
  }

  class TextEncoder {
    get encoding(): string {
      return "utf-8"
    }
    encode(text: unknown = ""): Uint8Array {
      return kit.bridge.encode(String(text).toWellFormed())
    }
    encodeInto(text: unknown, target: Uint8Array): { read: number; written: number } {
      let read = 0
      let written = 0
      for (const char of String(text).toWellFormed()) {
        const bytes = this.encode(char)
        if (written + bytes.length > target.length) break
        target.set(bytes, written)
        read += char.length
        written += bytes.length
      }
      return { read, written }
    }
  }

  class TextDecoder {
    #label: string
    #flags: string
    #held = new Uint8Array(0)
    readonly fatal: boolean
    readonly ignoreBOM: boolean
    constructor(label: unknown = "utf-8", options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
      this.#label = String(label)
      this.fatal = Boolean(options.fatal)
      this.ignoreBOM = Boolean(options.ignoreBOM)
      this.#flags = (this.fatal ? "f" : "") + (this.ignoreBOM ? "b" : "")
      kit.decode(this.#label, this.#flags, new Uint8Array(0))
    }
    get encoding(): string {
      return this.#label.toLowerCase() === "utf8" ? "utf-8" : this.#label.toLowerCase()
    }
    decode(input?: unknown, options: { stream?: boolean } = {}): string {
      const fresh = bytesOf(input)
      const bytes = new Uint8Array(this.#held.length + fresh.length)
      bytes.set(this.#held)
      bytes.set(fresh, this.#held.length)
      const keep = options.stream && this.encoding === "utf-8" ? unfinished(bytes) : 0
      this.#held = bytes.slice(bytes.length - keep)
      return kit.decode(this.#label, this.#flags, bytes.subarray(0, bytes.length - keep))
    }
  }

  kit.define("TextEncoder", TextEncoder)
  kit.define("TextDecoder", TextDecoder)
}
