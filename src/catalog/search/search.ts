// Answers one request: reads it, scores all tools that its principal can see, ranks the best, and shows a page of them.
import { bestOf, compareCandidates } from "./candidates.ts"
import type { Candidate } from "./candidates.ts"
import { viewOf } from "./catalog-view.ts"
import type { CatalogView, MountView, VisibilityMemo } from "./catalog-view.ts"
import { conceptsOf } from "./concepts.ts"
import type { Catalog } from "./concepts.ts"
import type { Mount, SearchAnswer, SearchHit, SearchRequest } from "./indexed-tool.ts"
import { intentsOf } from "./intents.ts"
import { matchPath } from "./path-match.ts"
import type { PathMatch } from "./path-match.ts"
import { rank } from "./rank.ts"
import type { Intent } from "./rank.ts"
import type { RequestWord } from "./request.ts"
import { scoreAll, scoreMatched } from "./score.ts"
import { effectOf, isDeprecated } from "./segment.ts"
import type { Segment } from "./segment.ts"
import { requestLimits } from "./tuning.ts"
import type { Vocabulary } from "./vocabulary.ts"
import { countsIn } from "./word-counts.ts"

export type Index = { readonly vocabulary: Vocabulary; readonly segments: ReadonlyMap<string, Segment>; readonly memo: VisibilityMemo }

type Place = { readonly candidate: Candidate; readonly mount: MountView }

export function search(index: Index, request: SearchRequest, mounts: readonly Mount[]): SearchAnswer {
  const text = request.query.slice(0, requestLimits.chars)
  const words = intentsOf(text)
  const stems = new Set(words.flat().map((entry) => entry.stem))
  const view = viewOf(mounts, request.namespace ?? "", stems, index)
  if (text.trim() === "") return inventory(view, request)

  const catalog = { view, counts: countsIn(view), vocabulary: index.vocabulary, guesses: new Map() }
  const intents = words.map((own) => readIntent(own, catalog)).filter((intent) => intent.concepts.length > 0)
  const [first] = intents
  const whole = first !== undefined && intents.length === 1 ? first : readIntent(withoutRepeats(words.flat()), catalog)
  const paths = matchPath(text, view)
  // What is named by path counts as a match, whatever its words are.
  for (const { group, tool } of paths) whole.scores[group.offset + tool] ||= Number.EPSILON
  const { candidates, total } = rank(whole, intents, request.offset + request.limit + paths.length, catalog)
  return { hits: page(placesOf(paths, candidates), request), total }
}

/** Without words, all that is visible: plain tools of every subject first. */
function inventory(view: CatalogView, request: SearchRequest): SearchAnswer {
  const scores = new Float32Array(view.slots)
  const { candidates, total } = bestOf(view, scores, "all", request.offset + request.limit)
  return { hits: page(placesOf([], candidates.toSorted(compareCandidates)), request), total }
}

function readIntent(words: readonly RequestWord[], catalog: Catalog): Intent {
  const { view } = catalog
  const concepts = conceptsOf(words, catalog)
  const scores = new Float32Array(view.slots)
  const { hints = [], asked = [] } = Object.groupBy(concepts, ({ isHint }) => (isHint ? "hints" : "asked"))
  const isOnlyHints = words.every((entry) => entry.isHint)
  scoreAll(view, isOnlyHints ? hints : asked, scores)
  // Who only names an integration wants to see what there is; a verb that nobody said must not order that.
  if (isOnlyHints || asked.every((concept) => concept.isBrand)) return { concepts: isOnlyHints ? hints : asked, scores }
  scoreMatched(view, hints, scores)
  return { concepts, scores }
}

function withoutRepeats(words: readonly RequestWord[]): RequestWord[] {
  const heaviest = new Map<string, RequestWord>()
  for (const entry of words) if ((heaviest.get(entry.stem)?.weight ?? 0) < entry.weight) heaviest.set(entry.stem, entry)
  return [...heaviest.values()].slice(0, requestLimits.words)
}

/** What was named by path comes first; a tool has a place for each mount that shows it. */
function* placesOf(paths: readonly PathMatch[], ranked: readonly Candidate[]): Generator<Place> {
  const shown = new Set<string>()
  for (const { group, mount, tool, isExact } of paths) {
    shown.add(`${group.offset}:${tool}:${mount.mount.prefix}`)
    yield { candidate: { group, tool, score: isExact ? 1 : 0.95 }, mount }
  }
  const rest =
    paths.length === 0 ? ranked : ranked.map((candidate) => ({ ...candidate, score: candidate.score * 0.9 })).toSorted(compareCandidates)
  for (const candidate of rest) {
    for (const mount of candidate.group.mounts) {
      if (mount.admits !== null && !mount.admits(candidate.tool)) continue
      if (!shown.has(`${candidate.group.offset}:${candidate.tool}:${mount.mount.prefix}`)) yield { candidate, mount }
    }
  }
}

const page = (places: Iterator<Place> & Iterable<Place>, request: SearchRequest): SearchHit[] =>
  Iterator.from(places).drop(request.offset).take(request.limit).map(hitOf).toArray()

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
    score: Math.round(score * 1000) / 1000,
  }
}
