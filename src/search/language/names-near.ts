// Finds tool names that are similar to one that does not exist: that extend it, or differ in a few letters.
//
// Comparing letter by letter is what costs. A name is compared only if it has nearly the letters of the wanted one, in
// whatever order, and once many near names are known only nearer ones are looked for.
import { editDistance } from "./spelling.ts"

/** `tool`: its place among the names. */
export type NearName = { readonly tool: number; readonly distance: number }

/** What is compared letter by letter, in pairs of letters: some ten milliseconds. */
const comparisonsMax = 2_000_000
/** How many names that go on from a prefix are worth telling; as many near ones are enough. */
const enough = 50
/** A name that goes on from what was written is nearer than one that differs in it. */
const prefixDistance = 0.5

/** Each with its distance; in no order. */
export function namesNear(wanted: string, names: readonly string[], lettersMax: number): NearName[] {
  const text = wanted.toLowerCase().slice(0, lettersMax)
  if (text === "") return []
  const letters = countLetters(text)
  const found: NearName[] = []
  const foundAt: number[] = []
  let allowed = Math.max(1, Math.floor(text.length / 3))
  let comparisons = 0
  let prefixed = 0
  for (const [tool, name] of names.entries()) {
    const other = name.toLowerCase().slice(0, lettersMax)
    if (other.startsWith(text)) {
      if (prefixed < enough) found.push({ tool, distance: prefixDistance + prefixed / enough })
      prefixed += 1
      continue
    }
    if (Math.abs(other.length - text.length) > allowed || comparisons > comparisonsMax) continue
    if (!hasNearly(other, letters, text.length, allowed)) continue
    comparisons += Math.min(other.length, 2 * allowed + 1) * text.length
    const distance = editDistance(text, other, allowed)
    if (distance > allowed) continue
    found.push({ tool, distance })
    foundAt[distance] = (foundAt[distance] ?? 0) + 1
    while (allowed > 1 && countUpTo(allowed - 1, foundAt) >= enough) allowed -= 1
  }
  return found
}

const countUpTo = (distance: number, foundAt: readonly number[]): number =>
  foundAt.slice(0, distance + 1).reduce((sum, count) => sum + count, 0)

const kinds = 32
const kindOf = (text: string, at: number): number => text.charCodeAt(at) % kinds

function countLetters(text: string): Uint8Array {
  const counts = new Uint8Array(kinds)
  for (let at = 0; at < text.length; at += 1) counts[kindOf(text, at)] = (counts[kindOf(text, at)] ?? 0) + 1
  return counts
}

/** Every letter that only one of the two has takes at least one change. */
function hasNearly(other: string, letters: Uint8Array, length: number, allowed: number): boolean {
  left.set(letters)
  let shared = 0
  for (let at = 0; at < other.length; at += 1) {
    const count = left[kindOf(other, at)] ?? 0
    if (count === 0) continue
    left[kindOf(other, at)] = count - 1
    shared += 1
  }
  return Math.max(length, other.length) - shared <= allowed
}

/** Kept between calls: making it anew takes longer than counting. */
const left = new Uint8Array(kinds)
