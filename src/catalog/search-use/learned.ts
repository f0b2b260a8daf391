// What a tenant's agents called after their searches, for the order of the next ones. No search waits for it to be read.
import { LruMap } from "../../core/lru-map.ts"
import type { Principal } from "../../core/principal.ts"
import type { Clock } from "../../io/clock.ts"
import type { Log } from "../../io/log.ts"
import { subjectsOf } from "../../search/search.ts"
import type { JournalRows } from "../../store/execution-store.ts"
import { isPersonal, preferenceOf, toolKey } from "./preference.ts"
import type { Preference, SearchUse } from "./preference.ts"
import { madeSearches } from "./uses.ts"

export type LearnedUse = {
  preference(principal: Principal, query: string): Preference
}

export type LearnedUseParts = {
  readonly executions: { readonly journal: Pick<JournalRows, "searches"> }
  readonly clock: Clock
  readonly log: Log
  /** False: searches are ordered as if nobody had ever searched. By default they learn. */
  readonly isSearchLearning?: boolean
}

const tenantsMax = 100
/** How often the journal is read where somebody searches. */
const readAgainMs = 5000
/** Searches and calls together; reading so many takes a few milliseconds. */
export const tracesMax = 2000

type Known = { readonly uses: readonly SearchUse[]; readonly readAtMs: number }

export function createLearnedUse({ executions, clock, log, isSearchLearning = true }: LearnedUseParts): LearnedUse {
  const known = new LruMap<string, Known>(tenantsMax)
  const reading = new Set<string>()

  const read = async (tenant: string): Promise<void> => {
    const readAtMs = clock.monotonicMs()
    reading.add(tenant)
    try {
      const traces = await executions.journal.searches({ tenant, user: null, tokenId: null }, tracesMax)
      known.set(tenant, { uses: usesIn(madeSearches(traces)), readAtMs })
    } catch (error) {
      // Searches go on with what was known before.
      log.warn({ tenant, error: String(error) }, "what searches led to could not be read")
      known.set(tenant, { uses: known.get(tenant)?.uses ?? [], readAtMs })
    } finally {
      reading.delete(tenant)
    }
  }

  return {
    preference({ tenant, user }, query) {
      if (!isSearchLearning) return () => 1
      const kept = known.get(tenant)
      const isOld = kept === undefined || clock.monotonicMs() - kept.readAtMs >= readAgainMs
      if (isOld && !reading.has(tenant)) void read(tenant)
      return preferenceOf(query, user, kept?.uses ?? [])
    },
  }
}

const usesIn = (searches: ReturnType<typeof madeSearches>): SearchUse[] =>
  searches
    .filter(({ called }) => called.length > 0)
    .map(({ query, called, trace: { user } }) => {
      const shared = new Set(called.filter((path) => !isPersonal(path)).map(toolKey))
      const tools = [...new Set(called.map(toolKey))]
      return { user, words: new Set(subjectsOf(query)), tools, personal: new Set(tools.filter((tool) => !shared.has(tool))) }
    })
