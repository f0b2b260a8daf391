// What is chosen in a picker: paths of single tools, and patterns.
import type { ToolView } from "toolplane/client"
import { compilePattern, matchesPattern } from "../../../../src/policy/match.ts"

export type EntryOf = (tool: ToolView) => string

/** The path without `tools.`, which names the connection too. */
export const pathEntryOf: EntryOf = ({ address }) => address.replace(/^tools\./, "")

/** As roles see tools, whatever the connection. */
export const roleEntryOf: EntryOf = (tool) => `${tool.integration}.${tool.name}`

export const isPattern = (entry: string): boolean => entry.includes("*")

/** The pattern that takes a tool in; undefined: none does. */
export function matchingPattern(tool: ToolView, entries: readonly string[]): string | undefined {
  const subjects = [pathEntryOf(tool), roleEntryOf(tool)]
  return entries.filter(isPattern).find((entry) => subjects.some((subject) => matchesPattern(compilePattern(entry), subject)))
}

export type Group = { readonly pattern: string; readonly entries: readonly string[] }

/** Of each integration with several chosen tools, the narrowest pattern below which they all stand. */
export function groupsOf(entries: readonly string[]): readonly Group[] {
  const single = entries.filter((entry) => !isPattern(entry))
  const byIntegration = Map.groupBy(single, (entry) => entry.split(".", 1)[0] ?? "")
  return [...byIntegration].flatMap(([integration, chosen]) => {
    if (chosen.length < 2) return []
    const shared = sharedStart(chosen.map((entry) => nameOf(entry).split(".").slice(0, -1)))
    return [{ pattern: [integration, ...shared, "**"].join("."), entries: chosen }]
  })
}

/** `github.org.main.issues.create` and `github.issues.create` are both `issues.create`. */
function nameOf(entry: string): string {
  const segments = entry.split(".")
  const isFull = segments.length > 3 && (segments[1] === "org" || segments[1] === "user")
  return segments.slice(isFull ? 3 : 1).join(".")
}

function sharedStart(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...rest] = lists
  const length = first.findIndex((segment, at) => rest.some((list) => list[at] !== segment))
  return length < 0 ? first : first.slice(0, length)
}
