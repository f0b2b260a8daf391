// Finds the tools that are nearest to a request by meaning, for tenants that have set what makes vectors.
//
// A search asks for one vector, which is kept, and waits for it a short time only. Tools get theirs in the background, of all
// sets that somebody sees who searches; what has none yet is found by words alone, and the answer says so.
import type { MeaningAnswer, MeaningSet, NearTool, ToolMeaning } from "../../catalog/search-meaning/meaning.ts"
import { LruMap } from "../../core/lru-map.ts"
import type { Scope } from "../../core/principal.ts"
import type { Degraded } from "../../core/retrieval/pipeline.ts"
import type { ToolEmbeddingView } from "../../core/retrieval/tool-embedding.ts"
import { createRevisionCache } from "../../store/revision-cache.ts"
import type { ToolEmbeddingRow } from "../../store/retrieval/retrieval-store.ts"
import { createKnownSets } from "./known-sets.ts"
import type { KnownSets } from "./known-sets.ts"
import type { ToolMeaningParts } from "./parts.ts"
import { readEmbedding } from "./settings.ts"
import { createVectorSpace } from "./vector-space.ts"
import type { VectorSpace } from "./vector-space.ts"
import { numbersOf } from "./visible-numbers.ts"

export type ToolMeaningSearch = ToolMeaning & {
  /** How far the vectors of these sets are; what is missing is made from now on. */
  progress(scope: Scope, sets: readonly MeaningSet[]): Promise<ToolEmbeddingView>
  close(): Promise<void>
}

/** Of one tenant and embedding, as long as the thread holds the vectors. */
type Open = { readonly row: ToolEmbeddingRow; readonly space: VectorSpace; readonly sets: KnownSets; generation: number; askAtMs: number }

const tenantsMax = 1000
const questionsMax = 1000
const questionCharsMax = 1000
const nearMax = 24
/** Of the likeness of the nearest one. */
const likenessShareMin = 0.5
/** After the endpoint failed, searches do not ask it for a while. */
const pauseMs = 5000

export function createToolMeaning(parts: ToolMeaningParts): ToolMeaningSearch {
  const { store, limits, clock, log, thread } = parts
  const settings = createRevisionCache<ToolEmbeddingRow | null>(store, tenantsMax)
  const questions = new LruMap<string, Float32Array>(questionsMax)
  /** Those that were asked longest ago come first. */
  const held = new Map<string, Open>()

  const rowOf = (scope: Scope): Promise<ToolEmbeddingRow | null> => settings(scope.tenant, () => store.toolEmbeddings.get(scope))

  function open({ tenant }: Scope, row: ToolEmbeddingRow): Open {
    const known = held.get(tenant)
    held.delete(tenant)
    if (known !== undefined && known.row.id !== row.id) close(known)
    const isKept = known !== undefined && known.row.id === row.id
    const entry = isKept ? known : newOpen({ tenant, user: "" }, row)
    // What the thread held is lost with it.
    if (entry.generation !== thread.generation()) entry.sets.clear()
    entry.generation = thread.generation()
    held.set(tenant, entry)
    makeRoom(tenant)
    return entry
  }
  function newOpen(scope: Scope, row: ToolEmbeddingRow): Open {
    const space = createVectorSpace(scope, row, parts)
    const tell = (error: string): void => log.warn({ tenant: scope.tenant, error }, "Tools have no vectors yet; it will be retried")
    return { row, space, sets: createKnownSets(space, tell, parts), generation: thread.generation(), askAtMs: 0 }
  }
  function close({ sets, space }: Open): void {
    sets.stop()
    space.drop()
  }
  function makeRoom(keep: string): void {
    let total = held.values().reduce((sum, { space }) => sum + space.bytes(), 0)
    for (const [tenant, entry] of held) {
      if (total <= limits.toolVectorBytesMax || tenant === keep) continue
      total -= entry.space.bytes()
      close(entry)
      held.delete(tenant)
    }
  }

  async function questionOf(text: string, entry: Open): Promise<Float32Array> {
    const key = JSON.stringify([entry.row.id, text])
    const kept = questions.get(key)
    if (kept !== undefined) return kept
    if (clock.monotonicMs() < entry.askAtMs) throw new Error("The endpoint failed a moment ago")
    try {
      return questions.set(key, await entry.space.question(text, AbortSignal.timeout(limits.toolEmbedMs)))
    } catch (error) {
      entry.askAtMs = clock.monotonicMs() + pauseMs
      throw error
    }
  }

  async function find(query: string, sets: readonly MeaningSet[], entry: Open): Promise<MeaningAnswer> {
    const vector = await inTime(questionOf(query.slice(0, questionCharsMax), entry), limits.toolEmbedMs)
    const visible = await Promise.all(sets.map(async (set) => ({ set, ...(await numbersOf(set, entry.sets.get(set), entry.space)) })))
    const found = await entry.space.nearest(vector, joined(visible.map(({ numbers }) => numbers)), nearMax)
    const least = (found.scores[0] ?? 0) * likenessShareMin
    const near = Array.from(found.chunkNumbers).flatMap((number, at): NearTool[] => {
      const likeness = found.scores[at] ?? 0
      if (likeness <= 0 || likeness < least) return []
      return visible.flatMap(({ set, nameOf }) => {
        const name = nameOf(number)
        return name === undefined ? [] : [{ path: `${set.mount.prefix}.${name}`, name, set, likeness }]
      })
    })
    return { near: near.slice(0, nearMax), degraded: pendingIn(sets, entry) }
  }

  return {
    isOn: async (scope) => (await rowOf(scope)) !== null,
    async nearest(scope, query, sets) {
      const row = await rowOf(scope)
      if (row === null) return { near: [], degraded: null }
      const entry = open(scope, row)
      entry.sets.want(sets)
      try {
        // What a restart has to read is mostly there in time, and otherwise found by words alone.
        await inTime(entry.sets.loaded(), limits.toolEmbedMs).catch(() => {})
        return await find(query, sets, entry)
      } catch (error) {
        log.warn({ tenant: scope.tenant, error: String(error) }, "A search for tools was answered by words alone")
        return { near: [], degraded: "embeddings_unavailable" }
      }
    },
    async progress(scope, sets) {
      const row = await rowOf(scope)
      if (row === null) return { embedding: null, status: "off", toolsLeft: 0, error: null }
      const entry = open(scope, row)
      entry.sets.want(sets)
      await inTime(entry.sets.loaded(), limits.toolEmbedMs).catch(() => {})
      const toolsLeft = sets.reduce((sum, set) => sum + (entry.sets.get(set)?.left ?? 0), 0)
      const error = entry.sets.error()
      const isPending = pendingIn(sets, entry) !== null
      return { embedding: readEmbedding(row), status: isPending ? (error === null ? "embedding" : "retrying") : "ready", toolsLeft, error }
    },
    async close() {
      for (const { sets } of held.values()) sets.stop()
      await thread.close()
    },
  }
}

const pendingIn = (sets: readonly MeaningSet[], { sets: known }: Open): Degraded | null =>
  sets.every((set) => known.get(set)?.left === 0) ? null : "embeddings_pending"

function joined(lists: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const list of lists) {
    all.set(list, at)
    at += list.length
  }
  return all
}

/** Also of what does not listen to its signal. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const timer = Promise.withResolvers<never>()
  const timeout = setTimeout(() => timer.reject(new Error(`It took longer than ${ms} ms`)), ms)
  try {
    return await Promise.race([work, timer.promise])
  } finally {
    clearTimeout(timeout)
  }
}
