// Suggests paths for one that does not exist.
import { isOwner } from "../core/address.ts"
import { isPathWithin } from "./index/view.ts"
import type { Mount, SearchAnswer, SearchRequest } from "./indexed-tool.ts"
import { namesNear } from "./language/names-near.ts"
import { editDistance } from "./language/spelling.ts"

/** How many hits of a search for the path's words are compared letter by letter. */
const comparedMax = 50
const lettersMax = 120
/** In how many connections all names are compared; the others are only searched. */
const comparedMountsMax = 10

export type Suggested = {
  search(request: SearchRequest, mounts: readonly Mount[]): SearchAnswer
  /** Of all tools behind a mount, by number, and which of them it shows; null shows everything. */
  named(mount: Mount): { readonly names: readonly string[]; readonly admits: ((tool: number) => boolean) | null }
}

/**
 * Nearest paths of the connection that was named, then of its integration; where nothing is near, the first few of their
 * tools, because whoever named a connection means that one. Others are suggested only where these have nothing to show.
 */
export function suggestPaths(path: string, limit: number, mounts: readonly Mount[], parts: Suggested): string[] {
  const wanted = path.replace(/^tools\./, "").slice(0, 2 * lettersMax)
  const circles = [
    mounts.filter((mount) => mount.prefix !== "" && isPathWithin(wanted, mount.prefix)),
    mounts.filter((mount) => isPathWithin(wanted, mount.integration)),
  ].filter((circle) => circle.length > 0)
  const found = new Set<string>()
  for (const suggestIn of [nearestIn, firstIn])
    for (const circle of circles) if (found.size < limit) for (const one of suggestIn(circle, wanted, parts)) found.add(one)
  if (found.size === 0) for (const one of nearestIn(mounts, wanted, parts)) found.add(one)
  return [...found].slice(0, limit)
}

function nearestIn(mounts: readonly Mount[], wanted: string, { search, named }: Suggested): string[] {
  const name = nameWithin(mounts, wanted)
  const distances = new Map<string, number>()
  const add = (path: string, distance: number): void => void distances.set(path, Math.min(distance, distances.get(path) ?? distance))
  for (const [position, hit] of search({ query: name, limit: comparedMax, offset: 0 }, mounts).hits.entries())
    add(hit.path, lettersApart(name, hit.name) + position / 2)
  for (const mount of mounts.slice(0, comparedMountsMax)) {
    const { names, admits } = named(mount)
    for (const { tool, distance } of namesNear(name, names, lettersMax))
      if (admits === null || admits(tool)) add([mount.prefix, names[tool]].filter(Boolean).join("."), distance)
  }
  return [...distances].toSorted(([, a], [, b]) => a - b).map(([path]) => path)
}

const firstIn = (mounts: readonly Mount[], _wanted: string, { search }: Suggested): string[] =>
  search({ query: "", limit: comparedMax, offset: 0 }, mounts).hits.map((hit) => hit.path)

/** The part of the path that names a tool; names of connections, known or not, would only find other tools. */
function nameWithin(mounts: readonly Mount[], wanted: string): string {
  const starts = mounts.flatMap((mount) => [mount.prefix, mount.integration])
  const start = starts.find((prefix) => prefix !== "" && wanted.startsWith(`${prefix}.`))
  const rest = start === undefined ? wanted : wanted.slice(start.length + 1)
  const [first = "", ...more] = rest.split(".")
  const [owner, , ...name] = start === undefined ? more : [first, ...more]
  return isOwner(owner ?? "") && name.length > 0 ? name.join(".") : rest
}

const lettersApart = (a: string, b: string): number =>
  editDistance(a.toLowerCase().slice(0, lettersMax), b.toLowerCase().slice(0, lettersMax), lettersMax)
