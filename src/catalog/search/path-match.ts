// Finds the tools that a request names by path: exactly, or by the beginning of their path.
import type { CatalogView, Group, MountView } from "./catalog-view.ts"
import { namesStartingWith } from "./segment.ts"

export type PathMatch = { readonly group: Group; readonly mount: MountView; readonly tool: number; readonly isExact: boolean }

const pathLike = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+\.?$/
const bareName = /^[A-Za-z_$][\w$]*$/

/** Matches in the order in which they are shown: exact paths, then what goes on from the path, plain tools first. */
export function matchPath(text: string, view: CatalogView): PathMatch[] {
  const path = text.trim().replace(/^tools\./, "")
  if (bareName.test(path)) return exactMatches(path, view)
  if (!pathLike.test(path)) return []
  const matches: PathMatch[] = []
  for (const group of view.groups) {
    for (const mount of group.mounts) {
      for (const tail of tailsOf(path.toLowerCase(), mount)) addMatches(matches, group, mount, tail)
    }
  }
  const unique = new Map(matches.map((match) => [`${match.mount.mount.prefix}:${match.group.offset}:${match.tool}`, match]))
  return [...unique.values()].toSorted((a, b) => Number(b.isExact) - Number(a.isExact) || plainnessOf(a) - plainnessOf(b))
}

/** A single word is a path only if it is all of one: `graphql`, `read_file`. */
function exactMatches(name: string, view: CatalogView): PathMatch[] {
  const matches: PathMatch[] = []
  for (const group of view.groups) for (const mount of group.mounts) addMatches(matches, group, mount, name.toLowerCase())
  return matches.filter((match) => match.isExact)
}

/** What is left of a path for the name of a tool: after the mount's prefix, after the integration, or all of it. */
function tailsOf(path: string, { mount }: MountView): string[] {
  const starts = [mount.prefix, mount.integration].filter((start) => start !== "" && path.startsWith(`${start}.`))
  return starts.length > 0 ? starts.map((start) => path.slice(start.length + 1)) : [path]
}

function addMatches(matches: PathMatch[], group: Group, mount: MountView, tail: string): void {
  const { segment } = group
  const { from, to } = namesStartingWith(segment, tail)
  for (let at = from; at < to; at += 1) {
    const tool = segment.byName[at] ?? 0
    if (mount.admits !== null && !mount.admits(tool)) continue
    matches.push({ group, mount, tool, isExact: segment.names[tool]?.toLowerCase() === tail })
  }
}

const plainnessOf = (match: PathMatch): number => match.group.segment.plainness[match.tool] ?? 0
