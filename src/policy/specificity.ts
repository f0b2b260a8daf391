// Finds the place of a new rule: below the more specific ones of its owner, above all others.
import type { PolicyCondition, PolicyRule } from "../core/policy.ts"
import { compilePattern, isAnyDepth } from "./match.ts"

export type Specified = { readonly pattern: string; readonly when: readonly PolicyCondition[]; readonly role?: string }

/** `moved` is empty unless there is no number left between two neighbours; then all get new ones. */
export type Placement = { readonly position: number; readonly moved: readonly { readonly id: string; readonly position: number }[] }

/** `rules`: those of the same owner. */
export function placeRule(rule: Specified, rules: readonly PolicyRule[]): Placement {
  const ordered = inOrder(rules)
  const index = 1 + ordered.findLastIndex((other) => isMoreSpecific(other, rule))
  const position = between(ordered[index - 1]?.position, ordered[index]?.position)
  if (position !== null) return { position, moved: [] }
  const numberOf = (place: number): number => 1 + place + (place >= index ? 1 : 0)
  return { position: 1 + index, moved: ordered.map(({ id }, place) => ({ id, position: numberOf(place) })) }
}

/** By position; equal positions are told apart by id, so that every node asks in the same order. */
export const inOrder = (rules: readonly PolicyRule[]): PolicyRule[] =>
  rules.toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))

/** More literal segments, then fewer `**`; of equal patterns the one with conditions or for one role, which the other would hide. */
export function isMoreSpecific(rule: Specified, other: Specified): boolean {
  const [mine, theirs] = [measure(rule), measure(other)]
  if (mine.literals !== theirs.literals) return mine.literals > theirs.literals
  if (mine.anyDepths !== theirs.anyDepths) return mine.anyDepths < theirs.anyDepths
  return limitsOf(rule) > limitsOf(other)
}

const limitsOf = ({ when, role }: Specified): number => Number(when.length > 0) + Number(role !== undefined)

function measure(rule: Specified): { literals: number; anyDepths: number } {
  const { segments } = compilePattern(rule.pattern)
  const literals = segments.filter((segment) => segment.kind === "literal").length
  return { literals, anyDepths: segments.filter(isAnyDepth).length }
}

/** Null: no number lies between them. */
function between(above: number | undefined, below: number | undefined): number | null {
  if (below === undefined) return above === undefined ? 1 : above + 1 > above ? above + 1 : null
  if (above === undefined) return below - 1 < below ? below - 1 : null
  const middle = above + (below - above) / 2
  return above < middle && middle < below ? middle : null
}
