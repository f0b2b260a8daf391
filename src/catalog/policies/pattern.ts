// Expands a rule's pattern for this catalog, and checks whether any tool that its writer sees matches it today.
import { ToolAddress, withoutRoot } from "../../core/address.ts"
import type { AccessReader, Actor } from "../../identity/access.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import { compilePattern, matchesSegments, normalizePolicyPattern } from "../../policy/match.ts"
import type { Pattern } from "../../policy/match.ts"
import { connectionPattern, widenShortPattern } from "../../policy/short-pattern.ts"
import { toolPages } from "../../store/all-rows.ts"
import { toolKeyOf } from "../../store/store.ts"
import type { Store } from "../../store/store.ts"
import { ownSlug } from "../../core/address.ts"
import { localSlug, localToolNames } from "../../core/workspaces/workspace.ts"
import { slugOfStatic } from "../static-tool.ts"
import type { StaticTools } from "../static-tool.ts"

export type PatternParts = { readonly store: Store; readonly staticTools: StaticTools; readonly access: AccessReader }

const batchRows = 2000

/** Of tools that have no owner and connection in their paths. */
function fixedSlugs({ staticTools }: PatternParts): (slug: string) => boolean {
  const fixed = new Set([ownSlug, localSlug, ...staticTools.list().map(slugOfStatic)])
  return (slug) => fixed.has(slug)
}

/** The form in which it is stored and shown; `notice` says how it was read where it could have meant something else. */
export type PatternReading = { readonly pattern: string; readonly notice: string | null }

/** What names a tool of today is a short path. Otherwise what looks like a connection's name is one: its rule would bind nothing else. */
export async function readPattern(actor: Actor, text: string, parts: PatternParts): Promise<PatternReading> {
  const isFixed = fixedSlugs(parts)
  const given = normalizePolicyPattern(text)
  const short = widenShortPattern(given, isFixed)
  const connection = connectionPattern(given, isFixed)
  if (connection === null || (await fitsSome(actor, short, parts))) return { pattern: short, notice: null }
  const notice = `${given} was read as a connection name, so the rule applies to all tools of ${connection}. For a tool with that name, write ${short}`
  return { pattern: connection, notice }
}

/** Null where a tool fits. A rule may come before its tools, but a slip of the pen must not pass for a rule that binds. */
export async function patternWarning(actor: Actor, pattern: string, parts: PatternParts): Promise<string | null> {
  if (await fitsSome(actor, pattern, parts)) return null
  const isBare = !pattern.includes(".") && !pattern.includes("*")
  const advice = isBare ? `; to match all tools of '${pattern}', write ${pattern}.**` : ""
  return `No tool currently matches ${pattern}${advice}. The rule is kept for future tools`
}

/** Of addresses and patterns of agents, short ones included: those that fit no tool of today. */
export async function thoseWithoutTools(actor: Actor, texts: readonly string[], parts: PatternParts): Promise<string[]> {
  const isFixed = fixedSlugs(parts)
  const widened = new Map(texts.map((text) => [text, widenShortPattern(text, isFixed)]))
  const fitting = await thoseThatFit(actor, [...new Set([...widened].flat())], parts)
  return texts.filter((text) => !fitting.has(text) && !fitting.has(widened.get(text) ?? text))
}

const fitsSome = async (actor: Actor, text: string, parts: PatternParts): Promise<boolean> =>
  (await thoseThatFit(actor, [text], parts)).has(text)

/** Those that fit a tool which roles and token include: of what is hidden from somebody nothing is told. One pass, however many they are. */
export async function thoseThatFit(actor: Actor, texts: readonly string[], parts: PatternParts): Promise<ReadonlySet<string>> {
  const access = await parts.access.of(actor)
  if (access === null) return new Set()
  const { isVisible, reach, choose } = access
  const sought = seek(texts)
  const fixed = [...parts.staticTools.list().map(({ fqid }) => fqid), ...localToolNames.map((name) => `${localSlug}.${name}`)]
  for (const fqid of fixed) if (isVisible(fqid)) sought.meet(fqid)
  const slices = createTimeSlices()
  for (const slug of sought.slugs()) {
    if (slug !== null && reach.coverage(slug) === "none") continue
    const filter = { ...(slug === null ? {} : { integration: slug }), ...(choose === null ? {} : { choose }) }
    for await (const rows of toolPages(actor, filter, parts.store, batchRows)) {
      for (const row of rows) {
        sought.meet(withoutRoot(ToolAddress.format(toolKeyOf(row))))
        if (slices.isOver()) await slices.next()
      }
      if (sought.slugs().length === 0) return sought.found
    }
  }
  return sought.found
}

type Sought = {
  readonly found: ReadonlySet<string>
  meet(path: string): void
  /** The integrations whose tools may still fit one; null alone: all of them. */
  slugs(): (string | null)[]
}

/** Kept by their first segment, where that is a name, so that most of them are not compared with most tools. */
function seek(texts: readonly string[]): Sought {
  const found = new Set<string>()
  const open = new Map<string | null, Map<string, Pattern>>()
  for (const text of texts) {
    const pattern = compilePattern(text)
    const [first] = pattern.segments
    const key = first?.kind === "literal" ? first.text : null
    open.set(key, (open.get(key) ?? new Map<string, Pattern>()).set(text, pattern))
  }
  return {
    found,
    meet(path) {
      const segments = path.split(".")
      for (const key of [segments[0] ?? null, null])
        for (const [text, pattern] of open.get(key) ?? []) {
          if (!matchesSegments(pattern, segments)) continue
          found.add(text)
          open.get(key)?.delete(text)
          if (open.get(key)?.size === 0) open.delete(key)
        }
    },
    slugs: () => (open.has(null) ? [null] : [...open.keys()]),
  }
}
