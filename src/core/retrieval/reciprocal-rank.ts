// Joins rankings by reciprocal rank, which needs no scores that could be compared.

/** How little the first places count more than the next ones: the value of the paper that introduced it. */
const k = 60

/** What the first place of one ranking is worth. */
export const firstPlace = 1 / (k + 1)

export function reciprocalRanks<Key>(rankings: readonly (readonly Key[])[]): Map<Key, number> {
  const scores = new Map<Key, number>()
  for (const ranking of rankings)
    for (const [place, key] of ranking.entries()) scores.set(key, (scores.get(key) ?? 0) + 1 / (k + place + 1))
  return scores
}
