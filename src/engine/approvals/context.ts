// The context shown with an approval: who makes the call, from where, why it needs a human, and what would be sent.
import { production } from "../../catalog/tools/working-copies.ts"
import type { Interaction } from "../../core/execution.ts"
import type { Limits } from "../../core/limits.ts"
import type { PolicyRule } from "../../core/policy.ts"
import type { Principal } from "../../core/principal.ts"
import type { Effect } from "../../core/tool.ts"
import type { PolicyVerdict } from "../../catalog/policies/evaluator.ts"
import { explain } from "../../policy/explain.ts"
import { hostConditions } from "../../policy/host-condition.ts"
import type { ApprovalRow } from "../../store/execution-store.ts"
import { answerersBeside, askedFor } from "./answerers.ts"
import type { AnswererParts } from "./answerers.ts"
import { resolveTarget, targetOfCall } from "../gate/target.ts"
import type { CallTarget, GateCall } from "../gate/call.ts"
import type { GateParts } from "../gate/gate.ts"
import { requesterOf } from "../audit/token-names.ts"
import type { TokenNames } from "../audit/token-names.ts"

export type ApprovalContext = Pick<
  Interaction,
  "requestedBy" | "answerers" | "effectAssumed" | "reason" | "rule" | "line" | "via" | "path" | "agent" | "request" | "rememberWhen"
>

export type ContextParts = AnswererParts & { readonly tokenNames: TokenNames; readonly limits: Limits }

/** `verdict` is null for what a tool asks by itself. */
export async function describeQuestion(
  principal: Principal,
  call: GateCall,
  target: CallTarget,
  verdict: PolicyVerdict | null,
  parts: ContextParts,
): Promise<ApprovalContext> {
  const request = target.preview(call.args)
  const asked = await askedFor(principal, target.address, verdict?.by ?? [], parts)
  const answerers = asked === null ? null : await answerersBeside(asked, principal.tenant, parts)
  return {
    requestedBy: await requesterOf(principal, parts.tokenNames),
    ...(verdict === null ? { reason: "The tool itself asks for this." } : await whyAsked(principal, call.args, target, verdict, parts)),
    ...(answerers === null ? {} : { answerers }),
    ...(target.isEffectAssumed === true ? { effectAssumed: true } : {}),
    ...(target.addressArg === undefined ? {} : { rememberWhen: hostConditions(target.addressArg, call.args) }),
    ...(call.line === null ? {} : { line: call.line }),
    ...(call.callers === undefined ? {} : { via: call.callers.at(-1) ?? "", path: call.callers }),
    ...(request === null || request.url.length > parts.limits.requestPreviewUrlCharsMax ? {} : { request }),
  }
}

type Cause = Pick<ApprovalContext, "reason" | "rule">

/** Why a pending approval needs an answer by the rules of today, which may not be those that asked; null if its tool is gone. */
export async function causeNow(row: ApprovalRow, parts: GateParts): Promise<Cause | null> {
  const principal = (await parts.access.of(row))?.principal
  if (principal === undefined) return null
  const resolution = await resolveTarget(principal, row.address, production, parts)
  if (!resolution.ok) return null
  const args = JSON.parse(row.argsJson) as Record<string, unknown> // written by `newApproval`
  const target = await targetOfCall(resolution.target, args)
  const verdict = await parts.policyEvaluator.decide(principal, target, args)
  if (verdict.action === "require_approval") return whyAsked(principal, args, target, verdict, parts)
  if (verdict.rule === null) return { reason: "No rule requires approval for this call any more, but it still waits for an answer." }
  if (verdict.action === "block")
    return { reason: `${ruleName(verdict.rule)} now blocks this call: it is rejected even if it is approved.` }
  return { reason: `${ruleName(verdict.rule)} now allows this call, but it still waits for an answer.` }
}

async function whyAsked(
  principal: Principal,
  args: Record<string, unknown>,
  target: CallTarget,
  { rule }: PolicyVerdict,
  parts: Pick<ContextParts, "policyEvaluator">,
): Promise<Cause> {
  const rules = await parts.policyEvaluator.rules(principal)
  return {
    reason: `${reasonOf(target, rule)}${nearMiss(args, target, rules)}`,
    ...(rule === null ? {} : { rule: { id: rule.id, owner: rule.owner, pattern: rule.pattern } }),
  }
}

const ruleName = ({ owner, pattern }: PolicyRule): string => `The ${owner === "org" ? "organization's" : "personal"} rule '${pattern}'`

function reasonOf(target: CallTarget, rule: PolicyRule | null): string {
  if (rule?.action === "require_approval") return `${ruleName(rule)} requires approval.`
  if (!target.alwaysAsks)
    return `No rule matches this call, and ${target.isEffectAssumed === true ? "its server does not say what it changes" : unruled[target.effect]}, so it requires approval.`
  if (target.asksBecause !== undefined) return target.asksBecause
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
function nearMiss(args: Record<string, unknown>, target: CallTarget, rules: readonly PolicyRule[]): string {
  const missed = explain(target, rules, args).beaten.find(({ rule, reason }) => reason === "condition_not_met" && rule.action === "allow")
  if (missed === undefined) return ""
  return ` The rule '${missed.rule.pattern}' would allow it with other arguments: ${missed.message.charAt(0).toLowerCase()}${missed.message.slice(1)}`
}
