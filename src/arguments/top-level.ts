// Checks the names and types of the parameters themselves: what remains when a schema is too costly to check.
import { boundComplaint } from "./issue-bound.ts"
import type { Finding } from "./issue.ts"
import { invalidValue, missingField, notAmongValues, pathInto, unexpectedField, wrongType } from "./issue-text.ts"
import { brokenBound, isDigitsFor } from "./long-digits.ts"
import type { NumberBounds } from "./long-digits.ts"
import { readEnum, readMap, readNames, readNumber, readTypes } from "./schema-keyword.ts"
import { isRecord } from "./schema-ref.ts"
import type { RawSchema } from "./schema-ref.ts"

export type TopLevelCheck = (args: Record<string, unknown>, findingsMax: number) => Finding[]

/** Reads the schema as it came, and of it only what the arguments name, so that it needs neither preparation nor budget. */
export function topLevelCheck(schema: RawSchema): TopLevelCheck {
  if (!isRecord(schema)) return () => []
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {}
  const isClosed = schema["additionalProperties"] === false && readMap(schema["patternProperties"]).length === 0
  const required = readNames(schema["required"]) ?? []
  let names: string[] | null = null
  const unexpected = (name: string, value: unknown): Finding => {
    names ??= Object.keys(properties)
    return unexpectedField(pathInto("", name), name, names, value)
  }
  return (args, findingsMax) => {
    const findings: Finding[] = []
    for (const name of required) {
      if (findings.length >= findingsMax) return findings
      if (!Object.hasOwn(args, name)) findings.push(missingField(pathInto("", name)))
    }
    for (const name of Object.keys(args)) {
      if (findings.length >= findingsMax) return findings
      const isKnown = Object.hasOwn(properties, name)
      if (!isKnown && isClosed) findings.push(unexpected(name, args[name]))
      const finding = isKnown ? mismatch(name, args[name], properties[name]) : null
      if (finding !== null) findings.push(finding)
    }
    return findings
  }
}

function mismatch(name: string, value: unknown, property: unknown): Finding | null {
  if (!isRecord(property)) return null
  const types = readTypes(property["type"])
  if (Array.isArray(types) && isDigitsFor(types, value)) return boundFinding(name, value, property)
  if (Array.isArray(types) && !types.some((type) => isOfType(value, type))) return wrongType(pathInto("", name), types, value)
  const values = readEnum(property["enum"])
  if (!Array.isArray(values) || values.some((allowed) => typeof allowed === "object" && allowed !== null)) return null
  return values.includes(value) ? null : notAmongValues(pathInto("", name), values, value)
}

const numberBounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] as const

function boundFinding(name: string, digits: string, property: Record<string, unknown>): Finding | null {
  const bounds: NumberBounds = {}
  for (const keyword of numberBounds) {
    const bound = readNumber(property[keyword])
    if (bound !== undefined) bounds[keyword] = bound
  }
  const broken = brokenBound(bounds, digits)
  return broken === null ? null : invalidValue(pathInto("", name), boundComplaint(broken, bounds, digits), digits)
}

function isOfType(value: unknown, type: string): boolean {
  if (value === null) return type === "null"
  if (Array.isArray(value)) return type === "array"
  if (typeof value === "number") return type === "number" || (type === "integer" && Number.isInteger(value))
  return typeof value === type
}
