// Finds the rules that stand above a rule and let calls through which it would ask about or block.
import { policyActions } from "../core/policy.ts"
import type { PolicyRule } from "../core/policy.ts"
import { containsPattern } from "./contain.ts"
import { inOrder } from "./specificity.ts"

/** In order, of the same owner. Patterns that merely cross, such as `a.*.c` and `a.b.*`, are not found. */
export function laxerAbove(rule: PolicyRule, rules: readonly PolicyRule[]): PolicyRule[] {
  const ordered = inOrder(rules.filter(({ owner }) => owner === rule.owner))
  const above = ordered.slice(
    0,
    Math.max(
      0,
      ordered.findIndex(({ id }) => id === rule.id),
    ),
  )
  const isLaxer = (other: PolicyRule): boolean => policyActions.indexOf(other.action) < policyActions.indexOf(rule.action)
  const meets = ({ pattern }: PolicyRule): boolean => containsPattern(pattern, rule.pattern) || containsPattern(rule.pattern, pattern)
  return above.filter((other) => isLaxer(other) && meets(other))
}
