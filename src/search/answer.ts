// Runs one search: reads the request, scores all tools that its principal can see, ranks the best, and returns a page of them.
import { bestOf } from "./ranking/candidates.ts"
import type { Candidate } from "./ranking/candidates.ts"
import { viewOf } from "./index/view.ts"
import type { CatalogView, MountView } from "./index/view.ts"
import type { Catalog } from "./query/concepts.ts"
import { conceptsOf, namesOf } from "./query/concepts.ts"
import type { HitExplanation, Mount, SearchAnswer, SearchHit, SearchRequest } from "./indexed-tool.ts"
import { intentsOf } from "./query/intents.ts"
import { exactly, matchPath, pathIn } from "./query/path-match.ts"
import { answeredShare, gainsOf } from "./ranking/gains.ts"
import { factorsFor } from "./ranking/factors.ts"
import { rank } from "./ranking/rank.ts"
import type { Intent, Ranking } from "./ranking/rank.ts"
import type { Intention, RequestWord } from "./query/request.ts"
import { scoreAll } from "./ranking/score.ts"
import type { Scores } from "./ranking/score.ts"
import { ownSlug } from "../core/address.ts"
import { effectOf, isDeprecated } from "./index/segment.ts"
import type { Segment } from "./index/segment.ts"
import { requestLimits, tuning } from "./tuning.ts"
import type { VisibilityMemo } from "./index/visibility.ts"
import type { Vocabulary } from "./index/vocabulary.ts"
import { countsIn } from "./index/word-counts.ts"
import type { Counted } from "./index/word-counts.ts"

export type Index = {
  readonly vocabulary: Vocabulary
  readonly segments: ReadonlyMap<string, Segment>
  readonly memo: VisibilityMemo
  readonly counted: Counted
}

type Place = { readonly candidate: Candidate; readonly mount: MountView }

export function search(index: Index, request: SearchRequest, mounts: readonly Mount[]): SearchAnswer {
  const text = request.query.slice(0, requestLimits.chars)
  const intentions = intentsOf(text)
  const allWords = intentions.flatMap(({ words }) => words)
  const stems = new Set(allWords.flatMap((entry) => [entry.stem, ...namesOf(entry)]))
  const path = pathIn(text)
  const view = viewOf(mounts, { namespace: request.namespace ?? "", stems, path }, index)
  if (text.trim() === "") return inventory(view, request)

  const catalog = { view, counts: countsIn(view, index.counted), vocabulary: index.vocabulary, guesses: new Map() }
  const intents = intentions.map((intention) => readIntent(intention, catalog)).filter((intent) => intent.concepts.length > 0)
  const [only] = intents
  const whole = only !== undefined && intents.length === 1 ? only : readIntent({ words: withoutRepeats(allWords), wanted: null }, catalog)
  const matches = path === null ? null : matchPath(path, view)
  // What is named by path has its place already.
  if (matches !== null) for (const { scores } of [whole, ...intents]) forget(matches, scores)
  const named = namedByPath(matches, request, view)
  // A page full of named tools needs of the others only their number.
  const isFull = named.total >= request.offset + request.limit
  const ranked = isFull ? bestOf(view, whole.scores, 0) : rank(whole, intents, request.offset + request.limit, catalog)
  const rest = matches === null ? ranked.candidates : ranked.candidates.map((candidate) => ({ ...candidate, score: candidate.score * 0.9 }))
  const answered = named.total > 0 ? 1 : Math.max(...[whole, ...intents].map((intent) => answeredShare(ranked.candidates, intent)))
  const explanationOf = ({ candidate }: Place) => (request.explain === true ? { explanation: explain(candidate, whole, catalog) } : {})
  const hits = page([...named.candidates, ...rest], request).map((place) => ({ ...hitOf(place), ...explanationOf(place) }))
  return { hits, total: named.total + ranked.total, weak: answered < tuning.weakBelow }
}

/** Exact paths first, then what goes on from the path: plain tools first. */
function namedByPath(matches: Scores | null, request: SearchRequest, view: CatalogView): Ranking {
  if (matches === null) return { candidates: [], total: 0 }
  const { candidates, total } = bestOf(view, matches, request.offset + request.limit)
  const scoreOf = (candidate: Candidate): number => (matches[candidate.group.offset + candidate.tool] === exactly ? 1 : 0.95)
  return { candidates: candidates.map((candidate) => ({ ...candidate, score: scoreOf(candidate) })), total }
}

function forget(matches: Scores, scores: Scores): void {
  for (let slot = 0; slot < matches.length; slot += 1) if (matches[slot] !== 0) scores[slot] = 0
}

/** Without words, all that is visible: plain tools of every subject first, and what Executor brings itself last. */
function inventory(view: CatalogView, request: SearchRequest): SearchAnswer {
  const scores = new Float32Array(view.slots).fill(1)
  for (const { mounts, segment, offset } of view.groups) {
    if (mounts.every(({ mount }) => mount.integration === ownSlug)) scores.fill(0.5, offset, offset + segment.toolCount)
  }
  const { candidates, total } = bestOf(view, scores, request.offset + request.limit)
  const shown = candidates.map((candidate) => ({ ...candidate, score: 0 }))
  return { hits: page(shown, request).map(hitOf), total, weak: false }
}

function readIntent({ words, wanted }: Intention, catalog: Catalog): Intent {
  const { view, counts } = catalog
  const concepts = conceptsOf(words, catalog)
  const scores = new Float32Array(view.slots)
  const { hints = [], asked = [] } = Object.groupBy(concepts, ({ isHint }) => (isHint ? "hints" : "asked"))
  const known = new Set(asked.map(({ stem }) => stem))
  const unknown = words.reduce((sum, { stem, weight, isHint }) => (isHint || known.has(stem) ? sum : sum + weight * counts.rarity(0)), 0)
  const isOnlyHints = words.every((entry) => entry.isHint)
  scoreAll(view, isOnlyHints ? hints : asked, scores, false)
  // Who only names an integration wants to see what there is; a verb that nobody said must not order that.
  if (isOnlyHints || asked.every((concept) => concept.isBrand))
    return { concepts: isOnlyHints ? hints : asked, scores, wanted: null, unknown }
  scoreAll(view, hints, scores, true)
  return { concepts, scores, wanted, unknown }
}

function withoutRepeats(words: readonly RequestWord[]): RequestWord[] {
  const heaviest = new Map<string, RequestWord>()
  for (const entry of words) if ((heaviest.get(entry.stem)?.weight ?? 0) < entry.weight) heaviest.set(entry.stem, entry)
  return [...heaviest.values()].slice(0, requestLimits.words)
}

/** A tool has a place for each mount that shows it. */
function* placesOf(ranked: readonly Candidate[]): Generator<Place> {
  for (const candidate of ranked) {
    for (const mount of candidate.group.mounts) if (mount.admits === null || mount.admits(candidate.tool)) yield { candidate, mount }
  }
}

/** Why a tool has its place: what each word brought it, and what the sum was multiplied with. */
function explain(candidate: Candidate, whole: Intent, catalog: Catalog): HitExplanation {
  const { words, thing, operation, integration } = factorsFor(whole, catalog)(candidate)
  const gains = gainsOf(candidate, whole.concepts).map((gain, number) => ({
    word: whole.concepts[number]?.word ?? "",
    gain: rounded(gain),
  }))
  return {
    words: gains.filter(({ gain }) => gain > 0).toSorted((a, b) => b.gain - a.gain),
    factors: { words: rounded(words), thing: rounded(thing), operation: rounded(operation), integration: rounded(integration) },
  }
}

const page = (ranked: readonly Candidate[], { offset, limit }: SearchRequest): Place[] =>
  Iterator.from(placesOf(ranked)).drop(offset).take(limit).toArray()

const rounded = (value: number): number => Math.round(value * 1000) / 1000

function hitOf({ candidate: { group, tool, score }, mount: { mount } }: Place): SearchHit {
  const { segment } = group
  const name = segment.names[tool] ?? ""
  return {
    path: mount.prefix === "" ? name : `${mount.prefix}.${name}`,
    name,
    title: segment.titles[tool] ?? "",
    description: segment.descriptions[tool] ?? "",
    mount,
    deprecated: isDeprecated(segment, tool),
    effect: effectOf(segment, tool),
    score: rounded(score),
  }
}
