// Which searches led to which calls, as the journal tells it.
//
// A call follows from the latest search before it, by the same agent in the same session and program, whose answer showed
// its tool; where none did, from the latest one. What comes later than some minutes follows from nothing.
import { withoutRoot } from "../../core/address.ts"
import type { SearchTrace } from "../../store/executions/search-trace.ts"
import { toolKey } from "./preference.ts"

/** A search as it was made. `found`: what it showed, best first. `called`: the tools that were then called, each once. */
export type MadeSearch = {
  readonly trace: SearchTrace
  readonly query: string
  readonly namespace: string | null
  readonly found: readonly string[]
  readonly isWeak: boolean
  readonly called: readonly string[]
}

const followsWithinMs = 10 * 60_000
/** Of those of one agent that are looked through for each call. */
const openSearchesMax = 20
const queryCharsMax = 1000

/** Newest first, as the traces are. */
export function madeSearches(traces: readonly SearchTrace[]): MadeSearch[] {
  const made: Growing[] = []
  const open = new Map<string, Growing[]>()
  for (const trace of traces.toReversed()) {
    const threadKey = threadOf(trace)
    const searches = open.get(threadKey) ?? []
    open.set(threadKey, searches)
    const search = trace.search === null ? null : readSearch(trace, trace.search)
    if (search !== null) {
      made.push(search)
      searches.unshift(search)
      if (searches.length > openSearchesMax) searches.pop()
    } else if (trace.search === null) follow(trace, searches)
  }
  return made.toReversed()
}

type Growing = MadeSearch & { readonly called: string[]; readonly keys: ReadonlySet<string> }

/** What an agent's or a tool's own code does is another thread than that of its caller: its keys begin with the caller's. */
const threadOf = ({ user, tokenId, session, executionId, key }: SearchTrace): string => {
  const callers = key.slice(0, key.lastIndexOf("/") + 1)
  return JSON.stringify(callers === "" ? [user, tokenId, session] : [executionId, callers])
}

function follow(trace: SearchTrace, searches: readonly Growing[]): void {
  const path = withoutRoot(trace.address)
  const sinceMs = Date.parse(trace.startedAt) - followsWithinMs
  const recent = searches.filter(({ trace: { startedAt } }) => Date.parse(startedAt) >= sinceMs)
  const search = recent.find(({ keys }) => keys.has(toolKey(path))) ?? recent[0]
  if (search !== undefined && !search.called.includes(path)) search.called.push(path)
}

/** Null for what cannot be read: agents' code decides what is in it. */
function readSearch(
  trace: SearchTrace,
  { argsJson, answerJson }: { readonly argsJson: string; readonly answerJson: string },
): Growing | null {
  const asked = parse(argsJson)
  const answer = parse(answerJson)
  const query = asked["query"]
  if (typeof query !== "string" || query.trim() === "") return null
  const items = [answer["items"], answer["results"]].find((list) => Array.isArray(list)) ?? []
  const found = (items as unknown[]).flatMap((item) => {
    const path = typeof item === "object" && item !== null && "path" in item ? item.path : null
    return typeof path === "string" ? [path] : []
  })
  const namespace = typeof asked["namespace"] === "string" ? asked["namespace"].slice(0, queryCharsMax) : null
  return {
    trace,
    query: query.slice(0, queryCharsMax),
    namespace,
    found,
    isWeak: answer["weak"] === true,
    called: [],
    keys: new Set(found.map(toolKey)),
  }
}

function parse(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
