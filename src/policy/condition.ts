// Evaluates a rule's conditions on the arguments.
//
// An argument that is missing, or of another type than the value it is compared with, decides nothing. Then the
// cautious reading holds: it never satisfies a rule that allows, and always one that restricts. `exists` asks for
// the presence itself, and `null` is a value that anything can be compared with, so those always decide.
import { defaultLimits } from "../core/limits.ts"
import type { ConditionOp, PolicyAction, PolicyCondition, PolicyScalar } from "../core/policy.ts"
import { fitsText } from "./wildcard.ts"

export type Evaluation = "met" | "not_met" | "unknown"

export function conditionsHold(
  rule: { readonly action: PolicyAction; readonly when: readonly PolicyCondition[] },
  args: Record<string, unknown>,
): boolean {
  return rule.when.every((condition) => holds(rule.action, evaluate(condition, args)))
}

export const holds = (action: PolicyAction, evaluation: Evaluation): boolean =>
  evaluation === "met" || (evaluation === "unknown" && action !== "allow")

export function evaluate(condition: PolicyCondition, args: Record<string, unknown>): Evaluation {
  const found = argAt(condition.arg, args)
  if (condition.op === "exists") return metIf((found !== undefined) === condition.value)
  if (found === undefined) return "unknown"
  if (condition.op === "in") return amongValues(found, condition.value)
  if (condition.op === "like") return fitsLike(found, condition.value)
  return comparisons[condition.op](found, condition.value)
}

const metIf = (isMet: boolean): Evaluation => (isMet ? "met" : "not_met")

const isComparable = (found: unknown, value: PolicyScalar): boolean => value === null || typeof found === typeof value

const amongValues = (found: unknown, values: readonly PolicyScalar[]): Evaluation =>
  values.some((value) => isComparable(found, value)) ? metIf(values.some((value) => value === found)) : "unknown"

const fitsLike = (found: unknown, pattern: string): Evaluation =>
  typeof found === "string" && found.length <= defaultLimits.policyLikeArgCharsMax ? metIf(fitsText(pattern, found)) : "unknown"

type Comparison = (found: unknown, value: PolicyScalar) => Evaluation

/** Texts are ordered by code unit, which orders ISO dates. */
const ordered =
  (isMet: (order: number) => boolean): Comparison =>
  (found, value) => {
    const isNumeric = typeof value === "number" && typeof found === "number" && !Number.isNaN(found)
    if (isNumeric) return metIf(isMet(found - value))
    return typeof value === "string" && typeof found === "string" ? metIf(isMet(found < value ? -1 : found > value ? 1 : 0)) : "unknown"
  }

const comparisons: Record<Exclude<ConditionOp, "in" | "like" | "exists">, Comparison> = {
  eq: (found, value) => (isComparable(found, value) ? metIf(found === value) : "unknown"),
  ne: (found, value) => (isComparable(found, value) ? metIf(found !== value) : "unknown"),
  lt: ordered((order) => order < 0),
  lte: ordered((order) => order <= 0),
  gt: ordered((order) => order > 0),
  gte: ordered((order) => order >= 0),
}

/** Own properties only: `constructor` is no argument unless somebody sent it. */
export function argAt(path: string, args: Record<string, unknown>): unknown {
  let value: unknown = args
  for (const name of argNames(path)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name] // an own property, whatever the object is
  }
  return value
}

/** `\.` is a dot that belongs to a name. */
export const argNames = (path: string): string[] => path.split(/(?<!\\)\./).map((name) => name.replaceAll("\\.", "."))
