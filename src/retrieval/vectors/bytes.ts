// Vectors of one byte for each dimension, a quarter of their size: each is stretched to the whole range of a byte.

const largest = 127

export function toBytes(vector: Float32Array): Int8Array<ArrayBuffer> {
  const most = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
  return Int8Array.from(vector, (value) => (most === 0 ? 0 : Math.round((value / most) * largest)))
}

/** What a product with each of them is multiplied with, so that they have length 1 again. */
export function scalesOf(vectors: Int8Array, dimensions: number): Float32Array {
  const scales = new Float32Array(vectors.length / dimensions)
  for (let at = 0; at < scales.length; at += 1) {
    let sum = 0
    for (const value of vectors.subarray(at * dimensions, (at + 1) * dimensions)) sum += value * value
    scales[at] = sum === 0 ? 0 : 1 / Math.sqrt(sum)
  }
  return scales
}
