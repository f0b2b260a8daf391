// Sorts the numbers from 0 to `count` in slices, so that a large set does not hold up the event loop.

/** Elements that are sorted or merged at once: about a millisecond. */
const elementsPerSlice = 2048

/** A merge sort: short runs first, then runs of twice the length, until there is one. `compare` orders two of the numbers. */
export function* sortSliced(count: number, compare: (a: number, b: number) => number): Generator<void, Uint32Array> {
  let from = new Uint32Array(count)
  for (let index = 0; index < count; index += 1) from[index] = index
  for (let start = 0; start < count; start += elementsPerSlice) {
    from.subarray(start, start + elementsPerSlice).sort(compare)
    yield
  }
  let to = new Uint32Array(count)
  for (let length = elementsPerSlice; length < count; length *= 2) {
    yield* mergeRuns(from, to, length, compare)
    ;[from, to] = [to, from]
  }
  return from
}

/** Merges neighbouring runs of `length` elements. */
function* mergeRuns(from: Uint32Array, to: Uint32Array, length: number, compare: (a: number, b: number) => number): Generator<void> {
  for (let start = 0; start < from.length; start += 2 * length) {
    const middle = Math.min(start + length, from.length)
    const end = Math.min(start + 2 * length, from.length)
    let left = start
    let right = middle
    for (let at = start; at < end; at += 1) {
      const takesLeft = left < middle && (right >= end || compare(from[left] ?? 0, from[right] ?? 0) <= 0)
      to[at] = from[takesLeft ? left++ : right++] ?? 0
      if (at % elementsPerSlice === 0) yield
    }
  }
}
