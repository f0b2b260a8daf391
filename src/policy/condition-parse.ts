// Reads the `when` of a rule as somebody wrote it, and says what is wrong with it.
import { isRecord } from "../core/json/record.ts"
import { ExecutorError } from "../core/errors.ts"
import { defaultLimits } from "../core/limits.ts"
import { conditionOps } from "../core/policy.ts"
import { argNames } from "./condition.ts"
import type { ConditionOp, PolicyCondition, PolicyScalar } from "../core/policy.ts"

const { policyConditionsMax, policyValuesMax, policyTextCharsMax, policyLikeCharsMax } = defaultLimits

/** Throws `invalid_request` with the place, written as the HTTP API writes the places of a body, and what is expected there. */
export function parseConditions(input: unknown): PolicyCondition[] {
  if (input === undefined || input === null) return []
  if (!Array.isArray(input)) throw refuse("when", "must be an array of { arg, op, value }")
  if (input.length > policyConditionsMax) throw refuse("when", `has more than ${policyConditionsMax} conditions`)
  return input.map((one: unknown, index) => parseCondition(one, `when.${index}`))
}

function parseCondition(input: unknown, place: string): PolicyCondition {
  if (!isRecord(input)) throw refuse(place, "must be { arg, op, value }")
  const unknown = Object.keys(input).find((key) => key !== "arg" && key !== "op" && key !== "value")
  if (unknown !== undefined) throw refuse(place, `has an unknown field '${unknown.slice(0, 80)}'`)
  const { arg, op, value } = input
  if (!isText(arg) || argNames(arg).includes("")) throw refuse(`${place}.arg`, "must be the name of an argument, or a dotted path")
  if (!isOp(op)) throw refuse(`${place}.op`, `must be one of ${conditionOps.join(", ")}`)
  return conditionOf(arg, op, value, `${place}.value`)
}

function conditionOf(arg: string, op: ConditionOp, value: unknown, place: string): PolicyCondition {
  if (op === "exists") {
    if (value !== undefined && typeof value !== "boolean") throw refuse(place, "must be true or false, or be left out")
    return { arg, op, value: value ?? true }
  }
  if (op === "in") {
    if (!Array.isArray(value) || value.length === 0 || value.length > policyValuesMax || !value.every(isScalar))
      throw refuse(place, `must be an array of 1 to ${policyValuesMax} strings, numbers, booleans or nulls`)
    return { arg, op, value }
  }
  if (op === "like") {
    if (!isText(value) || value.length > policyLikeCharsMax)
      throw refuse(place, `must be a string of at most ${policyLikeCharsMax} characters, with * and ? as wildcards`)
    return { arg, op, value }
  }
  if (op === "eq" || op === "ne") {
    if (!isScalar(value)) throw refuse(place, "must be a string, number, boolean or null")
    return { arg, op, value }
  }
  if (!isNumber(value) && !isText(value)) throw refuse(place, "must be a number, or a string such as an ISO date")
  return { arg, op, value }
}
const isText = (value: unknown): value is string => typeof value === "string" && value.length <= policyTextCharsMax
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value)
const isScalar = (value: unknown): value is PolicyScalar => value === null || typeof value === "boolean" || isNumber(value) || isText(value)
const isOp = (value: unknown): value is ConditionOp => conditionOps.some((op) => op === value)

const refuse = (place: string, reason: string): ExecutorError =>
  new ExecutorError("invalid_request", `The field '${place}' is wrong: it ${reason}`)
