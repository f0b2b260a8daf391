// Measures arguments, and rejects those that are too large, too wide, too deep or not JSON.
import type { Limits } from "../core/limits.ts"
import { isInexactInteger } from "../core/json/long-integer.ts"
import type { Finding } from "./issue.ts"
import { invalidValue, pathInto } from "./issue-text.ts"

export type ArgsSize = {
  values: number
  /** Keys of the widest object. */
  widest: number
  longestArray: number
  longestText: number
  /** No more than the bytes of the JSON text. */
  bytesAtLeast: number
  hasUndefined: boolean
}

export type Measured = { readonly ok: true; readonly size: ArgsSize } | { readonly ok: false; readonly finding: Finding }

/** Its place is collected on the way up, from the last step to the first, so that measuring builds no paths. */
type Problem = { readonly complaint: string; readonly value: unknown; readonly steps: (string | number)[] }

/** How much longer JSON text can be than `bytesAtLeast` says: a number counts as one byte and may be written in 24. */
const bytesFactorMax = 32

export function measureArgs(args: object, limits: Limits, argsJson?: string): Measured {
  const size = noSize()
  const problem = measureValue(args, 0, size, limits)
  if (problem === tooLarge || (problem === null && isTooLarge(args, size, limits, argsJson)))
    return { ok: false, finding: invalidValue("", `exceeds ${limits.argsBytesMax} bytes of JSON`, undefined) }
  if (problem === tooMany)
    return { ok: false, finding: invalidValue("", `has more than ${limits.argsValuesMax} values; send them in several calls`, undefined) }
  if (problem === null) return { ok: true, size }
  const path = problem.steps.toReversed().reduce<string>(pathInto, "")
  return { ok: false, finding: invalidValue(path, problem.complaint, problem.value) }
}

/** The size of one value of arguments that were measured; without limits, of the value alone and nothing inside it. */
export function partSize(value: unknown, limits: Limits | null): ArgsSize {
  const size = noSize()
  if (limits !== null) measureValue(value, 0, size, limits)
  else if (typeof value === "string") size.longestText = value.length
  else if (Array.isArray(value)) size.longestArray = value.length
  else if (typeof value === "object" && value !== null) size.widest = Object.keys(value).length
  return size
}

const noSize = (): ArgsSize => ({ values: 0, widest: 0, longestArray: 0, longestText: 0, bytesAtLeast: 0, hasUndefined: false })

/** The same arguments as JSON would carry them: undefined properties are absent, undefined items null. */
export function withoutUndefined(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(withoutUndefined)
  const present = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(present.map(([key, inner]) => [key, withoutUndefined(inner)]))
}

const inexactComplaint = "is an integer too large for a number to hold exactly, so its last digits may have changed; pass it as a string"

const tooLarge: Problem = { complaint: "too large", value: undefined, steps: [] }
const tooMany: Problem = { complaint: "too many", value: undefined, steps: [] }

function isTooLarge(args: object, size: ArgsSize, limits: Limits, argsJson?: string): boolean {
  if (size.bytesAtLeast > limits.argsBytesMax) return true
  if (size.bytesAtLeast * bytesFactorMax <= limits.argsBytesMax) return false
  return Buffer.byteLength(argsJson ?? JSON.stringify(args)) > limits.argsBytesMax
}

function measureValue(value: unknown, depth: number, size: ArgsSize, limits: Limits): Problem | null {
  size.values++
  if (size.values > limits.argsValuesMax) return tooMany
  size.bytesAtLeast++
  switch (typeof value) {
    case "string":
      size.bytesAtLeast += value.length
      if (value.length > size.longestText) size.longestText = value.length
      return null
    case "boolean":
      return null
    case "number":
      if (isInexactInteger(value)) return { complaint: inexactComplaint, value, steps: [] }
      return Number.isFinite(value) ? null : { complaint: `is ${value}, which JSON cannot represent`, value, steps: [] }
    case "undefined":
      size.hasUndefined = true
      return null
    case "object":
      if (value === null) return null
      if (depth >= limits.argsDepthMax) return { complaint: `is nested deeper than ${limits.argsDepthMax} levels`, value, steps: [] }
      return Array.isArray(value)
        ? measureArray(value, depth, size, limits)
        : measureObject(value as Record<string, unknown>, depth, size, limits)
    default:
      return { complaint: `is a ${typeof value}, which JSON cannot represent`, value, steps: [] }
  }
}

function measureArray(array: readonly unknown[], depth: number, size: ArgsSize, limits: Limits): Problem | null {
  if (array.length > size.longestArray) size.longestArray = array.length
  for (let index = 0; index < array.length; index++) {
    const problem = measureValue(array[index], depth + 1, size, limits)
    if (problem !== null) return below(problem, index)
    if (size.bytesAtLeast > limits.argsBytesMax) return tooLarge
  }
  return null
}

function measureObject(object: Record<string, unknown>, depth: number, size: ArgsSize, limits: Limits): Problem | null {
  const keys = Object.keys(object)
  if (keys.length > limits.argsObjectKeysMax)
    return { complaint: `has more than ${limits.argsObjectKeysMax} keys; send them in several calls`, value: object, steps: [] }
  if (keys.length > size.widest) size.widest = keys.length
  for (const key of keys) {
    size.bytesAtLeast += key.length
    const problem = measureValue(object[key], depth + 1, size, limits)
    if (problem !== null) return below(problem, key)
    if (size.bytesAtLeast > limits.argsBytesMax) return tooLarge
  }
  return null
}

function below(problem: Problem, step: string | number): Problem {
  if (problem !== tooLarge && problem !== tooMany) problem.steps.push(step)
  return problem
}
