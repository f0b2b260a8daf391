// Which vectors the tools of one tenant's tool sets have, and the work in the background that gives them one.
//
// First what the table has is read, for all sets that somebody sees; then what is missing is made, in batches. A set that
// was seen once is complete until its content changes, and then it is another set, of which most texts have a vector already.
import type { MeaningSet } from "../../catalog/search-meaning/meaning.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import type { ToolMeaningParts } from "./parts.ts"
import { hashOfText, textOfTool } from "./tool-text.ts"
import type { HashedText, VectorSpace } from "./vector-space.ts"

/** `hashes` and `names`: of its tools that are not deprecated, in the same order. */
export type KnownSet = { readonly names: readonly string[]; readonly hashes: readonly string[]; left: number }

export type KnownSets = {
  /** There is something to do for those that are not complete. */
  want(sets: readonly MeaningSet[]): void
  get(set: MeaningSet): KnownSet | undefined
  /** What the table has of all that was wanted is there. */
  loaded(): Promise<void>
  /** Why the last attempt failed. */
  error(): string | null
  /** Forgets all vectors; they are read again. */
  clear(): void
  stop(): void
}

/** Endpoints take at least as many. */
const textsPerRequest = 64
const hashesPerRead = 200
const retryMsMax = 600_000

export function createKnownSets(space: VectorSpace, tell: (message: string) => void, { limits, clock }: ToolMeaningParts): KnownSets {
  const ending = new AbortController()
  const known = new Map<string, KnownSet>()
  const unread = new Map<string, MeaningSet>()
  const incomplete = new Map<string, MeaningSet>()
  let awaiting: (() => void)[] = []
  let job: Promise<void> | null = null
  let failures = 0
  /** Nothing is read, or made, before these times. */
  let readAtMs = 0
  let makeAtMs = 0
  let error: string | null = null

  const isEnded = (): boolean => ending.signal.aborted
  function settle(): void {
    for (const resolve of awaiting) resolve()
    awaiting = []
  }
  async function readAll(): Promise<void> {
    for (let [next] = unread; next !== undefined && !isEnded() && clock.monotonicMs() >= readAtMs; [next] = unread) {
      const [key, set] = next
      const names: string[] = []
      const hashes: string[] = []
      for await (const { tool, hash } of textsOf(set)) {
        names.push(tool)
        hashes.push(hash)
      }
      for (let from = 0; from < hashes.length; from += hashesPerRead) await space.load(hashes.slice(from, from + hashesPerRead))
      const left = countMissing(hashes)
      known.set(key, { names, hashes, left })
      unread.delete(key)
      if (left > 0) incomplete.set(key, set)
    }
    settle()
  }
  const countMissing = (hashes: readonly string[]): number => hashes.filter((hash) => space.numberOf(hash) === undefined).length

  async function makeNext(): Promise<void> {
    const [next] = incomplete
    if (next === undefined) return
    const [key, set] = next
    let batch: HashedText[] = []
    for await (const one of textsOf(set)) {
      if (space.numberOf(one.hash) !== undefined) continue
      batch.push(one)
      if (batch.length < textsPerRequest) continue
      await makeSome(key, batch)
      batch = []
    }
    await makeSome(key, batch)
    incomplete.delete(key)
    await space.trim()
  }
  async function makeSome(key: string, batch: readonly HashedText[]): Promise<void> {
    ending.signal.throwIfAborted()
    if (batch.length > 0) await space.make(batch, ending.signal)
    const set = known.get(key)
    if (set !== undefined) set.left = countMissing(set.hashes)
    failures = 0
    error = null
    // Whoever comes meanwhile does not wait for the rest.
    await readAll()
  }
  function fail(reason: unknown): void {
    settle()
    if (isEnded()) return
    failures += 1
    error = (reason instanceof Error ? reason.message : String(reason)).slice(0, 1000)
    const waitMs = Math.min(retryMsMax, limits.pipelineRetryMs * 2 ** Math.min(failures - 1, 10))
    makeAtMs = clock.monotonicMs() + waitMs
    if (unread.size > 0 || space.isFull()) readAtMs = makeAtMs
    if (space.isFull()) forget()
    tell(error)
    setTimeout(start, waitMs).unref()
  }
  /** Much of it may be of tools that are gone; those that are there are wanted again. */
  function forget(): void {
    space.drop()
    for (const map of [known, unread, incomplete]) map.clear()
  }
  async function work(): Promise<void> {
    await readAll()
    while (incomplete.size > 0 && !isEnded() && clock.monotonicMs() >= makeAtMs) await makeNext()
  }
  function start(): void {
    if (isEnded() || job !== null) return
    job = work()
      .catch(fail)
      .finally(() => {
        job = null
        if (unread.size > 0 && clock.monotonicMs() >= readAtMs) start()
      })
  }

  return {
    want(sets) {
      for (const set of sets) if (!known.has(keyOf(set))) unread.set(keyOf(set), set)
      if (unread.size > 0 || incomplete.size > 0) start()
    },
    get: (set) => known.get(keyOf(set)),
    loaded: () => (unread.size === 0 || job === null ? Promise.resolve() : new Promise((resolve) => awaiting.push(resolve))),
    error: () => error,
    clear: forget,
    stop() {
      ending.abort(new Error("Vectors of tools are not needed any more"))
      settle()
    },
  }
}

/** Connections with the same tools share a set, and integrations do not: their names are in the texts. */
const keyOf = ({ mount }: MeaningSet): string => `${mount.integration} ${mount.toolSet}`

/** Deprecated tools are found by words alone, so that they come after those that replace them. */
async function* textsOf(set: MeaningSet): AsyncGenerator<HashedText & { readonly tool: string }> {
  const slices = createTimeSlices()
  for await (const tool of set.read()) {
    if (tool.deprecated) continue
    const text = textOfTool(set.mount.integration, tool)
    yield { tool: tool.name, hash: hashOfText(text), text }
    if (slices.isOver()) await slices.next()
  }
}
