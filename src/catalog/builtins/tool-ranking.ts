// The hits of a search in the order in which they are shown: deprecated tools after those that replace them.
import { ExecutorError } from "../../core/errors.ts"
import { withoutRoot } from "../../core/address.ts"
import type { Principal } from "../../core/principal.ts"
import type { SearchHit } from "../../search/search.ts"
import { limitMax, wholeNumber } from "./discovery-parts.ts"
import type { DiscoveryParts } from "./discovery-parts.ts"

export type SearchQuery = { readonly query: string; readonly namespace?: string; readonly limit?: number; readonly offset?: number }

export type RankedTools = {
  readonly hits: readonly SearchHit[]
  readonly total: number
  readonly offset: number
  /** Nothing fits well. */
  readonly isWeak: boolean
}

/** Hits are put in order in blocks of this size, so that pages of any size neither repeat nor lose one. */
const blockHits = 24

export async function rankTools(
  principal: Principal,
  query: SearchQuery,
  limitDefault: number,
  parts: DiscoveryParts,
): Promise<RankedTools> {
  if (typeof query.query !== "string") throw new ExecutorError("invalid_arguments", "Missing required parameter 'query'")
  const limit = wholeNumber(query.limit ?? limitDefault, "limit", 1, limitMax)
  const offset = wholeNumber(query.offset ?? 0, "offset", 0, 100_000)
  await parts.staleSync.run(principal)
  const namespace = query.namespace === undefined || query.namespace === null ? {} : { namespace: withoutRoot(query.namespace) }
  const start = offset - (offset % blockHits)
  const blocks = Math.ceil((offset + limit - start) / blockHits)
  const request = { query: query.query, limit: blocks * blockHits, offset: start, ...namespace }
  const { hits, total, weak } = await parts.finder.search(principal, request)
  const ordered = Array.from({ length: blocks }, (_, block) => successorsFirst(hits.slice(block * blockHits, (block + 1) * blockHits)))
  return { hits: ordered.flat().slice(offset - start, offset - start + limit), total, offset, isWeak: weak || total === 0 }
}

/** A tool that answers the request half as well as a deprecated one of the same integration is taken for one that replaces it. */
const successorScore = 0.5

/** What is named by its exact path stays in its place. */
export function successorsFirst(hits: readonly SearchHit[]): SearchHit[] {
  const ordered = [...hits]
  for (const hit of hits.toReversed()) {
    if (!hit.deprecated || hit.score === 1) continue
    const last = ordered.findLastIndex((other) => isSuccessor(other, hit))
    const place = ordered.indexOf(hit)
    if (last < place) continue
    ordered.splice(place, 1)
    ordered.splice(last, 0, hit)
  }
  return ordered
}

const isSuccessor = (other: SearchHit, hit: SearchHit): boolean =>
  !other.deprecated && other.mount.integration === hit.mount.integration && other.score >= hit.score * successorScore
