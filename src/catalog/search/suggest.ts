// Suggests paths for one that does not exist.
import { isOwner } from "../../core/address.ts"
import { isPathWithin } from "./catalog-view.ts"
import type { Mount, SearchAnswer, SearchRequest } from "./indexed-tool.ts"
import { editDistance } from "./spelling.ts"

/** How many hits of a search for the path's words are compared letter by letter. */
const comparedMax = 50
const lettersMax = 120

type Search = (request: SearchRequest, mounts: readonly Mount[]) => SearchAnswer

/** Nearest paths: those of the connection that was named first, then of its integration, then of all others. */
export function suggestPaths(path: string, limit: number, mounts: readonly Mount[], search: Search): string[] {
  const wanted = path.replace(/^tools\./, "").slice(0, 2 * lettersMax)
  const circles = [
    mounts.filter((mount) => mount.prefix !== "" && isPathWithin(wanted, mount.prefix)),
    mounts.filter((mount) => isPathWithin(wanted, mount.integration)),
    mounts,
  ]
  const found = new Set<string>()
  for (const circle of circles) {
    if (found.size >= limit) break
    if (circle.length > 0) for (const near of nearestIn(circle, wanted, search)) found.add(near)
  }
  return [...found].slice(0, limit)
}

function nearestIn(mounts: readonly Mount[], wanted: string, search: Search): string[] {
  const name = nameWithin(mounts, wanted)
  const { hits } = search({ query: name, limit: comparedMax, offset: 0 }, mounts)
  return hits
    .map((hit, position) => ({ path: hit.path, distance: lettersApart(name, hit.name) + position / 2 }))
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ path }) => path)
}

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
