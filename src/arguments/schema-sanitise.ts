// Rebuilds a stranger's schema from the keywords that are checked, subschema by subschema.
//
// References and properties are rebuilt when a check first reaches them: of the thousand definitions that an API may
// share, a call touches few. Left to the upstream are patterns, dynamic and unknown references, subschemas with an `$id`
// of their own (their references have another base), literals too large to compare, and which of several alternatives is
// meant where more than one fits. Of formats, those that `text-format.ts` knows are checked, except below conditions
// and the like, which the validator sees as a whole.
import type { Limits } from "../core/limits.ts"
import { costOf } from "./schema-cost.ts"
import type { Place } from "./schema-cost.ts"
import { exactnessOf } from "./schema-exact.ts"
import type { Exactness } from "./schema-exact.ts"
import { readConst, readCount, readEnum, readList, readMap, readNames, readNumber, readTypes } from "./schema-keyword.ts"
import { neverNode, newNode, uniqueUpTo } from "./schema-node.ts"
import type { SchemaNode, SubSchema } from "./schema-node.ts"
import { isRecord } from "./schema-ref.ts"
import type { RawSchema, ResolveRef } from "./schema-ref.ts"
import { spend } from "./step-meter.ts"
import { readFormat } from "./text-format.ts"

/** Maps references to what they lead to, as the validator wants it; reading one builds it. */
export type Lookup = Record<string, SubSchema>
export type SchemaDocument = {
  readonly root: SubSchema
  readonly lookup: Lookup
  /** Of the references, those that a check has come to. */
  readonly built: ReadonlyMap<string, SubSchema>
  /** How many nodes were built so far. */
  nodesBuilt(): number
}

type Raw = Record<string, unknown>
type Context = {
  readonly root: RawSchema
  readonly resolve: ResolveRef
  readonly exactness: Exactness
  readonly limits: Limits
  nodesBuilt: number
}
/** Throws when the schema is larger or deeper than the limits; so does reading a reference to such a one. */
export function sanitiseSchema(raw: RawSchema, resolve: ResolveRef, limits: Limits): SchemaDocument {
  const exactness = exactnessOf(resolve, limits.schemaNodesMax / 2)
  const context: Context = { root: raw, resolve, exactness, limits, nodesBuilt: 0 }
  const built = new Map<string, SubSchema>()
  const lookup = new Proxy<Lookup>({}, { get: (_, ref) => built.get(String(ref)) ?? buildRef(String(ref), built, context) })
  return { root: rebuild(raw, "same", 0, context), lookup, built, nodesBuilt: () => context.nodesBuilt }
}

function buildRef(ref: string, built: Map<string, SubSchema>, context: Context): SubSchema {
  const target = charged(() => rebuild(context.resolve(ref), "same", 0, context), context)
  built.set(ref, target)
  return target
}

function rebuild(raw: unknown, place: Place, depth: number, context: Context): SubSchema {
  context.nodesBuilt++
  if (context.nodesBuilt > context.limits.schemaNodesMax) throw new Error(`A schema of more than ${context.limits.schemaNodesMax} nodes`)
  if (depth > context.limits.schemaDepthMax) throw new Error(`A schema deeper than ${context.limits.schemaDepthMax} levels`)
  if (raw === false) return neverNode()
  if (!isRecord(raw) || (raw !== context.root && raw["$id"] !== undefined)) return true
  const node = newNode()
  const build = (inner: unknown, innerPlace: Place): SubSchema => rebuild(inner, innerPlace, depth + 1, context)
  addLiterals(node, raw)
  addBounds(node, raw)
  addObjectKeywords(node, raw, build, context)
  addArrayKeywords(node, raw, build, context)
  addCombinations(node, raw, build, context)
  if (typeof raw["$ref"] === "string") node.$ref = raw["$ref"]
  if (Object.keys(node).length === 1) return true
  if (typeof raw["title"] === "string") node.title = raw["title"]
  node.cost = costOf(node, place)
  return node
}

type Build = (inner: unknown, place: Place) => SubSchema

function addLiterals(node: SchemaNode, raw: Raw): void {
  const types = readTypes(raw["type"])
  if (Array.isArray(types)) node.type = types.length === 1 ? (types[0] ?? types) : types
  const literal = readConst(raw)
  if (literal !== undefined && literal !== "too_large") node.const = literal.value
  const values = readEnum(raw["enum"])
  if (values !== undefined && values !== "too_large") node.enum = values
}

const countBounds = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"] as const
const numberBounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] as const

function addBounds(node: SchemaNode, raw: Raw): void {
  for (const keyword of countBounds) {
    const count = readCount(raw[keyword])
    if (count !== undefined) node[keyword] = count
  }
  for (const keyword of numberBounds) {
    const bound = readNumber(raw[keyword])
    if (bound !== undefined) node[keyword] = bound
  }
  const divisor = readNumber(raw["multipleOf"])
  if (divisor !== undefined && divisor > 0) node.multipleOf = divisor
  const format = [node.type ?? []].flat().includes("string") ? readFormat(raw["format"]) : undefined
  if (format !== undefined) node.textFormat = format
}

function addObjectKeywords(node: SchemaNode, raw: Raw, build: Build, context: Context): void {
  const required = readNames(raw["required"])
  if (required !== undefined && required.length > 0) node.required = required
  if (isRecord(raw["properties"])) node.properties = lazyProperties(raw["properties"], build, context)
  // A name that a pattern may allow must not count as additional.
  const additional = readMap(raw["patternProperties"]).length > 0 ? undefined : raw["additionalProperties"]
  if (additional !== undefined) setUnlessTrue(node, "additionalProperties", build(additional, "child"))
  if (raw["propertyNames"] !== undefined) setUnlessTrue(node, "propertyNames", build(raw["propertyNames"], "child"))
  addDependencies(node, raw, build)
}

/** Each is rebuilt when it is first read: of thousands, a call names few. */
function lazyProperties(raw: Raw, build: Build, context: Context): Record<string, SubSchema> {
  const built = mapOf<SubSchema>([])
  const read = (name: string | symbol): SubSchema | undefined => {
    if (typeof name === "symbol" || !Object.hasOwn(raw, name)) return undefined
    return (built[name] ??= charged(() => build(raw[name], "child"), context))
  }
  return new Proxy(built, {
    get: (_, name) => read(name),
    has: (_, name) => Object.hasOwn(raw, name),
    ownKeys: () => Object.keys(raw),
    getOwnPropertyDescriptor: (_, name) => ({ value: read(name), enumerable: true, configurable: true, writable: true }),
  })
}

/** What a check makes us rebuild is part of its work. */
function charged(build: () => SubSchema, context: Context): SubSchema {
  const before = context.nodesBuilt
  const target = build()
  spend(context.nodesBuilt - before)
  return target
}

/** Drafts before 2019-09 have both kinds under `dependencies`. */
function addDependencies(node: SchemaNode, raw: Raw, build: Build): void {
  const entries = ["dependencies", "dependentRequired", "dependentSchemas"].flatMap((keyword) => readMap(raw[keyword]))
  const names = entries
    .filter(([, needed]) => Array.isArray(needed))
    .map(([name, needed]): [string, string[]] => [name, readNames(needed) ?? []])
  const schemas = entries
    .filter(([, needed]) => !Array.isArray(needed))
    .map(([name, needed]): [string, SubSchema] => [name, build(needed, "same")])
  if (names.length > 0) node.dependentRequired = mapOf(names)
  if (schemas.length > 0) node.dependentSchemas = mapOf(schemas)
}

function addArrayKeywords(node: SchemaNode, raw: Raw, build: Build, context: Context): void {
  // Drafts before 2020-12 write tuples as `items`, and what follows them as `additionalItems`.
  const isTuple = Array.isArray(raw["items"])
  const prefix = readList(isTuple ? raw["items"] : raw["prefixItems"])
  if (prefix.length > 0) node.prefixItems = prefix.map((inner) => build(inner, "child"))
  const rest = isTuple ? raw["additionalItems"] : raw["items"]
  if (rest !== undefined) setUnlessTrue(node, "items", build(rest, "child"))
  if (raw["contains"] !== undefined) addContains(node, raw, build, context)
  if (raw["uniqueItems"] === true) (node.allOf ??= []).push(uniqueUpTo(context.limits.argsUniqueItemsMax))
}

function addContains(node: SchemaNode, raw: Raw, build: Build, context: Context): void {
  node.contains = build(raw["contains"], "child")
  const least = readCount(raw["minContains"])
  if (least !== undefined) node.minContains = least
  const most = readCount(raw["maxContains"])
  if (most !== undefined && context.exactness.isExact(raw["contains"])) node.maxContains = most
}

function addCombinations(node: SchemaNode, raw: Raw, build: Build, context: Context): void {
  for (const inner of readList(raw["allOf"])) (node.allOf ??= []).push(build(inner, "same"))
  addAlternatives(node, raw, build)
  if (raw["not"] !== undefined && context.exactness.isExact(raw["not"])) node.not = build(raw["not"], "same")
  // Even without consequences a condition tells which properties were evaluated.
  if (raw["if"] !== undefined && context.exactness.isExact(raw["if"])) {
    node.if = build(raw["if"], "same")
    for (const keyword of ["then", "else"] as const) if (raw[keyword] !== undefined) node[keyword] = build(raw[keyword], "same")
  }
  // What counts as evaluated is known only when everything was.
  for (const keyword of ["unevaluatedProperties", "unevaluatedItems"] as const) {
    if (raw[keyword] !== undefined && context.exactness.isEvaluated(raw)) node[keyword] = build(raw[keyword], "child")
  }
}

/**
 * `oneOf` is read as `anyOf`. Documents use it for alternatives that overlap, where nothing fits exactly one,
 * and upstreams accept what fits several.
 */
function addAlternatives(node: SchemaNode, raw: Raw, build: Build): void {
  for (const alternatives of [readList(raw["anyOf"]), readList(raw["oneOf"])]) {
    if (alternatives.length === 0) continue
    const built = alternatives.map((inner) => build(inner, "same"))
    if (node.anyOf === undefined) node.anyOf = built
    else (node.allOf ??= []).push(anyNode(built))
  }
}

function anyNode(alternatives: SubSchema[]): SchemaNode {
  const node = newNode()
  node.anyOf = alternatives
  node.cost = costOf(node, "same")
  return node
}

/** Without a prototype, so that a property may be called `__proto__`. */
function mapOf<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  const map = Object.create(null) as Record<string, T> // Object.create is untyped
  for (const [name, value] of entries) map[name] = value
  return map
}

function setUnlessTrue(node: SchemaNode, keyword: "additionalProperties" | "propertyNames" | "items", schema: SubSchema): void {
  if (schema !== true) node[keyword] = schema
}
