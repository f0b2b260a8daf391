// Rules prepared for many decisions: grouped by owner, in order, with parsed patterns.
import type { Owner } from "../core/address.ts"
import { owners } from "../core/address.ts"
import type { PolicyRule } from "../core/policy.ts"
import { compilePattern, matchesSegments } from "./match.ts"
import type { Pattern } from "./match.ts"
import { inOrder } from "./specificity.ts"

type ReadyRule = { readonly rule: PolicyRule; readonly pattern: Pattern }
type RuleSet = ReadonlyMap<Owner, readonly ReadyRule[]>

// A list of rules decides for thousands of tools; it is never changed, only replaced.
const ready = new WeakMap<readonly PolicyRule[], RuleSet>()

/** The rules of one owner whose pattern fits, in the order in which they are asked. */
export function* fittingRules(rules: readonly PolicyRule[], owner: Owner, subject: string): Generator<PolicyRule> {
  const segments = subject.split(".")
  for (const { rule, pattern } of ruleSetOf(rules).get(owner) ?? []) if (matchesSegments(pattern, segments)) yield rule
}

function ruleSetOf(rules: readonly PolicyRule[]): RuleSet {
  const known = ready.get(rules)
  if (known !== undefined) return known
  const ordered = inOrder(rules).map((rule): ReadyRule => ({ rule, pattern: compilePattern(rule.pattern) }))
  const set = new Map(owners.map((owner) => [owner, ordered.filter(({ rule }) => rule.owner === owner)]))
  ready.set(rules, set)
  return set
}
