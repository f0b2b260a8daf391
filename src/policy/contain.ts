// Whether some patterns and rights include others: nobody hands out more than they have.
//
// The answer is conservative: a pattern counts as included only when a single pattern includes all of it. An admin can
// still give what is refused here.
import { approvePrefix } from "../core/people/role.ts"
import type { Right } from "../core/people/role.ts"
import { compilePattern, isAnyDepth } from "./match.ts"
import type { Segment } from "./match.ts"
import { fitsPattern } from "./wildcard.ts"

/** Every subject that `inner` matches is matched by `outer`. */
export const containsPattern = (outer: string, inner: string): boolean =>
  fitsPattern(compilePattern(outer).segments, compilePattern(inner).segments, isAnyDepth, containsSegment)

/** Only `**` contains `**`; it also contains every other segment. */
function containsSegment(outer: Segment, inner: Segment): boolean {
  if (inner.kind === "any_depth" || outer.kind === "any_depth") return outer.kind === "any_depth"
  if (outer.kind === "literal") return inner.kind === "literal" && outer.text === inner.text
  return fitsPattern(outer.text, inner.text, isStar, isSame)
}

const isStar = (character: string): boolean => character === "*"
/** A `*` in the inner text is contained only by a `*` in the outer one, which `isStar` has handled. */
const isSame = (outer: string, inner: string): boolean => inner !== "*" && outer === inner

export type Reach = { readonly patterns: readonly string[]; readonly rights: readonly Right[] }

/** The first pattern or right of `inner` that `outer` does not have; null: it has all of them. */
export function missingIn(outer: Reach, inner: Reach): string | null {
  if (outer.rights.includes("admin")) return null
  const pattern = inner.patterns.find((one) => !outer.patterns.some((other) => containsPattern(other, one)))
  return pattern ?? inner.rights.find((right) => !hasContained(outer.rights, right)) ?? null
}

function hasContained(rights: readonly Right[], right: Right): boolean {
  if (!right.startsWith(approvePrefix)) return rights.includes(right)
  const pattern = right.slice(approvePrefix.length)
  return rights.some((one) => one.startsWith(approvePrefix) && containsPattern(one.slice(approvePrefix.length), pattern))
}
