// The searches of executions that somebody may read, with what was called because of each.
import { toolKey } from "../../catalog/search-use/preference.ts"
import { tracesMax } from "../../catalog/search-use/learned.ts"
import { madeSearches } from "../../catalog/search-use/uses.ts"
import type { MadeSearch } from "../../catalog/search-use/uses.ts"
import type { SearchesFilter, SearchMade, SearchOutcome } from "../../core/console/searches.ts"
import { decodeCursor, pageSize, toPage } from "../../core/cursor.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Page, PageRequest } from "../../core/page.ts"
import type { Principal } from "../../core/principal.ts"
import { viewCaller } from "./token-names.ts"
import type { EngineParts } from "../engine-parts.ts"
import { visibilityOf } from "../execution-access.ts"

const foundShownMax = 5

export async function listSearches(
  principal: Principal,
  { outcome, ...page }: SearchesFilter & PageRequest,
  parts: EngineParts,
): Promise<Page<SearchMade>> {
  const size = pageSize(page, parts.limits)
  const after = decodeCursor(page.cursor, 2)
  const traces = await parts.executions.journal.searches(visibilityOf(principal), tracesMax)
  const made = madeSearches(traces).filter((search) => outcome === undefined || outcomeOf(search) === outcome)
  const last = after === null ? -1 : made.findIndex(({ trace }) => trace.executionId === after[0] && trace.key === after[1])
  if (after !== null && last === -1)
    throw new ExecutorError("invalid_request", "The search that the cursor names is no longer among the latest; start again without it")
  const shown = made.slice(last + 1, last + size + 2)
  const names = await parts.tokenNames.of(
    principal.tenant,
    shown.map(({ trace }) => trace.tokenId),
  )
  return toPage(
    shown,
    size,
    ({ trace }) => [trace.executionId, trace.key],
    (search): SearchMade => ({
      executionId: search.trace.executionId,
      callKey: search.trace.key,
      time: search.trace.startedAt,
      principal: viewCaller(search.trace, names),
      query: search.query,
      namespace: search.namespace,
      found: search.found.slice(0, foundShownMax),
      foundCount: search.found.length,
      called: search.called,
      outcome: outcomeOf(search),
    }),
  )
}

function outcomeOf({ found, called, isWeak }: MadeSearch): SearchOutcome {
  const [first] = found
  if (called.length === 0) return first === undefined || isWeak ? "nothing" : "none"
  return first !== undefined && called.some((path) => toolKey(path) === toolKey(first)) ? "first" : "other"
}
