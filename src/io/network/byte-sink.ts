// Collects the bytes of a response up to a limit in one buffer, so that a peer that sends single bytes costs no more than others.

export interface ByteSink {
  /** False when the chunk did not fit; what fitted of it is kept. */
  push(chunk: Uint8Array): boolean
  bytes(): Uint8Array
}

const capacityMin = 16 * 1024

export function createByteSink(bytesMax: number): ByteSink {
  let held: Uint8Array = new Uint8Array(0)
  let length = 0
  const append = (chunk: Uint8Array): void => {
    const needed = length + chunk.byteLength
    // Most answers come in one chunk, which is then handed on as it is.
    if (length === 0) held = chunk
    else {
      if (needed > held.byteLength) held = grown(held, Math.min(bytesMax, Math.max(capacityMin, needed, 2 * held.byteLength)))
      held.set(chunk, length)
    }
    length = needed
  }
  return {
    push(chunk) {
      const room = bytesMax - length
      if (chunk.byteLength > room) {
        if (room > 0) append(chunk.subarray(0, room))
        return false
      }
      if (chunk.byteLength > 0) append(chunk)
      return true
    },
    bytes: () => held.subarray(0, length),
  }
}

function grown(held: Uint8Array, capacity: number): Uint8Array {
  const larger = new Uint8Array(capacity)
  larger.set(held)
  return larger
}
