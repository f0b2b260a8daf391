// Determines which tools somebody can see and call: those that one of their roles names, and their token too if it is narrowed.
import { ToolAddress, withoutRoot } from "../core/address.ts"
import { createPatternTree } from "./pattern-tree.ts"
import type { Coverage } from "./pattern-tree.ts"

/** `<integration>.<tool>`; for a static tool its fqid. */
export type IsVisible = (subject: string) => boolean

/** What patterns include, and what can be said of it without asking for every tool. */
export type Reach = {
  readonly isVisible: IsVisible
  /** Of an integration's tools. */
  coverage(integration: string): Coverage
  /** The only integrations of which tools can be included; null: any. */
  readonly integrations: ReadonlySet<string> | null
}

/** Compared by identity, to skip checks that all pass. */
export const seesAll: IsVisible = () => true

const everything: Reach = { isVisible: seesAll, coverage: () => "all", integrations: null }

/** Those that one of the patterns matches. */
export const visibleBy = (patterns: readonly string[]): IsVisible => reachOf(patterns).isVisible

export function reachOf(patterns: readonly string[]): Reach {
  if (patterns.includes("*") || patterns.includes("**")) return everything
  const tree = createPatternTree(patterns)
  return { isVisible: tree.matches, coverage: tree.coverage, integrations: tree.firsts }
}

/** `patterns` null: the token is not narrowed. */
export function narrowedReach(reach: Reach, patterns: readonly string[] | null): Reach {
  const other = patterns === null ? everything : reachOf(patterns)
  if (reach === everything) return other
  if (other === everything) return reach
  return {
    isVisible: (subject) => reach.isVisible(subject) && other.isVisible(subject),
    coverage: (integration) => lesser(reach.coverage(integration), other.coverage(integration)),
    integrations: inBoth(reach.integrations, other.integrations),
  }
}

function lesser(one: Coverage, other: Coverage): Coverage {
  if (one === "none" || other === "none") return "none"
  return one === "all" ? other : one
}

function inBoth(one: ReadonlySet<string> | null, other: ReadonlySet<string> | null): ReadonlySet<string> | null {
  if (one === null || other === null) return one ?? other
  return new Set([...one].filter((integration) => other.has(integration)))
}

export const roleSubject = (integration: string, tool: string): string => `${integration}.${tool}`

/** The subject of a tool's address; a static tool's fqid is its own. */
export function roleSubjectOf(address: string): string {
  const tool = ToolAddress.check(address)
  return tool.ok ? roleSubject(tool.value.integration, tool.value.tool) : withoutRoot(address)
}
