// Evaluates what a rule demands of the arguments.
//
// An argument that is missing, or of another type than the value it is compared with, tells nothing. Then the
// cautious reading holds: it never satisfies a rule that allows, and always one that restricts. `exists` asks for
// the presence itself, and `null` is a value that anything can be compared with, so those always tell.
import type { PolicyAction, PolicyCondition, PolicyScalar } from "../core/policy.ts"
import { fitsText } from "./wildcard.ts"

export type Evaluation = "met" | "not_met" | "untold"

/** Longer texts count as untold by `like`, whose cost grows with them. */
const likeCharsMax = 10_000

export function conditionsHold(
  rule: { readonly action: PolicyAction; readonly when: readonly PolicyCondition[] },
  args: Record<string, unknown>,
): boolean {
  return rule.when.every((condition) => holds(rule.action, evaluate(condition, args)))
}

export const holds = (action: PolicyAction, evaluation: Evaluation): boolean =>
  evaluation === "met" || (evaluation === "untold" && action !== "allow")

export function evaluate(condition: PolicyCondition, args: Record<string, unknown>): Evaluation {
  const found = argAt(condition.arg, args)
  if (condition.op === "exists") return told((found !== undefined) === condition.value)
  if (found === undefined) return "untold"
  switch (condition.op) {
    case "eq":
      return isComparable(found, condition.value) ? told(found === condition.value) : "untold"
    case "ne":
      return isComparable(found, condition.value) ? told(found !== condition.value) : "untold"
    case "in":
      return condition.value.some((value) => isComparable(found, value)) ? told(condition.value.some((value) => value === found)) : "untold"
    case "like":
      return typeof found === "string" && found.length <= likeCharsMax ? told(fitsText(condition.value, found)) : "untold"
    case "lt":
    case "lte":
    case "gt":
    case "gte":
      return compare(condition.op, found, condition.value)
  }
}

const told = (isMet: boolean): Evaluation => (isMet ? "met" : "not_met")

const isComparable = (found: unknown, value: PolicyScalar): boolean => value === null || typeof found === typeof value

/** Texts compare by code unit, which orders ISO dates. */
function compare(op: "lt" | "lte" | "gt" | "gte", found: unknown, value: number | string): Evaluation {
  if (typeof found === "number" && typeof value === "number") return told(isOrdered(op, found, value))
  if (typeof found === "string" && typeof value === "string") return told(isOrdered(op, found, value))
  return "untold"
}

function isOrdered<T extends number | string>(op: "lt" | "lte" | "gt" | "gte", found: T, value: T): boolean {
  switch (op) {
    case "lt":
      return found < value
    case "lte":
      return found <= value
    case "gt":
      return found > value
    case "gte":
      return found >= value
  }
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

const argNames = (path: string): string[] => path.split(/(?<!\\)\./).map((name) => name.replaceAll("\\.", "."))
