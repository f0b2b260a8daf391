// Answers one request: reads it, scores all tools that its principal can see, ranks the best, and shows a page of them.
import { bestOf, compareCandidates } from "./candidates.ts"
import type { Candidate } from "./candidates.ts"
import { viewOf } from "./catalog-view.ts"
import type { CatalogView, MountView, VisibilityMemo } from "./catalog-view.ts"
import { conceptsOf, countsIn } from "./concepts.ts"
import type { WordCounts } from "./concepts.ts"
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

export type Index = { readonly vocabulary: Vocabulary; readonly segments: ReadonlyMap<string, Segment>; readonly memo: VisibilityMemo }

type Place = { readonly candidate: Candidate; readonly mount: MountView }

export function search(index: Index, request: SearchRequest, mounts: readonly Mount[]): SearchAnswer {
  const text = request.query.slice(0, requestLimits.chars)
  const words = intentsOf(text)
  const stems = new Set(words.flat().map((entry) => entry.stem))
  const view = viewOf(mounts, request.namespace ?? "", stems, index)
  if (text.trim() === "") return inventory(view, request)

  const counts = countsIn(view)
  const intents = words.map((own) => readIntent(own, view, counts, index.vocabulary)).filter((intent) => intent.concepts.length > 0)
  const whole =
    intents.length === 1 && intents[0] !== undefined ? intents[0] : readIntent(withoutRepeats(words.flat()), view, counts, index.vocabulary)
  const paths = matchPath(text, view)
  // What is named by path counts as a match, whatever its words are.
  for (const { group, tool } of paths) whole.scores[group.offset + tool] ||= Number.EPSILON
  const { candidates, total } = rank(view, whole, intents, counts, request.offset + request.limit + paths.length)
  return { hits: page(placesOf(paths, candidates), request), total }
}

/** Without words, all that is visible: plain tools of every subject first. */
function inventory(view: CatalogView, request: SearchRequest): SearchAnswer {
  const scores = new Float32Array(view.slots)
  const { candidates, total } = bestOf(view, scores, "all", request.offset + request.limit)
  return { hits: page(placesOf([], candidates), request), total }
}

function readIntent(words: readonly RequestWord[], view: CatalogView, counts: WordCounts, vocabulary: Vocabulary): Intent {
  const concepts = conceptsOf(words, view, counts, vocabulary)
  const scores = new Float32Array(view.slots)
  const { hints = [], asked = hints } = Object.groupBy(concepts, ({ isHint }) => (isHint ? "hints" : "asked"))
  scoreAll(view, asked, scores)
  // Who only names an integration wants to see what there is; a verb that nobody said must not order that.
  const isHinted = asked !== hints && !asked.every((concept) => concept.isBrand)
  if (isHinted) scoreMatched(view, hints, scores)
  return { concepts: isHinted ? concepts : asked, scores }
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
