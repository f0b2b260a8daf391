// What makes vectors of a tenant's tools, so that search finds them by meaning too.
import type { Embedding } from "./pipeline.ts"

export type ToolEmbeddingView = {
  /** Null: search compares words alone. */
  readonly embedding: Embedding | null
  /** `retrying`: the last attempt failed, and is repeated. */
  readonly status: "off" | "embedding" | "retrying" | "ready"
  /** Tools of whoever asks that have no vector yet. */
  readonly toolsLeft: number
  /** Why the last attempt failed. */
  readonly error: string | null
}

/** For admins. */
export interface ToolEmbeddingApi {
  get(): Promise<ToolEmbeddingView>
  /** Takes the place of what was set before; another model makes all vectors anew. */
  set(embedding: Embedding): Promise<ToolEmbeddingView>
  /** With all vectors. */
  remove(): Promise<void>
}
