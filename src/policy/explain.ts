// Explains which rule decided, and why other matching rules did not.
import { owners } from "../core/address.ts"
import type { BeatenRule, PolicyCondition, PolicyExplanation, PolicyRule, PolicyTool, Verdict } from "../core/policy.ts"
import { argAt, evaluate, holds } from "./condition.ts"
import { whoText } from "./answerers.ts"
import { counts, decide } from "./decide.ts"
import { fittingRules } from "./rule-set.ts"

const beatenMax = 100
const valueCharsMax = 80

/** `others`: rules that are limited to roles which the principal does not hold. */
export function explain(
  tool: PolicyTool,
  rules: readonly PolicyRule[],
  args: Record<string, unknown> | null,
  others: readonly PolicyRule[] = [],
): PolicyExplanation {
  const verdict = decide(tool, rules, args)
  const beaten = owners.flatMap((owner) => [
    ...beatenOf([...fittingRules(rules, owner, tool.subject)], verdict, args),
    ...[...fittingRules(others, owner, tool.subject)].map(ofOtherRole),
  ])
  return {
    verdict: verdict.action,
    conditional: verdict.conditional,
    rule: verdict.rule,
    ...(verdict.by === undefined ? {} : { by: verdict.by }),
    message: messageOf(tool, verdict),
    beaten: beaten.slice(0, beatenMax),
  }
}

function messageOf(tool: PolicyTool, verdict: Verdict): string {
  const { rule } = verdict
  const unknown = verdict.conditional ? " Rules with conditions match this tool, so the arguments can change the decision." : ""
  if (rule === null)
    return `No rule matches, so the effect of the call decides: ${tool.requiresApproval ? "it may change data and requires approval" : "it only reads and is allowed"}.${unknown}`
  const named = verdict.by === undefined ? "" : ` Only ${whoText(verdict.by)} may approve.`
  return `${nameOf(rule)} says ${rule.action}.${named}${unknown}`
}

const ofOtherRole = (rule: PolicyRule): BeatenRule => ({
  rule,
  reason: "other_role",
  message: `It counts only for the role '${rule.role ?? ""}'.`,
})

/** `fitting`: all rules of one owner whose pattern fits, in order. */
function beatenOf(fitting: readonly PolicyRule[], verdict: Verdict, args: Record<string, unknown> | null): BeatenRule[] {
  const chosen = fitting.find((rule) => counts(rule, args)) ?? null
  return fitting.filter((rule) => rule !== verdict.rule).map((rule) => beatenBy(rule, chosen, verdict, args))
}

function beatenBy(rule: PolicyRule, chosen: PolicyRule | null, verdict: Verdict, args: Record<string, unknown> | null): BeatenRule {
  if (!counts(rule, args)) return { rule, reason: "condition_not_met", message: unmetMessage(rule, args) }
  if (rule !== chosen && chosen !== null)
    return { rule, reason: "later_position", message: `${nameOf(chosen)} is above it and matches first.` }
  const winner = verdict.rule === null ? "Another rule" : nameOf(verdict.rule)
  const message = `${winner} says ${verdict.action}, and across owners the most restrictive rule wins.`
  return { rule, reason: "not_stricter", message }
}

function unmetMessage(rule: PolicyRule, args: Record<string, unknown> | null): string {
  if (args === null) return "Its conditions need arguments, and a rule does not allow a call without them."
  const unmet = rule.when.find((condition) => !holds(rule.action, evaluate(condition, args)))
  return unmet === undefined ? "Its conditions are not met." : `${showCondition(unmet)} is not met: ${foundMessage(unmet, rule, args)}.`
}

function foundMessage(condition: PolicyCondition, rule: PolicyRule, args: Record<string, unknown>): string {
  const found = argAt(condition.arg, args)
  if (found === undefined) return "the argument is missing"
  const isUnknown = evaluate(condition, args) === "unknown"
  return `the argument is ${show(found)}${isUnknown ? `, which cannot be compared, so the rule does not ${rule.action}` : ""}`
}

const nameOf = (rule: PolicyRule): string => `The ${rule.owner} rule ${rule.pattern} (${rule.id})`

const showCondition = (condition: PolicyCondition): string => `Its condition ${condition.arg} ${condition.op} ${show(condition.value)}`

function show(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > valueCharsMax ? `${text.slice(0, valueCharsMax)}…` : text
}
