// The random bytes of an execution: the key stream of its seed, the same in every replay.
import { createCipheriv } from "node:crypto"

export type RandomStream = { take(count: number): Uint8Array }

/** `seed` is 32 bytes written as latin1. The cipher is made on first use, as most code needs no randomness. */
export function createRandomStream(seed: string): RandomStream {
  let cipher: ReturnType<typeof createCipheriv> | undefined
  return {
    take(count) {
      cipher ??= createCipheriv("aes-256-ctr", Buffer.from(seed, "latin1"), Buffer.alloc(16))
      return cipher.update(Buffer.alloc(count))
    },
  }
}
