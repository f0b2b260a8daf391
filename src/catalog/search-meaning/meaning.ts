// The port of search by meaning: what finds tools whose texts are near to a request, in whatever words or language.
import type { Scope } from "../../core/principal.ts"
import type { Degraded } from "../../core/retrieval/pipeline.ts"
import type { IndexedTool, Mount, SearchHit } from "../../search/search.ts"

/** The tools of a mount as somebody sees them. */
export type MeaningSet = {
  readonly mount: Mount
  /** Those among which is searched; null: all. */
  readonly isWithin: ((name: string) => boolean) | null
  read(): AsyncIterable<IndexedTool> | Iterable<IndexedTool>
  /** Null where it is gone. */
  hit(name: string): Promise<SearchHit | null>
}

/** `likeness`: of request and tool, at most 1; what is much depends on the model. */
export type NearTool = { readonly path: string; readonly name: string; readonly set: MeaningSet; readonly likeness: number }

/** Best first. `degraded`: why some or all are missing. */
export type MeaningAnswer = { readonly near: readonly NearTool[]; readonly degraded: Degraded | null }

export interface ToolMeaning {
  /** Whether the tenant has something that makes vectors. */
  isOn(scope: Scope): Promise<boolean>
  /** Never rejects because of an endpoint, and never waits for it longer than the limits say. */
  nearest(scope: Scope, query: string, sets: readonly MeaningSet[]): Promise<MeaningAnswer>
}
