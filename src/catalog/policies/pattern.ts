// Expands a rule's pattern for this catalog, and checks whether any tool that its writer sees matches it today.
import { ToolAddress, withoutRoot } from "../../core/address.ts"
import type { AccessReader, Actor } from "../../identity/access.ts"
import { compilePattern, matchesPattern, normalizePolicyPattern } from "../../policy/match.ts"
import { connectionPattern, widenShortPattern } from "../../policy/short-pattern.ts"
import { roleSubject } from "../../policy/visible.ts"
import { toolPages } from "../../store/all-rows.ts"
import { toolKeyOf } from "../../store/store.ts"
import type { Store } from "../../store/store.ts"
import { ownSlug } from "../../core/address.ts"
import { slugOfStatic } from "../static-tool.ts"
import type { StaticTools } from "../static-tool.ts"

export type PatternParts = { readonly store: Store; readonly staticTools: StaticTools; readonly access: AccessReader }

const batchRows = 2000

/** The form in which it is stored and shown; `notice` says how it was read where it could have meant something else. */
export type PatternReading = { readonly pattern: string; readonly notice: string | null }

/** What names a tool of today is a short path. Otherwise what looks like a connection's name is one: its rule would bind nothing else. */
export async function readPattern(actor: Actor, text: string, parts: PatternParts): Promise<PatternReading> {
  const fixed = new Set([ownSlug, ...parts.staticTools.list().map(slugOfStatic)])
  const isFixed = (slug: string): boolean => fixed.has(slug)
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

/** Of what is hidden from the writer nothing is told. */
async function fitsSome(actor: Actor, text: string, parts: PatternParts): Promise<boolean> {
  const pattern = compilePattern(text)
  const isVisible = (await parts.access.of(actor))?.isVisible ?? (() => false)
  if (parts.staticTools.list().some(({ fqid }) => isVisible(fqid) && matchesPattern(pattern, fqid))) return true
  const [first] = pattern.segments
  const filter = first?.kind === "literal" ? { integration: first.text } : {}
  for await (const rows of toolPages(actor, filter, parts.store, batchRows))
    if (
      rows.some(
        (row) =>
          isVisible(roleSubject(row.integration, row.name)) && matchesPattern(pattern, withoutRoot(ToolAddress.format(toolKeyOf(row)))),
      )
    )
      return true
  return false
}
