// Tells whether a subschema is checked to the letter, or loosened because part of it is left to the upstream.
//
// Leaving out a check makes a schema accept more, which is what we want, except where accepting more there means
// accepting less above: below `not`, in the condition of an `if`. Those are kept only when exact.
import { readConst, readEnum, readList, readTypes, uncheckedKeywords } from "./schema-keyword.ts"
import { isRecord } from "./schema-ref.ts"
import type { ResolveRef } from "./schema-ref.ts"

/** What has to be known about all that a subschema reaches. */
export type Exactness = {
  /** Nothing in it is left to the upstream. */
  isExact(schema: unknown): boolean
  /** Apart from its own `unevaluated…` keywords and `oneOf` it is exact, and the validator learns of each property and item that it evaluated. */
  isEvaluated(schema: Record<string, unknown>): boolean
}

/** Keywords whose values hold data or names, not schemas that apply. */
const dataKeywords = new Set(["enum", "const", "default", "example", "examples", "required", "dependentRequired", "$defs", "definitions"])
const mapKeywords = new Set(["properties", "dependentSchemas", "dependencies"])

/** `stepsMax` bounds the answers to each question together; past it nothing counts as exact. */
export function exactnessOf(resolve: ResolveRef, stepsMax: number): Exactness {
  const isExact = reachesNone((raw) => isCut(raw) || readList(raw["oneOf"]).length > 1, resolve, stepsMax)
  // Alternatives that fit beside the one that was meant evaluate more, never less; a condition that is dropped evaluates nothing.
  const hidesEvaluated = (raw: Raw): boolean =>
    isCut(raw) || isOpen(raw["additionalProperties"]) || isOpen(raw["items"]) || (raw["if"] !== undefined && !isExact(raw["if"]))
  const reachesNoHidden = reachesNone(hidesEvaluated, resolve, stepsMax)
  return {
    isExact,
    isEvaluated: (raw) => reachesNoHidden({ ...raw, unevaluatedProperties: undefined, unevaluatedItems: undefined }),
  }
}

type Raw = Record<string, unknown>

function reachesNone(isFlaw: (raw: Raw) => boolean, resolve: ResolveRef, stepsMax: number): (schema: unknown) => boolean {
  const known = new Set<object>()
  let stepsLeft = stepsMax
  return (schema) => {
    const seen = new Set<object>()
    const pending: unknown[] = [schema]
    while (pending.length > 0) {
      const next = pending.pop()
      if (!isRecord(next) || known.has(next) || seen.has(next)) continue
      if (stepsLeft <= 0 || isFlaw(next)) return false
      seen.add(next)
      const before = pending.length
      if (!addSubschemas(next, pending, resolve)) return false
      stepsLeft -= 1 + pending.length - before
    }
    // Everything that was reached is without flaw as well: nothing flawed is reachable from it.
    for (const flawless of seen) known.add(flawless)
    return true
  }
}

/** A keyword of its own is left out. */
function isCut(raw: Raw): boolean {
  if (uncheckedKeywords.some((keyword) => raw[keyword] !== undefined)) return true
  if (raw["uniqueItems"] === true) return true
  return readTypes(raw["type"]) === "unknown" || readEnum(raw["enum"]) === "too_large" || readConst(raw) === "too_large"
}

const telling = ["type", "$ref", "enum", "const", "allOf", "anyOf", "oneOf", "properties"] as const

/** It may accept everything, and is then dropped when the schema is rebuilt. */
const isOpen = (schema: unknown): boolean =>
  schema === true || (isRecord(schema) && telling.every((keyword) => schema[keyword] === undefined))

/** False when a reference leads nowhere. */
function addSubschemas(raw: Raw, pending: unknown[], resolve: ResolveRef): boolean {
  for (const [keyword, value] of Object.entries(raw)) {
    if (keyword === "$ref") {
      const target = typeof value === "string" ? resolve(value) : undefined
      if (target === undefined) return false
      pending.push(target)
    } else if (typeof value === "object" && value !== null && !dataKeywords.has(keyword)) {
      if (!Array.isArray(value) && !mapKeywords.has(keyword)) pending.push(value)
      else for (const inner of Object.values(value)) pending.push(inner)
    }
  }
  return true
}
