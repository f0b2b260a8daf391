// Reads the single keywords of a stranger's schema; what is malformed reads as absent.
import { isRecord } from "./schema-ref.ts"

const typeNames = new Set(["array", "boolean", "integer", "null", "number", "object", "string"])

/** More than any real list of countries, fonts or machine types. */
const enumValuesMax = 5000
/** Values inside values: an enum of objects is compared deeply. */
const literalValuesMax = 20_000

/**
 * Keywords whose check is left to the upstream, always or in part: patterns of strangers can take for ever, dynamic
 * references have no bound, an `$id` changes the base of the references below it.
 */
export const uncheckedKeywords = [
  "pattern",
  "patternProperties",
  "$dynamicRef",
  "$recursiveRef",
  "$id",
  "unevaluatedProperties",
  "unevaluatedItems",
] as const

/** `unknown`: it names a type that JSON does not have, so that nothing can be said about it. */
export function readTypes(raw: unknown): string[] | "unknown" | undefined {
  if (raw === undefined) return undefined
  if (typeof raw === "string") return typeNames.has(raw) ? [raw] : "unknown"
  const names = [raw].flat().filter((name): name is string => typeof name === "string" && typeNames.has(name))
  return names.length === 0 || names.length < [raw].flat().length ? "unknown" : [...new Set(names)]
}

export const readCount = (raw: unknown): number | undefined =>
  typeof raw === "number" && raw >= 0 && Number.isInteger(raw) ? raw : undefined

export const readNumber = (raw: unknown): number | undefined => (typeof raw === "number" && Number.isFinite(raw) ? raw : undefined)

export const readNames = (raw: unknown): string[] | undefined =>
  Array.isArray(raw) ? raw.filter((name): name is string => typeof name === "string") : undefined

export function readMap(raw: unknown): [string, unknown][] {
  return isRecord(raw) ? Object.entries(raw) : []
}

export const readList = (raw: unknown): unknown[] => (Array.isArray(raw) ? raw : [])

/** `too_large`: comparing with it would cost more than the check is worth. */
export function readEnum(raw: unknown): unknown[] | "too_large" | undefined {
  if (!Array.isArray(raw)) return undefined
  return raw.length > enumValuesMax || countValues(raw) > literalValuesMax ? "too_large" : raw
}

export function readConst(raw: Record<string, unknown>): { value: unknown } | "too_large" | undefined {
  if (!Object.hasOwn(raw, "const") || raw["const"] === undefined) return undefined
  return countValues(raw["const"]) > literalValuesMax ? "too_large" : { value: raw["const"] }
}

/** Stops counting a little above the maximum. */
export function countValues(literal: unknown): number {
  const pending: unknown[] = [literal]
  let count = 0
  for (let index = 0; index < pending.length && count <= literalValuesMax; index++) {
    count++
    const value = pending[index]
    if (typeof value !== "object" || value === null) continue
    const inner: unknown[] = Array.isArray(value) ? value : Object.values(value)
    if (inner.length > literalValuesMax) return inner.length
    for (const one of inner) pending.push(one)
  }
  return count
}
