// What the server and the thread that compares vectors say to each other.
export type VectorRequest =
  | {
      readonly kind: "add"
      readonly index: string
      readonly dimensions: number
      /** One after the other. */
      readonly vectors: Float32Array | Int8Array
      readonly chunkNumbers: Float64Array
      /** Null: each is a document of its own, with its own number. */
      readonly documents: readonly string[] | null
    }
  | { readonly kind: "drop"; readonly index: string }
  | {
      readonly kind: "search"
      readonly id: number
      readonly index: string
      readonly vector: Float32Array
      /** Null: all. Numbers where documents have no names. */
      readonly documents: readonly string[] | Uint32Array | null
      readonly limit: number
    }

/** Best first. */
export type VectorAnswer = { readonly id: number; readonly chunkNumbers: Float64Array; readonly scores: Float32Array }
