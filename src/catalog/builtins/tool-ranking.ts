// The hits of a search in the order in which they are shown: what was called after like searches is raised, and deprecated
// tools come after those that replace them.
import { ExecutorError } from "../../core/errors.ts"
import { withoutRoot } from "../../core/address.ts"
import type { Principal } from "../../core/principal.ts"
import type { Degraded } from "../../core/retrieval/pipeline.ts"
import type { HitExplanation, SearchHit, SearchRequest } from "../../search/search.ts"
import { fuseTools, joinedMax } from "../search-meaning/fused.ts"
import type { MeaningAnswer } from "../search-meaning/meaning.ts"
import type { SearchScope } from "../tools/search.ts"
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
export type RankedHit = SearchHit & {
  readonly use: number
  /** Its place among the tools that are nearest by meaning, from 1, and how near. */
  readonly meaning?: { readonly place: number; readonly likeness: number }
}

export type RankedTools = {
  readonly hits: readonly RankedHit[]
  readonly total: number
  readonly offset: number
  /** Nothing fits well. */
  readonly isWeak: boolean
  /** Why only words were compared, or meaning for some tools alone. */
  readonly degraded: Degraded | null
}

/** Hits are put in order in blocks of this size, so that pages of any size neither repeat nor lose one. */
const blockHits = 24

/** `among`: only these tools, by their paths. */
export type RankOptions = { readonly preferenceFor?: PreferenceFor; readonly among?: ReadonlySet<string> }

export async function rankTools(
  principal: Principal,
  query: SearchQuery,
  limitDefault: number,
  parts: DiscoveryParts,
  { preferenceFor = parts.learnedUse.preference, among }: RankOptions = {},
): Promise<RankedTools> {
  if (typeof query.query !== "string") throw new ExecutorError("invalid_arguments", "Missing required parameter 'query'")
  const charsMax = parts.limits.searchQueryCharsMax
  if (query.query.length > charsMax)
    throw new ExecutorError(
      "invalid_arguments",
      `query must have at most ${charsMax} characters; say in a sentence what the tool should do`,
    )
  if ((query.namespace?.length ?? 0) > charsMax)
    throw new ExecutorError("invalid_arguments", `namespace must have at most ${charsMax} characters`)
  const limit = wholeNumber(query.limit ?? limitDefault, "limit", 1, limitMax)
  const offset = wholeNumber(query.offset ?? 0, "offset", 0, 100_000)
  await parts.staleSync.run(principal)
  const namespace = query.namespace === undefined || query.namespace === null ? {} : { namespace: withoutRoot(query.namespace) }
  const asked = { query: query.query, explain: query.explain === true, ...namespace, ...(among === undefined ? {} : { among }) }
  const byWords = wordRanking(principal, asked, preferenceFor, parts)
  if (asked.query.trim() !== "" && (await parts.meaning.isOn(principal)))
    return rankByBoth(principal, { ...asked, limit, offset }, byWords, parts)
  const { hits, total, isWeak } = await byWords(offset, offset + limit)
  return { hits, total, offset, isWeak, degraded: null }
}

type Asked = Pick<SearchRequest, "query"> & SearchScope & { readonly explain: boolean }
/** From one place to another. */
type WordRanking = (from: number, to: number) => Promise<Pick<RankedTools, "hits" | "total" | "isWeak">>

const wordRanking =
  (principal: Principal, asked: Asked, preferenceFor: PreferenceFor, parts: DiscoveryParts): WordRanking =>
  async (from, to) => {
    const start = from - (from % blockHits)
    const blocks = Math.ceil((to - start) / blockHits)
    const { hits, total, weak } = await parts.finder.search(principal, { ...asked, limit: blocks * blockHits, offset: start })
    const preference = preferenceFor(principal, asked.query)
    const ordered = Array.from({ length: blocks }, (_, block) =>
      successorsFirst(usedFirst(hits.slice(block * blockHits, (block + 1) * blockHits), preference)),
    )
    return { hits: ordered.flat().slice(from - start, to - start), total, isWeak: weak || total === 0 }
  }

async function rankByBoth(
  principal: Principal,
  { query, explain, limit, offset, ...scope }: Asked & { readonly limit: number; readonly offset: number },
  byWords: WordRanking,
  { finder, meaning }: DiscoveryParts,
): Promise<RankedTools> {
  const nearest = async (): Promise<MeaningAnswer> => meaning.nearest(principal, query, await finder.meaningSets(principal, scope))
  // What is found by both takes the place of two, so that some more of the words' ranking are needed for a full page.
  const [words, { near, degraded }] = await Promise.all([byWords(0, Math.max(offset + limit, joinedMax) + joinedMax), nearest()])
  if (near.length === 0) {
    const { total, isWeak } = words
    return { hits: words.hits.slice(offset, offset + limit), total, offset, isWeak, degraded }
  }
  const fused = fuseTools(words.hits, near, namedScore)
  const places = new Map(near.map(({ path }, place) => [path, place + 1]))
  const page = fused.slice(offset, offset + limit)
  const hits = await Promise.all(
    page.map(async ({ path, score, hit, near: one }): Promise<RankedHit | null> => {
      const read = hit ?? (await one?.set.hit(one.name)) ?? null
      if (read === null) return null
      const place = places.get(path)
      return {
        use: 1,
        ...read,
        score,
        ...(hit === undefined && explain ? { explanation: unexplained } : {}),
        ...(one === undefined || place === undefined ? {} : { meaning: { place, likeness: one.likeness } }),
      }
    }),
  )
  const known = new Set(words.hits.map(({ path }) => path))
  const added = near.filter(({ path }) => !known.has(path)).length
  const total = page.length < limit ? offset + page.length : words.total + added
  // Likeness does not tell whether a tool fits: what is much differs from model to model.
  return { hits: hits.filter((hit) => hit !== null), total, offset, isWeak: false, degraded }
}

/** No word of the request is in it. */
const unexplained: HitExplanation = { words: [], factors: { words: 1, thing: 1, operation: 1, integration: 1 } }

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
