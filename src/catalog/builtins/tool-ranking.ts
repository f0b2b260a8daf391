// The hits of a search in the order in which they are shown: what was called after like searches is raised, and deprecated
// tools come after those that replace them.
import { ExecutorError } from "../../core/errors.ts"
import { withoutRoot } from "../../core/address.ts"
import type { Principal } from "../../core/principal.ts"
import type { SearchHit } from "../../search/search.ts"
import type { Preference } from "../search-use/preference.ts"
import { limitMax, wholeNumber } from "./discovery-parts.ts"
import type { DiscoveryParts } from "./discovery-parts.ts"

export type SearchQuery = {
  readonly query: string
  readonly namespace?: string
  readonly limit?: number
  readonly offset?: number
  /** Whether each hit says why it has its place. */
  readonly explain?: boolean
}

/** `use`: what its score is multiplied with because of earlier searches, where it is put in order. */
export type RankedHit = SearchHit & { readonly use: number }

export type RankedTools = {
  readonly hits: readonly RankedHit[]
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
  preferenceFor: PreferenceFor = parts.learnedUse.preference,
): Promise<RankedTools> {
  if (typeof query.query !== "string") throw new ExecutorError("invalid_arguments", "Missing required parameter 'query'")
  const limit = wholeNumber(query.limit ?? limitDefault, "limit", 1, limitMax)
  const offset = wholeNumber(query.offset ?? 0, "offset", 0, 100_000)
  await parts.staleSync.run(principal)
  const namespace = query.namespace === undefined || query.namespace === null ? {} : { namespace: withoutRoot(query.namespace) }
  const start = offset - (offset % blockHits)
  const blocks = Math.ceil((offset + limit - start) / blockHits)
  const request = { query: query.query, limit: blocks * blockHits, offset: start, explain: query.explain === true, ...namespace }
  const { hits, total, weak } = await parts.finder.search(principal, request)
  const preference = preferenceFor(principal, query.query)
  const ordered = Array.from({ length: blocks }, (_, block) =>
    successorsFirst(usedFirst(hits.slice(block * blockHits, (block + 1) * blockHits), preference)),
  )
  return { hits: ordered.flat().slice(offset - start, offset - start + limit), total, offset, isWeak: weak || total === 0 }
}

type PreferenceFor = (principal: Principal, query: string) => Preference

/** As if nobody had ever searched. */
export const withoutUse: PreferenceFor = () => () => 1

/** Only what is named by its exact path has this score, and keeps its place. */
const namedScore = 1

function usedFirst(hits: readonly SearchHit[], preference: Preference): RankedHit[] {
  const raised = hits.map((hit) => ({ ...hit, use: hit.score === namedScore ? 1 : preference(hit.path) }))
  if (raised.every(({ use }) => use === 1)) return raised
  const worth = ({ score, use }: RankedHit): number => (score === namedScore ? score : Math.min(score * use, 0.999))
  return raised.toSorted((a, b) => worth(b) - worth(a))
}

/** A tool that answers the request half as well as a deprecated one of the same integration is taken for one that replaces it. */
const successorScore = 0.5

/** What is named by its exact path stays in its place. */
export function successorsFirst<Hit extends SearchHit>(hits: readonly Hit[]): Hit[] {
  const ordered = [...hits]
  for (const hit of hits.toReversed()) {
    if (!hit.deprecated || hit.score === namedScore) continue
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
