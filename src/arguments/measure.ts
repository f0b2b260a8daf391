// Measures arguments, and rejects those that are too large, too wide, too deep or not JSON.
import type { Limits } from "../core/limits.ts"
import { isInexactInteger } from "../core/json/long-integer.ts"
import type { Finding } from "./issue.ts"
import { invalidValue, pathOf } from "./issue-text.ts"

export type SizeLimits = Pick<Limits, "argsBytesMax" | "argsValuesMax" | "argsObjectKeysMax" | "argsDepthMax">
export type Measured = { readonly ok: true; readonly hasUndefined: boolean } | { readonly ok: false; readonly finding: Finding }

type Measure = {
  values: number
  /** No more than the bytes of the JSON text. */
  bytesAtLeast: number
  hasUndefined: boolean
  /** The steps to the value at hand; those from its depth on are left over from others. */
  readonly path: (string | number)[]
  readonly limits: SizeLimits
}

/** How much longer JSON text can be than `bytesAtLeast` says: a number counts as one byte and may be written in 24. */
const bytesFactorMax = 32

/** The limits in an object of their own: the table of all limits is slow to read. */
export const sizeLimitsOf = ({ argsBytesMax, argsValuesMax, argsObjectKeysMax, argsDepthMax }: Limits): SizeLimits => ({
  argsBytesMax,
  argsValuesMax,
  argsObjectKeysMax,
  argsDepthMax,
})

export function measureArgs(args: object, limits: SizeLimits, argsJson?: string): Measured {
  const measure: Measure = { values: 0, bytesAtLeast: 0, hasUndefined: false, path: [], limits }
  const finding = measureValue(args, 0, measure) ?? (isTooLarge(args, measure, argsJson) ? tooLarge(limits) : null)
  return finding === null ? { ok: true, hasUndefined: measure.hasUndefined } : { ok: false, finding }
}

/** The same arguments as JSON would carry them: undefined properties are absent, undefined items null. */
export function withoutUndefined(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(withoutUndefined)
  const present = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(present.map(([key, inner]) => [key, withoutUndefined(inner)]))
}

function isTooLarge(args: object, { bytesAtLeast, limits }: Measure, argsJson?: string): boolean {
  if (bytesAtLeast > limits.argsBytesMax) return true
  if (bytesAtLeast * bytesFactorMax <= limits.argsBytesMax) return false
  return Buffer.byteLength(argsJson ?? JSON.stringify(args)) > limits.argsBytesMax
}

const tooLarge = ({ argsBytesMax }: SizeLimits): Finding => invalidValue("", undefined, () => `exceeds ${argsBytesMax} bytes of JSON`)

const tooMany = ({ argsValuesMax }: SizeLimits): Finding =>
  invalidValue("", undefined, () => `has more than ${argsValuesMax} values; send them in several calls`)

const inexactComplaint = "is an integer too large for a number to hold exactly, so its last digits may have changed; pass it as a string"

function measureValue(value: unknown, depth: number, measure: Measure): Finding | null {
  const { limits } = measure
  if (++measure.values > limits.argsValuesMax) return tooMany(limits)
  if (++measure.bytesAtLeast > limits.argsBytesMax) return tooLarge(limits)
  switch (typeof value) {
    case "string":
      measure.bytesAtLeast += value.length
      return null
    case "boolean":
      return null
    case "number":
      if (isInexactInteger(value)) return problemOf(value, depth, measure, inexactComplaint)
      return Number.isFinite(value) ? null : problemOf(value, depth, measure, `is ${value}, which JSON cannot represent`)
    case "undefined":
      measure.hasUndefined = true
      return null
    case "object":
      if (value === null) return null
      if (depth >= limits.argsDepthMax) return problemOf(value, depth, measure, `is nested deeper than ${limits.argsDepthMax} levels`)
      return Array.isArray(value) ? measureItems(value, depth, measure) : measureProperties(value, depth, measure)
    default:
      return problemOf(value, depth, measure, `is a ${typeof value}, which JSON cannot represent`)
  }
}

const problemOf = (value: unknown, depth: number, measure: Measure, complaint: string): Finding =>
  invalidValue(pathOf(measure.path, depth), value, () => complaint)

function measureItems(items: readonly unknown[], depth: number, measure: Measure): Finding | null {
  for (let index = 0; index < items.length; index++) {
    measure.path[depth] = index
    const finding = measureValue(items[index], depth + 1, measure)
    if (finding !== null) return finding
  }
  return null
}

function measureProperties(object: object, depth: number, measure: Measure): Finding | null {
  const { argsObjectKeysMax } = measure.limits
  const record = object as Record<string, unknown> // it is no array
  const isPlain = hasNoInherited(object)
  let count = 0
  // Listing the keys first takes several times as long.
  for (const key in record) {
    if (!isPlain && !Object.hasOwn(record, key)) continue
    if (++count > argsObjectKeysMax)
      return problemOf(object, depth, measure, `has more than ${argsObjectKeysMax} keys; send them in several calls`)
    measure.bytesAtLeast += key.length
    measure.path[depth] = key
    const finding = measureValue(record[key], depth + 1, measure)
    if (finding !== null) return finding
  }
  return null
}

function hasNoInherited(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object)
  return prototype === Object.prototype || prototype === null
}
