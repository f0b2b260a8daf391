// Checks a long integer, given as a string of digits, against the number keywords of its schema.
import { isLongInteger } from "../core/json/long-integer.ts"
import type { SchemaNode } from "./schema-node.ts"

export type NumberBounds = Pick<SchemaNode, "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf">

/** No bound is written with more digits, and turning a megabyte of them into a number would take long. */
const digitsMax = 400

/** Whether the text stands for a number there: an integer that no number holds is given so, whatever the schema says. */
export const isDigitsFor = (types: readonly string[], value: unknown): value is string =>
  !types.includes("string") && (types.includes("integer") || types.includes("number")) && isLongInteger(value)

/** The bound that does not hold; null when all do. */
export function brokenBound(bounds: NumberBounds, digits: string): keyof NumberBounds | null {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = bounds
  const value = digits.length > digitsMax ? (digits.startsWith("-") ? -Infinity : Infinity) : BigInt(digits)
  // A comparison of a BigInt with a number is exact.
  if (minimum !== undefined && value < minimum) return "minimum"
  if (maximum !== undefined && value > maximum) return "maximum"
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return "exclusiveMinimum"
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) return "exclusiveMaximum"
  // Of a fraction the exact value is not known, and most divide every integer.
  if (multipleOf === undefined || !Number.isInteger(multipleOf) || typeof value !== "bigint") return null
  return value % BigInt(multipleOf) === 0n ? null : "multipleOf"
}

/** Long integers of a schema were read as numbers, so that they are compared as such. */
export function isAmongLiterals(node: Pick<SchemaNode, "enum" | "const">, digits: string): boolean {
  const fits = (literal: unknown): boolean => literal === digits || literal === Number(digits)
  return (node.enum === undefined || node.enum.some(fits)) && (node.const === undefined || fits(node.const))
}
