// Compares spellings: which known words a misspelt one may have been.

export type NearWord = { readonly id: number; readonly distance: number }

/** How a stem is written: "issue" and "issues". */
export type Forms = string[]

/** Known stems by number, each with its forms and the letters of the first of them. */
export type Spellings = { readonly texts: readonly string[]; readonly forms: readonly Forms[]; readonly letters: readonly number[] }

/** More forms of one stem only differ in endings that nobody gets wrong. */
const formsMax = 3

export function addForm(forms: Forms, form: string): void {
  if (forms.length < formsMax && !forms.includes(form)) forms.push(form)
}

/** More guesses than this are a sign that none of them is right. */
const guessesMax = 2

/** One mistake from four letters on, two from eight on: shorter words are too near to each other. */
const mistakesAllowed = (word: string): number => {
  if (word.length < 4) return 0
  return word.length < 8 ? 1 : 2
}

/** The nearest known words; of equally near ones those that more tools have. */
export function nearestWords(wanted: { word: string; stem: string }, known: Spellings, countOf: (id: number) => number): NearWord[] {
  const allowed = mistakesAllowed(wanted.word)
  if (allowed === 0) return []
  const mask = letterMask(wanted.word)
  const found: (NearWord & { readonly count: number })[] = []
  for (let id = 0; id < known.texts.length; id += 1) {
    // An ending that the stemmer drops may add letters, hence the margin of three.
    if (bitsSet(mask ^ (known.letters[id] ?? 0)) > 2 * allowed + 3) continue
    let distance = distanceOf(wanted.stem, known.texts[id] ?? "", allowed)
    for (const form of known.forms[id] ?? []) distance = Math.min(distance, distanceOf(wanted.word, form, allowed))
    const count = distance <= allowed ? countOf(id) : 0
    if (count > 0) found.push({ id, distance, count })
  }
  return found.toSorted((a, b) => a.distance - b.distance || b.count - a.count).slice(0, guessesMax)
}

function distanceOf(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max || b.length < 3 || !startsAlike(a, b)) return max + 1
  return editDistance(a, b, max)
}

/** People rarely get the first letter wrong, but they swap it. */
const startsAlike = (a: string, b: string): boolean => a[0] === b[0] || (a[0] === b[1] && a[1] === b[0])

/** Which letters a word has, so that most of a vocabulary is passed over without comparing. */
export function letterMask(word: string): number {
  let mask = 0
  for (let at = 0; at < word.length; at += 1) mask |= 1 << (word.charCodeAt(at) & 31)
  return mask
}

function bitsSet(value: number): number {
  let left = value - ((value >>> 1) & 0x55555555)
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333)
  return (((left + (left >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}

/** Insertions, deletions, replacements and swaps of neighbours; stops counting beyond `max`, and compares no letters further apart. */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1
  let [older, previous, row] = rowsFor(b.length + 2)
  for (let j = 0; j <= Math.min(b.length, max) + 1; j += 1) previous[j] = j
  for (let i = 1; i <= a.length; i += 1) {
    const first = Math.max(1, i - max)
    const last = Math.min(b.length, i + max)
    // What lies beside the band is too far away, whatever an earlier comparison left there.
    row[first - 1] = first === 1 ? i : max + 1
    row[last + 1] = max + 1
    let best = row[first - 1] ?? i
    for (let j = first; j <= last; j += 1) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1))
        cost = Math.min(cost, (older[j - 2] ?? 0) + 1)
      row[j] = cost
      if (cost < best) best = cost
    }
    if (best > max) return max + 1
    ;[older, previous, row] = [previous, row, older]
  }
  return Math.min(previous[b.length] ?? max + 1, max + 1)
}

type Rows = [Uint16Array, Uint16Array, Uint16Array]

/** Kept between calls: making them anew takes as long as comparing. */
let rows: Rows = [new Uint16Array(0), new Uint16Array(0), new Uint16Array(0)]

function rowsFor(length: number): Rows {
  if (rows[0].length < length) rows = [new Uint16Array(length), new Uint16Array(length), new Uint16Array(length)]
  return rows
}
