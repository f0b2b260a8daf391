// Decides what happens to a call: of each owner's rules the first that matches, of those the most restrictive.
//
// If several rules ask, whoever answers must be whom each of them names.
import type { Owner } from "../core/address.ts"
import { owners } from "../core/address.ts"
import { policyActions } from "../core/policy.ts"
import type { ApprovalBy, PolicyAction, PolicyRule, PolicyTool, Verdict } from "../core/policy.ts"
import { conditionsHold } from "./condition.ts"
import { fittingRules } from "./rule-set.ts"

/**
 * Arguments that are null are not known yet, as in a list. Then nothing is told about any of them, so that a rule
 * with conditions counts unless it allows, and the verdict says that arguments can make it another.
 */
export function decide(tool: PolicyTool, rules: readonly PolicyRule[], args: Record<string, unknown> | null): Verdict {
  let verdict: Verdict = { action: annotatedAction(tool), rule: null, conditional: false }
  let conditional = false
  const by: ApprovalBy[] = []
  for (const owner of owners) {
    const choice = chooseRule(tool, rules, owner, args)
    conditional ||= choice.conditional
    by.push(...choice.by)
    if (choice.rule !== null && (verdict.rule === null || isStricter(choice.rule.action, verdict.action)))
      verdict = { action: choice.rule.action, rule: choice.rule, conditional: false }
  }
  const named = by.length > 0 && verdict.action === "require_approval" ? { by } : {}
  return { ...verdict, conditional, ...named }
}

/** The rules that count for somebody with these roles. Where none is limited, the very same list. */
export const rulesFor = (rules: readonly PolicyRule[], roles: readonly string[]): readonly PolicyRule[] =>
  rules.every(({ role }) => role === undefined) ? rules : rules.filter(({ role }) => role === undefined || roles.includes(role))

const annotatedAction = (tool: PolicyTool): PolicyAction => (tool.requiresApproval ? "require_approval" : "allow")

const isStricter = (action: PolicyAction, other: PolicyAction): boolean => policyActions.indexOf(action) > policyActions.indexOf(other)

/** Whether a rule whose pattern fits also counts for these arguments. */
export const counts = (rule: PolicyRule, args: Record<string, unknown> | null): boolean =>
  rule.when.length === 0 || (args === null ? rule.action !== "allow" : conditionsHold(rule, args))

/** `by`: of the rule that asks, and of those below it that ask as well, down to the first that says something else. */
type Choice = { readonly rule: PolicyRule | null; readonly by: readonly ApprovalBy[]; readonly conditional: boolean }

function chooseRule(tool: PolicyTool, rules: readonly PolicyRule[], owner: Owner, args: Record<string, unknown> | null): Choice {
  let chosen: PolicyRule | null = null
  let conditional = false
  const by: ApprovalBy[] = []
  for (const rule of fittingRules(rules, owner, tool.subject)) {
    if (chosen === null) conditional ||= args === null && rule.when.length > 0
    if (!counts(rule, args)) continue
    if (chosen !== null && rule.action !== "require_approval") break
    chosen ??= rule
    if (chosen.action !== "require_approval") break
    if (rule.by !== undefined) by.push(rule.by)
  }
  return { rule: chosen, by, conditional }
}
