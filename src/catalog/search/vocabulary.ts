// The words of all tool sets, each with a number, as long as a tool set uses it.

export type Vocabulary = {
  /** The number of a word that some tool set uses. */
  find(word: string): number | undefined
  word(id: number): string
  /** Numbers for the stems of a new tool set, each with a word it was seen as; they are given back with `release`. */
  retain(stems: Iterable<readonly [stem: string, seenAs: string]>): Uint32Array
  release(ids: Uint32Array): void
  /** Stems that may have been meant by a misspelt word, nearest first. `isKnown` says which ones count. */
  similar(word: string, stem: string, isKnown: (id: number) => boolean): { id: number; distance: number }[]
  size(): number
}

export function createVocabulary(): Vocabulary {
  const ids = new Map<string, number>()
  const texts: string[] = []
  const surfaces: string[] = []
  const letters: number[] = []
  const uses: number[] = []
  const free: number[] = []

  const retainOne = ([word, seenAs]: readonly [string, string]): number => {
    const known = ids.get(word)
    if (known !== undefined) {
      uses[known] = (uses[known] ?? 0) + 1
      return known
    }
    const id = free.pop() ?? texts.length
    ids.set(word, id)
    texts[id] = word
    surfaces[id] = seenAs
    letters[id] = letterMask(seenAs)
    uses[id] = 1
    return id
  }
  const releaseOne = (id: number): void => {
    const left = (uses[id] ?? 0) - 1
    uses[id] = left
    if (left > 0) return
    ids.delete(texts[id] ?? "")
    texts[id] = ""
    surfaces[id] = ""
    letters[id] = 0
    free.push(id)
  }

  return {
    find: (word) => ids.get(word),
    word: (id) => texts[id] ?? "",
    retain: (stems) => Uint32Array.from(Array.from(stems, retainOne)),
    release: (released) => released.forEach(releaseOne),
    similar: (word, stem, isKnown) => findSimilar(word, stem, { texts, surfaces, letters }, isKnown),
    size: () => ids.size,
  }
}

/** One mistake from four letters on, two from eight on: shorter words are too near to each other. */
const mistakesAllowed = (word: string): number => {
  if (word.length < 4) return 0
  return word.length < 8 ? 1 : 2
}

type Spelling = { readonly texts: readonly string[]; readonly surfaces: readonly string[]; readonly letters: readonly number[] }

function findSimilar(word: string, stem: string, known: Spelling, isKnown: (id: number) => boolean): { id: number; distance: number }[] {
  const allowed = mistakesAllowed(word)
  if (allowed === 0) return []
  const mask = letterMask(word)
  const found: { id: number; distance: number }[] = []
  for (let id = 0; id < known.texts.length; id += 1) {
    // An ending that the stemmer drops may add letters, hence the margin of three.
    if (bitsSet(mask ^ (known.letters[id] ?? 0)) > 2 * allowed + 3) continue
    const distance = Math.min(distanceOf(word, known.surfaces[id] ?? "", allowed), distanceOf(stem, known.texts[id] ?? "", allowed))
    if (distance <= allowed && isKnown(id)) found.push({ id, distance })
  }
  return found.toSorted((a, b) => a.distance - b.distance || a.id - b.id).slice(0, 3)
}

function distanceOf(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max || b.length < 3 || !startsAlike(a, b)) return max + 1
  return editDistance(a, b, max)
}

/** People rarely get the first letter wrong, but they swap it. */
const startsAlike = (a: string, b: string): boolean => a[0] === b[0] || (a[0] === b[1] && a[1] === b[0])

/** Which letters a word has, so that most of a vocabulary is passed over without comparing. */
function letterMask(word: string): number {
  let mask = 0
  for (let at = 0; at < word.length; at += 1) mask |= 1 << (word.charCodeAt(at) & 31)
  return mask
}

function bitsSet(value: number): number {
  let left = value - ((value >>> 1) & 0x55555555)
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333)
  return (((left + (left >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}

/** Insertions, deletions, replacements and swaps of neighbours; stops counting beyond `max`. */
export function editDistance(a: string, b: string, max: number): number {
  let older: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    let best = i
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (older[j - 2] ?? 0) + 1)
      row.push(cost)
      if (cost < best) best = cost
    }
    if (best > max) return max + 1
    older = previous
    previous = row
  }
  return previous[b.length] ?? max + 1
}
