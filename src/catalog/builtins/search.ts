// `tools.search`: finds tools by what they do, and shows what they take.
//
// Models read hits by the dozen, so that the texts of a page share a number of characters: short ones leave their room to
// long ones. Surfaces for programs and people show the texts as they are.
import type { BriefSearchItem, SearchItem, SearchPage } from "../../core/discovery.ts"
import type { CatalogEvaluation, EvaluationCase } from "../../core/evaluation.ts"
import type { Principal } from "../../core/principal.ts"
import { servicesText } from "../../core/text/inventory.ts"
import { describeShort } from "../../search/search.ts"
import { signatureText } from "../../typescript/typescript.ts"
import type { Signature } from "../../typescript/typescript.ts"
import { checkAccess } from "../tools/access.ts"
import { evaluateTools } from "../tools/evaluate.ts"
import { signatureOf } from "../tools/signatures.ts"
import type { DiscoveryParts } from "./discovery-parts.ts"
import { rankTools, withoutUse } from "./tool-ranking.ts"
import type { RankedHit, RankedTools, SearchQuery } from "./tool-ranking.ts"

const limitDefault = 12
/** Of the nearest tools where none fits well. */
const weakHitsMax = 3
/** An integration's or a connection's path is no longer. */
const namespaceShownMax = 120

/** With everything that is known of a hit. */
export async function searchTools(principal: Principal, query: SearchQuery, parts: DiscoveryParts): Promise<SearchPage> {
  const ranked = await rankTools(principal, query, limitDefault, parts)
  const found = await Promise.all(shownHits(ranked).map((hit) => read(principal, hit, parts)))
  const items = found.map((one): SearchItem => {
    const { title, mount, score, description, explanation, use, meaning } = one.hit
    const texts = { signature: signatureText(one.signature, signatureCharsMax), description }
    return {
      ...toItem(one, texts),
      name: title,
      integration: mount.integration,
      score: rounded(score),
      ...(explanation === undefined
        ? {}
        : {
            explanation: {
              words: explanation.words,
              factors: { ...explanation.factors, use: rounded(use) },
              ...(meaning === undefined ? {} : { meaning: { ...meaning, likeness: rounded(meaning.likeness) } }),
            },
          }),
    }
  })
  return toPage(principal, items, ranked, query, parts)
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000

/** As models read it. */
export async function searchBriefly(principal: Principal, query: SearchQuery, parts: DiscoveryParts): Promise<SearchPage<BriefSearchItem>> {
  const ranked = await rankTools(principal, query, limitDefault, parts)
  const found = await Promise.all(shownHits(ranked).map((hit) => read(principal, hit, parts)))
  const room = roomOf(found)
  const items = found.map((one) => {
    const signature = signatureText(one.signature, Math.min(room, signatureCharsMax))
    return toItem(one, { signature, description: describeShort(one.hit.description, room) })
  })
  return toPage(principal, items, ranked, query, parts)
}

/**
 * By the order of all hits, also where none fits well, and as if nobody had ever searched: requests that people made are
 * what such cases are written from, so that what was learned from them would judge itself.
 */
export const evaluateSearch = (
  principal: Principal,
  cases: readonly EvaluationCase[],
  parts: DiscoveryParts,
  signal?: AbortSignal,
): Promise<CatalogEvaluation> =>
  evaluateTools(principal, cases, (query) => rankTools(principal, query, query.limit, parts, { preferenceFor: withoutUse }), parts, signal)

type FoundHit = { readonly hit: RankedHit; readonly signature: Signature; readonly requiresApproval: boolean }

const noSignature: Signature = { parameters: [], unnamed: 0, hasAlternatives: false }

async function read(principal: Principal, hit: RankedHit, parts: DiscoveryParts): Promise<FoundHit> {
  const access = await checkAccess(principal, hit.path, parts)
  // It was there a moment ago.
  if (!access.ok || !access.tool.ok) return { hit, signature: noSignature, requiresApproval: true }
  const signature = await signatureOf(principal, access.tool, parts.store)
  return { hit, signature, requiresApproval: access.facts.requiresApproval }
}

const toItem = (
  { hit, requiresApproval }: FoundHit,
  { signature, description }: { readonly signature: string; readonly description: string },
): BriefSearchItem => ({
  path: hit.path,
  signature,
  description,
  requiresApproval,
  ...(hit.deprecated ? { deprecated: true } : {}),
})

const shownHits = ({ hits, offset, isWeak }: RankedTools): readonly RankedHit[] =>
  isWeak ? hits.slice(0, Math.max(0, weakHitsMax - offset)) : hits

async function toPage<Item extends BriefSearchItem>(
  principal: Principal,
  items: readonly Item[],
  { total, offset, isWeak, degraded: reason }: RankedTools,
  { namespace }: SearchQuery,
  parts: DiscoveryParts,
): Promise<SearchPage<Item>> {
  const degraded = reason === null ? {} : { degraded: reason }
  if (isWeak) {
    const where = namespace === undefined ? "" : ` in '${namespace.slice(0, namespaceShownMax)}'`
    const message = `No tool${where} fits well. ${servicesText(await parts.inventory(principal))}`
    return { items, total: Math.min(total, weakHitsMax), hasMore: false, nextOffset: null, weak: true, message, ...degraded }
  }
  const end = offset + items.length
  return { items, total, hasMore: end < total, nextOffset: end < total ? end : null, ...degraded }
}

/** Beyond that nobody reads on. */
const signatureCharsMax = 160
/** What an item takes on average, so that twelve of them with their page stay below 2,500 characters. */
const itemChars = 202
/** Few hits may be read more closely. */
const pageCharsMin = 1200

/** How long a text may be, so that the page keeps its size. */
function roomOf(found: readonly FoundHit[]): number {
  const fixed = found.map((one) => JSON.stringify(toItem(one, { signature: "", description: "" })).length + 1)
  const left = Math.max(pageCharsMin, itemChars * found.length) - fixed.reduce((sum, chars) => sum + chars, 0)
  const wanted = found.flatMap((one) => [signatureText(one.signature, signatureCharsMax), one.hit.description])
  return evenShare(
    wanted.map((text) => JSON.stringify(text).length - 2),
    left,
  )
}

const shareCharsMin = 12

/** The length to which the long ones are cut, so that all of them together fit. */
export function evenShare(lengths: readonly number[], room: number): number {
  let left = room
  const ascending = lengths.toSorted((a, b) => a - b)
  for (const [place, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - place))
    if (length > share) return Math.max(shareCharsMin, share)
    left -= length
  }
  return ascending.at(-1) ?? shareCharsMin
}
