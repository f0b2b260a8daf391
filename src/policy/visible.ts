// Determines which tools somebody can see and call: those that one of their roles names, and their token too if it is narrowed.
import { ToolAddress, withoutRoot } from "../core/address.ts"
import { compilePattern, matchesSegments } from "./match.ts"

/** `<integration>.<tool>`; for a static tool its fqid. */
export type IsVisible = (subject: string) => boolean

/** Those that one of the patterns matches. */
export function visibleBy(patterns: readonly string[]): IsVisible {
  if (patterns.includes("*") || patterns.includes("**")) return seesAll
  const compiled = [...new Set(patterns)].map(compilePattern)
  return (subject) => {
    const segments = subject.split(".")
    return compiled.some((pattern) => matchesSegments(pattern, segments))
  }
}

/** Whoever has this one is asked nothing. */
export const seesAll: IsVisible = () => true

export function visibleByBoth(one: IsVisible, other: IsVisible): IsVisible {
  if (one === seesAll) return other
  return other === seesAll ? one : (subject) => one(subject) && other(subject)
}

export const roleSubject = (integration: string, tool: string): string => `${integration}.${tool}`

/** The subject of a tool's address; a static tool's fqid is its own. */
export function roleSubjectOf(address: string): string {
  const tool = ToolAddress.check(address)
  return tool.ok ? roleSubject(tool.value.integration, tool.value.tool) : withoutRoot(address)
}
