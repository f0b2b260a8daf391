// The nearest of many vectors, by comparing with each.

export type VectorBlock = {
  readonly dimensions: number
  readonly vectors: Float32Array | Int8Array
  /** What products are multiplied with; null: nothing. */
  readonly scales: Float32Array | null
  readonly chunkNumbers: Float64Array
  /** A number for each document. */
  readonly documents: Uint32Array
}

export type Nearest = { readonly chunkNumbers: Float64Array; readonly scores: Float32Array }

/** `wanted`: the documents that count; null: all. Best first; equal ones by number. */
export function nearest(blocks: readonly VectorBlock[], vector: Float32Array, wanted: ReadonlySet<number> | null, limit: number): Nearest {
  const scores: number[] = []
  const numbers: number[] = []
  let worst = -Infinity
  for (const block of blocks) {
    if (block.dimensions !== vector.length) continue
    for (let at = 0; at < block.chunkNumbers.length; at += 1) {
      if (wanted !== null && !wanted.has(block.documents[at] ?? -1)) continue
      const score = product(block.vectors, at * vector.length, vector) * (block.scales?.[at] ?? 1)
      if (scores.length >= limit && score <= worst) continue
      let place = scores.length
      while (place > 0 && (scores[place - 1] ?? 0) < score) place -= 1
      scores.splice(place, 0, score)
      numbers.splice(place, 0, block.chunkNumbers[at] ?? 0)
      if (scores.length > limit) {
        scores.pop()
        numbers.pop()
      }
      worst = scores.at(-1) ?? -Infinity
    }
  }
  return { chunkNumbers: Float64Array.from(numbers), scores: Float32Array.from(scores) }
}

/** Four sums at once, which the compiler keeps in registers. */
function product(vectors: Float32Array | Int8Array, from: number, vector: Float32Array): number {
  let [a, b, c, d] = [0, 0, 0, 0]
  const { length } = vector
  const whole = length - (length % 4)
  for (let at = 0; at < whole; at += 4) {
    a += (vectors[from + at] ?? 0) * (vector[at] ?? 0)
    b += (vectors[from + at + 1] ?? 0) * (vector[at + 1] ?? 0)
    c += (vectors[from + at + 2] ?? 0) * (vector[at + 2] ?? 0)
    d += (vectors[from + at + 3] ?? 0) * (vector[at + 3] ?? 0)
  }
  for (let at = whole; at < length; at += 1) a += (vectors[from + at] ?? 0) * (vector[at] ?? 0)
  return a + b + c + d
}
