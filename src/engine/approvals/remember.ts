// `remember: "always"`: adds an allow rule that the approver owns for exactly that tool, optionally limited by arguments.
import { ExecutorError } from "../../core/errors.ts"
import type { ApprovalAnswer, RememberedRule } from "../../core/execution.ts"
import { conditionText } from "../../core/policy.ts"
import type { PolicyCondition, PolicyRule } from "../../core/policy.ts"
import type { Principal } from "../../core/principal.ts"
import { withoutRoot } from "../../core/address.ts"
import { createPolicy } from "../../catalog/policies/edit.ts"
import { parseConditions } from "../../policy/condition-parse.ts"
import { decide } from "../../policy/decide.ts"
import { fittingRules } from "../../policy/rule-set.ts"
import type { ApprovalRow } from "../../store/execution-store.ts"
import { policyAuditDetails } from "../audit/details.ts"
import { withAudit } from "../audit/audit.ts"
import type { EngineParts } from "../engine-parts.ts"

/** Refused where another owner's rule demands approval, because the new rule would change nothing there. */
export async function checkRemember(principal: Principal, approvals: readonly ApprovalRow[], parts: EngineParts): Promise<void> {
  const rules = await parts.policyEvaluator.rules(principal)
  for (const approval of approvals) {
    const subject = withoutRoot(approval.address)
    if (parts.staticTools.find(subject)?.alwaysAsks === true)
      throw new ExecutorError("conflict", `'${subject}' always requires approval; it cannot be allowed permanently`)
    const others = decide(
      { subject, requiresApproval: false },
      rules.filter((rule) => rule.owner !== "user"),
      JSON.parse(approval.argsJson === "" ? "{}" : approval.argsJson) as Record<string, unknown>, // written by the code that called
    )
    if (others.rule !== null && others.action !== "allow") {
      throw new ExecutorError("conflict", `A rule of the organization requires approval for '${subject}'; only an admin can change it`, {
        rule: others.rule,
      })
    }
  }
}

/** After the answer is won: whoever comes second must leave no rule behind. An answer that is repeated makes no second one. */
export async function rememberAlways(
  principal: Principal,
  approvals: readonly ApprovalRow[],
  { when }: Pick<ApprovalAnswer, "when">,
  parts: EngineParts,
): Promise<RememberedRule[]> {
  const audit = withAudit(principal, parts)
  const rules = await parts.policyEvaluator.rules(principal)
  const conditions = parseConditions(when ?? [])
  const remembered: RememberedRule[] = []
  for (const subject of new Set(approvals.map((row) => withoutRoot(row.address)))) {
    const input = { owner: "user", pattern: subject, action: "allow", when: conditions } as const
    const rule =
      rules.find((one) => isSame(one, subject, conditions)) ??
      (await audit("policy.create", subject, () => createPolicy(principal, input, parts), policyAuditDetails))
    const { id, owner, pattern } = rule
    remembered.push({ id, owner, pattern, when: rule.when, message: messageOf(rule, subject, rules) })
  }
  return remembered
}

const isSame = (rule: PolicyRule, subject: string, when: readonly PolicyCondition[]): boolean =>
  rule.owner === "user" && rule.pattern === subject && rule.action === "allow" && JSON.stringify(rule.when) === JSON.stringify(when)

const conditionsText = (conditions: readonly PolicyCondition[]): string => conditions.map(conditionText).join(" and ")

/** Says how far it goes, and which rule it goes beyond: whoever made that one wanted to be asked about the rest. */
function messageOf(rule: PolicyRule, subject: string, rules: readonly PolicyRule[]): string {
  const bounds = rule.when.length === 0 ? "with any arguments" : `when ${conditionsText(rule.when)}`
  const made = `From now on '${subject}' is allowed for you and your agents, ${bounds}.`
  const bounded = (["org", "user"] as const)
    .flatMap((owner) => [...fittingRules(rules, owner, subject)])
    .find((one) => one.action === "allow" && one.when.length > 0 && one.id !== rule.id)
  if (bounded === undefined) return made
  return `${made} The rule '${bounded.pattern}' (${bounded.id}) allows it only when ${conditionsText(bounded.when)}; the new rule also allows the calls for which that rule requires approval.`
}
