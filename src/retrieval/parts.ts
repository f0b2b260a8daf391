// The ports and settings that the functions of retrieval take as their last parameter.
import type { Limits } from "../core/limits.ts"
import type { Clock } from "../io/clock.ts"
import type { Log } from "../io/log.ts"
import type { WebPages } from "../registry/builtins/web-fetch/pages.ts"
import type { Store } from "../store/store.ts"
import type { Embedders } from "./embedder.ts"
import type { VectorSearch } from "./vectors/vector-search.ts"

export type RetrievalParts = {
  readonly store: Store
  readonly limits: Limits
  readonly clock: Clock
  readonly log: Log
  readonly embedders: Embedders
  readonly vectors: VectorSearch
  /** Makes Markdown of HTML. */
  readonly pages: Pick<WebPages, "read">
  /** There is something to index. */
  wake(): void
}
