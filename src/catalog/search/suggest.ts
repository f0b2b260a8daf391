// Suggests paths for one that does not exist.
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
  const words = nameWithin(mounts, wanted).replaceAll(".", " ")
  const { hits } = search({ query: words, limit: comparedMax, offset: 0 }, mounts)
  return hits
    .map((hit, position) => ({ path: hit.path, distance: lettersApart(wanted, hit.path) + position / 2 }))
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ path }) => path)
}

/** The part of the path that names a tool; the connection's name would only find its other tools. */
function nameWithin(mounts: readonly Mount[], wanted: string): string {
  const start = mounts
    .flatMap((mount) => [mount.prefix, mount.integration])
    .find((prefix) => prefix !== "" && wanted.startsWith(`${prefix}.`))
  return start === undefined ? wanted : wanted.slice(start.length + 1)
}

const lettersApart = (a: string, b: string): number =>
  editDistance(a.toLowerCase().slice(0, lettersMax), b.toLowerCase().slice(0, lettersMax), lettersMax)
