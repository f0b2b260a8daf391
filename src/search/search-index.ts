// The search index: tool sets are stored once, and looked at through the connections that a principal can see.
import { createTimeSlices, inSlices } from "../io/time-slices.ts"
import type { IndexedTool, Mount, SearchAnswer, SearchRequest, SearchStats } from "./indexed-tool.ts"
import { search } from "./answer.ts"
import type { Index } from "./answer.ts"
import { createSegmentBuilder } from "./index/segment-build.ts"
import type { Segment } from "./index/segment.ts"
import { statsOf } from "./stats.ts"
import { suggestPaths } from "./suggest.ts"
import { askMany, visibility } from "./index/visibility.ts"
import { createVocabulary } from "./index/vocabulary.ts"
import { createCounted } from "./index/word-counts.ts"
import { warmUp } from "./warm-up.ts"

export type SearchIndex = {
  /** Indexes a tool set, in slices that leave the event loop free. Until it is done, what was there before is found. */
  put(toolSet: string, tools: Iterable<IndexedTool> | AsyncIterable<IndexedTool>): Promise<void>
  drop(toolSet: string): void
  has(toolSet: string): boolean
  /** Asks which of many tools are visible, in slices that leave the event loop free; a search that follows finds the answers. */
  prepare(mounts: readonly Mount[]): Promise<void>
  search(request: SearchRequest, mounts: readonly Mount[]): SearchAnswer
  /** Paths that may have been meant by one that does not exist, from the same connection first. */
  suggest(path: string, limit: number, mounts: readonly Mount[]): string[]
  stats(): SearchStats
}

type State = Index & {
  readonly segments: Map<string, Segment>
  /** The latest put of each tool set that is still at work. */
  readonly puts: Map<string, symbol>
}

/** From here on the first search would be felt. */
const largeCatalogTools = 5000

export function createSearchIndex(): SearchIndex {
  const state: State = {
    vocabulary: createVocabulary(),
    segments: new Map(),
    memo: new WeakMap(),
    counted: createCounted(),
    puts: new Map(),
  }
  return {
    put: (toolSet, tools) => put(state, toolSet, tools),
    drop: (toolSet) => {
      state.puts.delete(toolSet)
      replaceSegment(state, toolSet, undefined)
    },
    has: (toolSet) => state.segments.has(toolSet),
    prepare: (mounts) => inSlices(askMany(mounts, state.segments, state.memo)),
    search: (request, mounts) => search(state, request, mounts),
    suggest: (path, limit, mounts) =>
      suggestPaths(path, limit, mounts, {
        search: (request, among) => search(state, request, among),
        named(mount) {
          const segment = state.segments.get(mount.toolSet)
          return segment === undefined
            ? { names: [], admits: null }
            : { names: segment.names, admits: visibility(mount, segment, state.memo) }
        },
      }),
    stats: () => statsOf(state.segments.values(), state.vocabulary.size()),
  }
}

async function put(state: State, toolSet: string, tools: Iterable<IndexedTool> | AsyncIterable<IndexedTool>): Promise<void> {
  const ticket = Symbol(toolSet)
  state.puts.set(toolSet, ticket)
  const builder = createSegmentBuilder()
  const slices = createTimeSlices()
  for await (const tool of tools) {
    builder.add(tool)
    if (slices.isOver()) await slices.next()
  }
  const seal = await inSlices(builder.finish())
  if (builder.size() + toolsIn(state) >= largeCatalogTools) await inSlices(warmUp())
  // A later put or drop of the same tool set has the last word.
  if (state.puts.get(toolSet) !== ticket) return
  state.puts.delete(toolSet)
  replaceSegment(state, toolSet, seal(state.vocabulary))
}

const toolsIn = ({ segments }: State): number => segments.values().reduce((sum, { toolCount }) => sum + toolCount, 0)

function replaceSegment({ segments, vocabulary, counted }: State, toolSet: string, segment: Segment | undefined): void {
  const before = segments.get(toolSet)
  counted.clear()
  if (segment === undefined) segments.delete(toolSet)
  else segments.set(toolSet, segment)
  if (before !== undefined) vocabulary.release(before.words)
}
