// Randomness and digests: every random byte comes from the seed of the execution.
import type { Kit } from "./kit.ts"

export function installCrypto(kit: Kit): void {
  const randomBytesMax = 65_536
  let state: Uint32Array | undefined

  const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits))

  /** xoshiro128**, seeded once from the execution's own stream. */
  function next(): number {
    state ??= new Uint32Array(kit.bridge.random(16).buffer)
    const [a = 0, b = 0, c = 0, d = 0] = state
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
    const third = c ^ a
    const fourth = d ^ b
    state[0] = a ^ fourth
    state[1] = b ^ third
    state[2] = third ^ (b << 9)
    state[3] = rotate(fourth, 11)
    return result
  }
  Object.defineProperty(Math, "random", {
    value: () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53,
    writable: true,
    configurable: true,
  })

  const hex = (byte: number): string => (byte + 256).toString(16).slice(1)

  const subtle = {
    digest: async (algorithm: unknown, data: unknown): Promise<ArrayBufferLike> => {
      const name = typeof algorithm === "object" && algorithm !== null && "name" in algorithm ? algorithm.name : algorithm
      const digest = kit.bridge.digest(String(name), kit.bytesOf(data))
      if (!digest) throw new DOMException("digest knows SHA-1, SHA-256, SHA-384 and SHA-512.", "NotSupportedError")
      return digest.buffer
    },
  }

  kit.define("crypto", {
    subtle,
    getRandomValues<T extends ArrayBufferView>(target: T): T {
      if (!ArrayBuffer.isView(target)) throw new TypeError("getRandomValues needs a typed array.")
      if (target.byteLength > randomBytesMax) throw new RangeError(`getRandomValues gives at most ${randomBytesMax} bytes.`)
      new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(kit.bridge.random(target.byteLength))
      return target
    },
    randomUUID(): string {
      const bytes = kit.bridge.random(16)
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
      const text = Array.from(bytes, hex).join("")
      return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join("-")
    },
  })
}
