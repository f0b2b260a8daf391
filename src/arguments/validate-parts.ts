// Validates arguments part by part, so that issues found so far are kept when the steps run out.
//
// The validator goes through a whole value at once and tells nothing before its end. So it is given only what has no
// parts: a node without its properties, items, references and alternatives, which are followed here, and of those
// only where the value is not plainly right. A late item of a long array thus costs what the first one does.
import { encodePointer, validate } from "@cfworker/json-schema"
import type { OutputUnit, Schema } from "@cfworker/json-schema"
import type { Limits } from "../core/limits.ts"
import { partSize } from "./measure.ts"
import { brokenBound, isAmongLiterals, isDigitsFor } from "./long-digits.ts"
import type { Accepts } from "./quick-accept.ts"
import { costOf } from "./schema-cost.ts"
import { newNode } from "./schema-node.ts"
import type { SchemaNode, SubSchema } from "./schema-node.ts"
import { isRecord } from "./schema-ref.ts"
import type { SchemaDocument } from "./schema-sanitise.ts"
import { meterPart, spend } from "./step-meter.ts"
import { fitsFormat } from "./text-format.ts"

export type PartsWalk = { readonly document: SchemaDocument; readonly accepts: Accepts; readonly limits: Limits }

/** Where a value is, and the schema that it is checked against, as the validator writes it. */
type Place = { readonly instance: string; readonly schema: string }

/** Far more than are told; whoever sends so many wrong rows mends the first. */
const unitsMax = 500
const keysPerStep = 16

/** Adds to `units` what is wrong, and throws when the steps are spent. */
export function validateParts(args: Record<string, unknown>, units: OutputUnit[], walk: PartsWalk): void {
  if (!walk.accepts(walk.document.root, args)) collect(args, walk.document.root, { instance: "#", schema: "#" }, units, walk)
}

function collect(value: unknown, schema: SubSchema, at: Place, units: OutputUnit[], walk: PartsWalk): void {
  if (schema === true) return
  spend(schema.cost.steps)
  const own = ownPart(schema)
  if (own !== null) collectOwn(value, own, at, units, walk)
  if (own === schema) return
  if (schema.$ref !== undefined) {
    const target = walk.document.lookup[schema.$ref] ?? true
    collectUnlessPlain(value, target, below(at, "/$ref"), units, walk)
  }
  for (const [index, inner] of (schema.allOf ?? []).entries()) collectUnlessPlain(value, inner, below(at, `/allOf/${index}`), units, walk)
  if (schema.anyOf !== undefined) collectAnyOf(value, schema.anyOf, at, units, walk)
  if (Array.isArray(value) && own?.items === undefined) collectItems(value, schema.items, at, units, walk)
  if (isRecord(value)) collectProperties(value, schema, at, units, walk)
}

function collectOwn(value: unknown, own: SchemaNode, at: Place, units: OutputUnit[], walk: PartsWalk): void {
  if (isDigitsFor([own.type ?? []].flat(), value)) {
    const broken = brokenBound(own, value) ?? (isAmongLiterals(own, value) ? null : own.enum === undefined ? "const" : "enum")
    if (broken !== null) units.push(unitOf(broken, at))
  } else if (!walk.accepts(own, value)) {
    runValidator(value, own, at, units, walk)
    if (typeof value === "string" && own.textFormat !== undefined && !fitsFormat(own.textFormat, value)) units.push(unitOf("format", at))
  }
}

const unitOf = (keyword: string, at: Place): OutputUnit => ({
  instanceLocation: at.instance,
  keyword,
  keywordLocation: `${at.schema}/${keyword}`,
  error: "",
})

const below = (at: Place, step: string): Place => ({ instance: at.instance, schema: `${at.schema}${step}` })

function collectUnlessPlain(value: unknown, schema: SubSchema, at: Place, units: OutputUnit[], walk: PartsWalk): void {
  if (!isPlain(value, schema, walk)) collect(value, schema, at, units, walk)
}

/** The items of an array are asked one by one, and not as a whole before. */
const isPlain = (value: unknown, schema: SubSchema, { accepts }: PartsWalk): boolean => !Array.isArray(value) && accepts(schema, value)

function collectAnyOf(value: unknown, alternatives: readonly SubSchema[], at: Place, units: OutputUnit[], walk: PartsWalk): void {
  if (alternatives.some((alternative) => walk.accepts(alternative, value))) return
  const failures: OutputUnit[][] = []
  for (const [index, alternative] of alternatives.entries()) {
    // Each has a list of its own: nothing more is added to one that is full.
    const failure: OutputUnit[] = []
    collect(value, alternative, below(at, `/anyOf/${index}`), failure, walk)
    if (failure.length === 0) return
    failures.push(failure)
  }
  units.push(unitOf("anyOf", at))
  for (const failure of failures) for (const unit of failure) units.push(unit)
}

function collectItems(items: readonly unknown[], schema: SubSchema | undefined, at: Place, units: OutputUnit[], walk: PartsWalk): void {
  if (schema === undefined) return
  for (const [index, item] of items.entries()) {
    if (units.length >= unitsMax) return
    if (walk.accepts(schema, item)) continue
    collect(item, schema, { instance: `${at.instance}/${index}`, schema: `${at.schema}/items` }, units, walk)
  }
}

function collectProperties(object: Record<string, unknown>, node: SchemaNode, at: Place, units: OutputUnit[], walk: PartsWalk): void {
  const { properties, additionalProperties } = node
  if (properties === undefined && additionalProperties === undefined) return
  const names = Object.keys(object)
  spend(names.length / keysPerStep)
  const enter = (name: string, schema: SubSchema | undefined, keyword: "properties" | "additionalProperties"): void => {
    if (schema === undefined || units.length >= unitsMax || isPlain(object[name], schema, walk)) return
    const step = encodePointer(name)
    const place = keyword === "properties" ? `${at.schema}/properties/${step}` : `${at.schema}/additionalProperties`
    collect(object[name], schema, { instance: `${at.instance}/${step}`, schema: place }, units, walk)
  }
  for (const name of names) enter(name, properties?.[name], "properties")
  if (additionalProperties === undefined) return
  for (const name of names) if (properties?.[name] === undefined) enter(name, additionalProperties, "additionalProperties")
}

function runValidator(value: unknown, node: SchemaNode, at: Place, units: OutputUnit[], { document, limits }: PartsWalk): void {
  const size = partSize(value, entersValue(node) ? limits : null)
  spend(size.values / keysPerStep)
  meterPart(size, limits)
  // Nodes are schemas in the validator's own terms; its type only has no exact optional fields.
  const lookup = document.lookup as Record<string, Schema | true>
  const result = validate(value, node as Schema, "2020-12", lookup, false, null, at.instance, at.schema)
  for (const unit of result.errors) units.push(unit)
}

const followed = new Set(["$ref", "allOf", "anyOf", "properties", "additionalProperties", "items"])
const ownParts = new WeakMap<SchemaNode, SchemaNode | null>()

/** What the validator has to see of a node; the node itself when it cannot be taken apart, null when nothing is left. */
function ownPart(node: SchemaNode): SchemaNode | null {
  const known = ownParts.get(node)
  if (known !== undefined) return known
  const own = makeOwnPart(node)
  ownParts.set(node, own)
  return own
}

function makeOwnPart(node: SchemaNode): SchemaNode | null {
  // What was evaluated is known only to whoever saw all of it.
  if (node.unevaluatedItems !== undefined || node.unevaluatedProperties !== undefined) return node
  // Behind a tuple, items do not start with the first.
  const isFollowed = (keyword: string): boolean => followed.has(keyword) && !(keyword === "items" && node.prefixItems !== undefined)
  const keywords = Object.keys(node).filter((keyword) => keyword !== "cost" && keyword !== "title")
  if (!keywords.some(isFollowed)) return node
  const kept = keywords.filter((keyword) => !isFollowed(keyword))
  if (kept.length === 0) return null
  const own: SchemaNode = Object.assign(newNode(), Object.fromEntries(Object.entries(node).filter(([keyword]) => kept.includes(keyword))))
  own.cost = costOf(own, "same")
  return own
}

const entering = [
  "not",
  "if",
  "dependentSchemas",
  "contains",
  "prefixItems",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
] as const

const entersValue = (node: SchemaNode): boolean =>
  entering.some((keyword) => node[keyword] !== undefined && node[keyword] !== true) ||
  node.enum?.some(isNested) === true ||
  isNested(node.const)

const isNested = (literal: unknown): boolean => typeof literal === "object" && literal !== null
