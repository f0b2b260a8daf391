// `remember: "always"`: adds an allow rule for exactly that tool, optionally limited by arguments: the approver's own, or the organization's for somebody else's request.
import { ExecutorError } from "../../core/errors.ts"
import type { ApprovalAnswer, RememberedRule } from "../../core/execution.ts"
import { conditionText } from "../../core/policy.ts"
import type { PolicyCondition, PolicyConditionCreate, PolicyRule } from "../../core/policy.ts"
import { requireRight } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import { withoutRoot } from "../../core/address.ts"
import type { Owner } from "../../core/address.ts"
import { createPolicy } from "../../catalog/policies/edit.ts"
import { whoText } from "../../policy/answerers.ts"
import { parseConditions } from "../../policy/condition-parse.ts"
import { decide } from "../../policy/decide.ts"
import { fittingRules } from "../../policy/rule-set.ts"
import type { ApprovalRow } from "../../store/execution-store.ts"
import { askedOf } from "./answerers.ts"
import { viewInteraction } from "./row.ts"
import { policyAuditDetails } from "../audit/details.ts"
import { withAudit } from "../audit/audit.ts"
import type { EngineParts } from "../engine-parts.ts"

/** Whom a rule names is asked each time. */
export async function requireUnnamed(approvals: readonly ApprovalRow[], parts: EngineParts): Promise<void> {
  for (const approval of approvals) {
    const asked = await askedOf(approval, parts)
    if (asked !== null && asked.by.length > 0)
      throw new ExecutorError(
        "conflict",
        `'${withoutRoot(approval.address)}' needs ${whoText(asked.by, asked.requesters)} each time; it cannot be remembered`,
      )
  }
}

/** Refused where another owner's rule demands approval, because the new rule would change nothing there. */
export async function checkRemember(principal: Principal, approvals: readonly ApprovalRow[], parts: EngineParts): Promise<void> {
  for (const approval of approvals) {
    const owner = ownerFor(principal, approval)
    if (owner === "org") requireRight(principal, "policies.edit", "always allow somebody else's calls")
    const subject = withoutRoot(approval.address)
    if (parts.staticTools.find(subject)?.alwaysAsks === true)
      throw new ExecutorError("conflict", `'${subject}' always requires approval; it cannot be allowed permanently`)
    const others = decide(
      { subject, requiresApproval: false },
      (await requesterRules(principal, approval, parts)).filter((rule) => rule.owner !== owner),
      JSON.parse(approval.argsJson === "" ? "{}" : approval.argsJson) as Record<string, unknown>, // written by the code that called
    )
    if (others.rule !== null && others.action !== "allow") {
      const whose = owner === "user" ? "of the organization" : `of ${approval.user}`
      const who = owner === "user" ? "an admin" : "they"
      throw new ExecutorError("conflict", `A rule ${whose} requires approval for '${subject}'; only ${who} can change it`, {
        rule: others.rule,
      })
    }
  }
}

/** A rule of the approver's own would not count for somebody else. */
const ownerFor = ({ user }: Principal, approval: ApprovalRow): Owner => (approval.user === user ? "user" : "org")

async function requesterRules(principal: Principal, { tenant, user }: ApprovalRow, parts: EngineParts): Promise<readonly PolicyRule[]> {
  const access = await parts.access.of({ tenant, user, tokenId: null })
  return parts.policyEvaluator.rules(access?.principal ?? principal)
}

/** After the answer is won: whoever comes second must leave no rule behind. An answer that is repeated makes no second one. */
export async function rememberAlways(
  principal: Principal,
  approvals: readonly ApprovalRow[],
  { when }: Pick<ApprovalAnswer, "when">,
  parts: EngineParts,
): Promise<RememberedRule[]> {
  const audit = withAudit(principal, parts)
  const remembered: RememberedRule[] = []
  const conditionsOf = (row: ApprovalRow): readonly PolicyConditionCreate[] => when ?? viewInteraction(row).rememberWhen ?? []
  for (const approval of new Map(approvals.map((row) => [JSON.stringify([row.address, row.user, conditionsOf(row)]), row])).values()) {
    const subject = withoutRoot(approval.address)
    const rules = await requesterRules(principal, approval, parts)
    const conditions = parseConditions(conditionsOf(approval))
    const input = { owner: ownerFor(principal, approval), pattern: subject, action: "allow", when: conditions } as const
    const rule =
      rules.find((one) => isSame(one, input)) ??
      (await audit("policy.create", subject, () => createPolicy(principal, input, parts), policyAuditDetails))
    const { id, owner, pattern } = rule
    remembered.push({ id, owner, pattern, when: rule.when, message: messageOf(rule, subject, rules) })
  }
  return remembered
}

const isSame = (rule: PolicyRule, { owner, pattern, when }: Pick<PolicyRule, "owner" | "pattern" | "when">): boolean =>
  rule.owner === owner &&
  rule.pattern === pattern &&
  rule.action === "allow" &&
  rule.role === undefined &&
  JSON.stringify(rule.when) === JSON.stringify(when)

const conditionsText = (conditions: readonly PolicyCondition[]): string => conditions.map(conditionText).join(" and ")

/** Says how far it goes, and which rule it goes beyond: whoever made that one wanted to be asked about the rest. */
function messageOf(rule: PolicyRule, subject: string, rules: readonly PolicyRule[]): string {
  const bounds = rule.when.length === 0 ? "with any arguments" : `when ${conditionsText(rule.when)}`
  const made = `From now on '${subject}' is allowed for ${rule.owner === "user" ? "you and your agents" : "everybody in the organization"}, ${bounds}.`
  const bounded = (["org", "user"] as const)
    .flatMap((owner) => [...fittingRules(rules, owner, subject)])
    .find((one) => one.action === "allow" && one.when.length > 0 && one.id !== rule.id)
  if (bounded === undefined) return made
  return `${made} The rule '${bounded.pattern}' (${bounded.id}) allows it only when ${conditionsText(bounded.when)}; the new rule also allows the calls for which that rule requires approval.`
}
