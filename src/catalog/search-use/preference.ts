// What earlier searches say about the order of a request's hits: which tools people's agents called after like words.
//
// Everybody has one vote for a request, spread over the tools that they called after searches like it, however often
// they did; one's own counts twice, and those of others where at least two of them called the tool: what a single
// person searched for cannot be read from somebody else's order. What a tool's votes add up to raises its score by a share that more votes approach
// and never reach, so that learning orders what fits about equally well and lifts nothing that does not.
import { withoutRoot, owners } from "../../core/address.ts"
import type { Owner } from "../../core/address.ts"
import { subjectsOf } from "../../search/search.ts"

/** A search, and what was called because of it. `personal`: those of the tools that were called at connections of the user's own alone. */
export type SearchUse = {
  readonly user: string
  readonly words: ReadonlySet<string>
  readonly tools: readonly string[]
  readonly personal?: ReadonlySet<string>
}

/** What the score of a tool is multiplied with; 1 for what nobody called. */
export type Preference = (path: string) => number

const raisedMax = 0.4
/** The share of what a request and an earlier one are about that both say. */
const likenessMin = 0.67
const ownVotes = 2
const othersMin = 2

/** The same for every connection of an integration. */
export function toolKey(path: string): string {
  const [integration, owner, connection, ...name] = withoutRoot(path).split(".")
  return name.length > 0 && owners.includes(owner as Owner) && connection !== undefined
    ? [integration, ...name].join(".")
    : withoutRoot(path)
}

/** Whether it is called at a connection that one person alone has. */
export function isPersonal(path: string): boolean {
  const [, owner, connection, ...name] = withoutRoot(path).split(".")
  return owner === "user" && connection !== undefined && name.length > 0
}

export function preferenceOf(query: string, reader: string, uses: readonly SearchUse[]): Preference {
  const asked = new Set(subjectsOf(query))
  if (asked.size === 0) return () => 1
  const like = uses.flatMap(({ user, words, tools: called, personal }) => {
    const likeness = likenessOf(asked, words)
    if (likeness < likenessMin) return []
    const tools = user === reader || personal === undefined ? called : called.filter((tool) => !personal.has(tool))
    return tools.length === 0 ? [] : [{ user, tools, likeness }]
  })
  const own = new Map<string, number>()
  const others = new Map<string, { people: number; cast: number }>()
  for (const [user, theirs] of Map.groupBy(like, (use) => use.user)) {
    const sum = theirs.reduce((total, { likeness }) => total + likeness, 0)
    const vote = Math.max(...theirs.map(({ likeness }) => likeness)) * (user === reader ? ownVotes : 1)
    const spread = new Map<string, number>()
    for (const { tools, likeness } of theirs)
      for (const tool of tools) spread.set(tool, (spread.get(tool) ?? 0) + (vote * likeness) / sum / tools.length)
    for (const [tool, cast] of spread) {
      const known = others.get(tool) ?? { people: 0, cast: 0 }
      if (user === reader) own.set(tool, cast)
      else others.set(tool, { people: known.people + 1, cast: known.cast + cast })
    }
  }
  return (path) => {
    const tool = toolKey(path)
    const agreed = others.get(tool)
    const cast = (own.get(tool) ?? 0) + (agreed !== undefined && agreed.people >= othersMin ? agreed.cast : 0)
    return 1 + (raisedMax * cast) / (cast + 1)
  }
}

function likenessOf(asked: ReadonlySet<string>, said: ReadonlySet<string>): number {
  const [few, many] = asked.size < said.size ? [asked, said] : [said, asked]
  // Most are of another length, and need no comparison.
  if (few.size < likenessMin * many.size) return 0
  let both = 0
  for (const word of few) if (many.has(word)) both += 1
  return both / (asked.size + said.size - both)
}
