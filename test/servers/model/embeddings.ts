// Embeddings without a model: words are hashed into a vector, so that texts which share words are near each other.
import { createHash } from "node:crypto"

/** What stands for a word, e.g. its English one. */
export type SameWords = Readonly<Record<string, string>>

/** Of length 1, always the same for the same text, and never all zeros. */
export function embed(text: string, dimensions: number, same: SameWords = {}): number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  for (const word of words.length === 0 ? [""] : words) {
    const hash = createHash("sha1")
      .update(stemOf(same[word] ?? word))
      .digest()
    const at = hash.readUInt32BE(0) % dimensions
    vector[at] = (vector[at] ?? 0) + (hash.readUInt8(4) % 2 === 0 ? 1 : -1)
  }
  const length = Math.hypot(...vector)
  // Two words may cancel each other out.
  return length === 0 ? vector.map((_, at) => (at === 0 ? 1 : 0)) : vector.map((value) => value / length)
}

/** "invoice", "invoices" and "invoiced" are one word. */
const stemOf = (word: string): string => (word.length > 4 ? word.replace(/(?:ies|ing|ed|es|s|y|e)$/u, "") : word)

/** One text, or a list of them. */
export const textsOf = (input: unknown): string[] => (Array.isArray(input) ? input.map(String) : typeof input === "string" ? [input] : [])

/** The body of `POST /v1/embeddings`. `dimensions` of the request counts before the server's own. */
export function embeddingsBody(body: Readonly<Record<string, unknown>>, ownDimensions: number, same: SameWords = {}): object {
  const inputs = textsOf(body["input"])
  const dimensions = typeof body["dimensions"] === "number" ? body["dimensions"] : ownDimensions
  const tokens = Math.ceil(Buffer.byteLength(inputs.join("")) / 4)
  return {
    object: "list",
    model: body["model"],
    data: inputs.map((text, index) => {
      const vector = embed(text, dimensions, same)
      return { object: "embedding", index, embedding: body["encoding_format"] === "base64" ? base64Of(vector) : vector }
    }),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

const base64Of = (vector: readonly number[]): string => Buffer.from(new Float32Array(vector).buffer).toString("base64")
