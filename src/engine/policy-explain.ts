// Explains what the rules decide about a call: the verdict, the rule behind it, and the rules it overrode.
import { production } from "../catalog/tools/working-copies.ts"
import { ExecutorError } from "../core/errors.ts"
import type { PolicyExplanation, PolicyRule } from "../core/policy.ts"
import { hasRight } from "../core/principal.ts"
import type { Principal } from "../core/principal.ts"
import type { ToolError } from "../core/result.ts"
import { withoutRoot } from "../core/address.ts"
import { currentAccess } from "../identity/access.ts"
import { explain } from "../policy/explain.ts"
import { resolveTarget, targetOfCall } from "./gate/target.ts"
import type { CallTarget } from "./gate/call.ts"
import type { GateParts } from "./gate/gate.ts"

export async function explainPolicy(
  principal: Principal,
  input: { readonly address: string; readonly args?: Record<string, unknown> },
  parts: GateParts,
): Promise<PolicyExplanation> {
  const resolution = await resolveTarget(principal, input.address, production, parts)
  if (!resolution.ok) throw refusal(input.address, resolution.error)
  const { args = null } = input
  const target = args === null ? resolution.target : await targetOfCall(resolution.target, args)
  const rules = await parts.policyEvaluator.rules(principal)
  const explanation = withUnknownEffect(explain(target, rules, args, await othersFor(principal, rules, parts)), target, args)
  if (!target.alwaysAsks || explanation.verdict !== "allow") return explanation
  return {
    ...explanation,
    verdict: "require_approval",
    message: `${explanation.message} But this tool always requires approval, regardless of rules.`,
  }
}

/** Rules for roles that they do not hold are told to whoever may list all rules, and to nobody else. */
async function othersFor(principal: Principal, rules: readonly PolicyRule[], parts: GateParts): Promise<PolicyRule[]> {
  const { principal: current } = await currentAccess(principal, parts)
  if (!hasRight(current, "policies.edit")) return []
  return (await parts.policyEvaluator.all(principal)).filter((rule) => !rules.includes(rule))
}

/** Without arguments nobody knows what such a call does, and the tool is taken for the worst that it can be. */
function withUnknownEffect(explanation: PolicyExplanation, { effectOf }: CallTarget, args: object | null): PolicyExplanation {
  if (effectOf === null || args !== null || explanation.rule !== null) return explanation
  return {
    ...explanation,
    conditional: true,
    message: `${explanation.message} The effect of a call depends on its arguments: calls that only read are allowed.`,
  }
}

/** A tool of what is not connected is not there to be explained, whatever a call of it would be told. */
function refusal(path: string, { code, message, details }: ToolError): ExecutorError {
  if (code === "tool_not_found" || code === "tool_ambiguous" || code === "tool_blocked") return new ExecutorError(code, message, details)
  return new ExecutorError("tool_not_found", `Tool path '${withoutRoot(path)}' not found: ${message}`, { suggestions: [] })
}
