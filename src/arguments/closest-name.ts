// Finds the name that somebody probably meant.

// Both sides come from strangers: with these the worst search takes well under a millisecond.
const charsMax = 32
const candidatesMax = 128

/** Null when nothing is close: a wrong suggestion costs more than none. */
export function closestName(name: string, candidates: readonly string[]): string | null {
  if (name.length > charsMax) return null
  const wanted = folded(name)
  let best: string | null = null
  let bestDistance = distanceMax(wanted) + 1
  for (const candidate of candidates.slice(0, candidatesMax)) {
    if (candidate.length > charsMax) continue
    const distance = editDistance(wanted, folded(candidate), bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** The nearest ones, however far: for lists that are short, and where a name is all that somebody has. */
export function nearestNames(name: string, candidates: readonly string[], countMax: number): string[] {
  const wanted = folded(name.slice(0, charsMax)).slice(0, charsMax)
  return candidates
    .slice(0, candidatesMax)
    .map((candidate) => ({ candidate, distance: editDistance(wanted, folded(candidate).slice(0, charsMax), charsMax + 1) }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, countMax)
    .map(({ candidate }) => candidate)
}

/** `pageSize`, `page_size` and `Page-Size` are one name to a reader. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[_\s-]/g, "")

const distanceMax = (name: string): number => (name.length <= 2 ? 0 : name.length <= 4 ? 1 : name.length <= 8 ? 2 : 3)

/** Optimal string alignment distance; `limit` or more is answered as `limit`, so that only a band around the diagonal is computed. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let [beforePrevious, previous, current] = rows
  for (let column = 0; column <= b.length; column++) previous[column] = column
  for (let row = 1; row <= a.length; row++) {
    current.fill(limit)
    current[0] = row
    let rowBest = row
    for (let column = Math.max(1, row - limit); column <= Math.min(b.length, row + limit); column++) {
      const replaced = at(previous, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const swapped = isSwapped ? at(beforePrevious, column - 2) + 1 : limit
      const cost = Math.min(replaced, swapped, at(previous, column) + 1, at(current, column - 1) + 1)
      current[column] = cost
      rowBest = Math.min(rowBest, cost)
    }
    if (rowBest >= limit) return limit
    ;[beforePrevious, previous, current] = [previous, current, beforePrevious]
  }
  return Math.min(at(previous, b.length), limit)
}

/** Kept between calls: making them anew takes longer than the search. */
const rows: [Uint8Array, Uint8Array, Uint8Array] = [
  new Uint8Array(charsMax + 1),
  new Uint8Array(charsMax + 1),
  new Uint8Array(charsMax + 1),
]

const at = (row: Uint8Array, column: number): number => row[column] ?? charsMax
