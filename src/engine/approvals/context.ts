// The context shown with an approval: who makes the call, from where, why it needs a human, and what would be sent.
import type { Interaction } from "../../core/execution.ts"
import type { Limits } from "../../core/limits.ts"
import type { PolicyRule } from "../../core/policy.ts"
import type { Principal } from "../../core/principal.ts"
import type { Effect } from "../../core/tool.ts"
import type { PolicyEvaluator, PolicyVerdict } from "../../catalog/policies/evaluator.ts"
import { explain } from "../../policy/explain.ts"
import type { CallTarget } from "../gate/target.ts"
import type { GateCall } from "../gate/gate.ts"
import { requesterOf } from "../audit/token-names.ts"
import type { TokenNames } from "../audit/token-names.ts"

export type ApprovalContext = Pick<Interaction, "requestedBy" | "reason" | "rule" | "line" | "request">

export type ContextParts = { readonly policyEvaluator: PolicyEvaluator; readonly tokenNames: TokenNames; readonly limits: Limits }

/** `verdict` is null for what a tool asks by itself. */
export async function describeQuestion(
  principal: Principal,
  call: GateCall,
  target: CallTarget,
  verdict: PolicyVerdict | null,
  parts: ContextParts,
): Promise<ApprovalContext> {
  const request = target.preview(call.args)
  const rule = verdict?.rule ?? null
  const rules = verdict === null ? [] : await parts.policyEvaluator.rules(principal)
  return {
    requestedBy: await requesterOf(principal, parts.tokenNames),
    reason: verdict === null ? "The tool itself asks for this." : `${reasonOf(target, rule)}${nearMiss(call, target, rules)}`,
    ...(rule === null ? {} : { rule: { id: rule.id, owner: rule.owner, pattern: rule.pattern } }),
    ...(call.line === null ? {} : { line: call.line }),
    ...(request === null || request.url.length > parts.limits.requestPreviewUrlCharsMax ? {} : { request }),
  }
}

function reasonOf(target: CallTarget, rule: PolicyRule | null): string {
  if (rule?.action === "require_approval")
    return `The ${rule.owner === "org" ? "organization's" : "personal"} rule '${rule.pattern}' requires approval.`
  if (!target.alwaysAsks) return `No rule matches this call, and ${unruled[target.effect]}, so it requires approval.`
  return target.address === target.subject
    ? "This tool always requires approval."
    : "The tool has changed since it was accepted, so it requires approval."
}

const unruled: Record<Effect, string> = {
  read: "its source says that it needs approval",
  write: "it changes data",
  destroy: "it can delete or overwrite data",
}

/** The first rule that would have allowed the call with other arguments. */
function nearMiss(call: GateCall, target: CallTarget, rules: readonly PolicyRule[]): string {
  const missed = explain(target, rules, call.args).beaten.find(
    ({ rule, reason }) => reason === "condition_not_met" && rule.action === "allow",
  )
  if (missed === undefined) return ""
  return ` The rule '${missed.rule.pattern}' does not allow it: ${missed.message.charAt(0).toLowerCase()}${missed.message.slice(1)}`
}
