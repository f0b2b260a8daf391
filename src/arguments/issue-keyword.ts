// Explains why a single keyword of a schema is not satisfied.
import { boundComplaint } from "./issue-bound.ts"
import type { Finding } from "./issue.ts"
import { invalidValue, missingField, notAmongValues, pathInto, unexpectedField, wrongType } from "./issue-text.ts"
import { brokenBound, isDigitsFor } from "./long-digits.ts"
import { isNever } from "./schema-node.ts"
import type { SubSchema } from "./schema-node.ts"
import type { SchemaDocument } from "./schema-sanitise.ts"
import { isRecord } from "./schema-ref.ts"
import type { ArgsPlace, SchemaPlace } from "./unit-place.ts"

export type KeywordFailure = {
  readonly schema: SchemaPlace
  readonly place: ArgsPlace
  /** The property whose name is wrong, for `propertyNames`. */
  readonly named: ArgsPlace | null
  readonly document: SchemaDocument
}

const namesMax = 200

export function keywordFindings(keyword: string, failure: KeywordFailure): Finding[] {
  const { node } = failure.schema
  const { path, value } = failure.place
  switch (keyword) {
    case "type":
      return [typeFinding(failure)]
    case "enum":
      return [notAmongValues(path, node.enum ?? [], value)]
    case "const":
      return [notAmongValues(path, [node.const], value)]
    case "required":
      return missing(node.required ?? [], path, value)
    case "dependentRequired":
      return Object.entries(node.dependentRequired ?? {}).flatMap(([name, needed]) =>
        has(value, name) ? missing(needed, path, value) : [],
      )
    case "not":
      return [isNever(node) ? refused(failure) : invalidValue(path, "has a value that the schema excludes", value)]
    case "propertyNames":
      return [wrongName(failure)]
    default:
      return [invalidValue(path, boundComplaint(keyword, node, value), value)]
  }
}

/** A text of digits that stands for a number is wrong only by its bounds. */
function typeFinding({ schema: { node }, place: { path, value } }: KeywordFailure): Finding {
  const types = [node.type ?? []].flat()
  const broken = isDigitsFor(types, value) ? brokenBound(node, value) : null
  return broken === null ? wrongType(path, types, value) : invalidValue(path, boundComplaint(broken, node, value), value)
}

const has = (value: unknown, name: string): boolean => isRecord(value) && Object.hasOwn(value, name)

const missing = (names: readonly string[], path: string, value: unknown): Finding[] =>
  names
    .filter((name) => !has(value, name))
    .slice(0, namesMax)
    .map((name) => missingField(pathInto(path, name)))

/** Where nothing is allowed, something was sent. */
function refused({ schema, place, document }: KeywordFailure): Finding {
  const { path, value, step } = place
  if (typeof step === "number") return invalidValue(path, "is one item too many", value)
  if (step === null || schema.from === null) return invalidValue(path, "is not accepted", value)
  return unexpectedField(path, step, [...acceptedNames(schema.from.node, document, 0)].slice(0, namesMax), value)
}

function wrongName({ schema, place, named, document }: KeywordFailure): Finding {
  const { node } = schema
  if (named === null || typeof named.step !== "string") return invalidValue(place.path, "has a name that is not allowed", place.value)
  const names = node.propertyNames === undefined || node.propertyNames === true ? undefined : node.propertyNames.enum
  if (names === undefined) return invalidValue(named.path, "has a name that is not allowed", named.value)
  const known = names.filter((name): name is string => typeof name === "string")
  return unexpectedField(named.path, named.step, known.length > 0 ? known : [...acceptedNames(node, document, 0)], named.value)
}

/** The names that a node speaks of itself or through the schemas that it applies to the same value. */
function acceptedNames(schema: SubSchema | undefined, document: SchemaDocument, depth: number, names = new Set<string>()): Set<string> {
  if (schema === undefined || schema === true || depth > 4) return names
  for (const name of Object.keys(schema.properties ?? {})) {
    if (names.size >= namesMax) return names
    if (!isNever(schema.properties?.[name])) names.add(name)
  }
  const target = schema.$ref === undefined ? undefined : document.built.get(schema.$ref)
  for (const inner of [target, ...(schema.allOf ?? []), ...(schema.anyOf ?? [])].slice(0, namesMax)) {
    if (names.size < namesMax) acceptedNames(inner, document, depth + 1, names)
  }
  return names
}
