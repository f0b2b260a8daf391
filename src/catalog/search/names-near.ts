// Finds the names of tools that are written like one that does not exist: that go on from it, or differ in a few letters.
import { editDistance } from "./spelling.ts"

/** `tool`: its place among the names. */
export type NearName = { readonly tool: number; readonly distance: number }

/** What is compared letter by letter, in letters times letters: some tens of milliseconds. */
const comparisonsMax = 2_000_000
/** How many names that go on from a prefix are worth telling. */
const prefixedMax = 50
/** A name that goes on from what was written is nearer than one that differs in it. */
const prefixDistance = 0.5

/** Each with its distance; in no order. */
export function namesNear(wanted: string, names: readonly string[], lettersMax: number): NearName[] {
  const text = wanted.toLowerCase().slice(0, lettersMax)
  if (text === "") return []
  const allowed = Math.max(1, Math.floor(text.length / 3))
  const found: NearName[] = []
  let comparisons = 0
  let prefixed = 0
  for (const [tool, name] of names.entries()) {
    const other = name.toLowerCase().slice(0, lettersMax)
    if (other.startsWith(text)) {
      if (prefixed < prefixedMax) found.push({ tool, distance: prefixDistance + prefixed / prefixedMax })
      prefixed += 1
      continue
    }
    if (Math.abs(other.length - text.length) > allowed || comparisons > comparisonsMax) continue
    comparisons += other.length * text.length
    const distance = editDistance(text, other, allowed)
    if (distance <= allowed) found.push({ tool, distance })
  }
  return found
}
