// Makes arguments for a tool out of its own input schema, always the same for the same seed.
import type { JsonSchema } from "../../src/core/tool.ts"
import { toolFile } from "../../src/core/result.ts"
import { Unfit, isRecord, mapIn, numbersIn, readSchema, schemasIn } from "./arguments-schema.ts"
import type { Alternatives, SchemaNode, SchemaReader } from "./arguments-schema.ts"
import { makeNumber, makeText } from "./arguments-scalar.ts"
import type { Spelling } from "./arguments-scalar.ts"

/** `required`: the least that is accepted. `all`: with every optional property, down to a depth. */
export type Fill = "required" | "all"

export type ToolInput = { readonly inputSchema: JsonSchema; readonly schemaDefinitions: Readonly<Record<string, JsonSchema>> }

export type Generated =
  | { readonly ok: true; readonly args: Record<string, unknown> }
  /** The schema contradicts itself, or asks for more than the generator knows. */
  | { readonly ok: false; readonly reason: string }

type Walk = {
  readonly fill: Fill
  readonly spelling: Spelling
  readonly reader: SchemaReader
  readonly count: {
    /** Grows with every value, so that values differ. */
    turn: number
    stepsLeft: number
  }
}

/** Below this depth, and beyond so many values, optional properties are left out: schemas lead back to themselves. */
const optionalDepthMax = 4
const optionalStepsMax = 1_000
const depthMax = 40
const stepsMax = 20_000
const branchTriesMax = 24

export function generateArguments(input: ToolInput, fill: Fill, seed: number, spelling: Spelling = "plain"): Generated {
  const exact = generateBy("exactly one", input, fill, seed, spelling)
  if (exact.ok) return exact
  // Where alternatives overlap nothing may fit exactly one of them, and the product sends what fits several.
  const overlapping = generateBy("at least one", input, fill, seed, spelling)
  return overlapping.ok ? overlapping : exact
}

function generateBy(alternatives: Alternatives, input: ToolInput, fill: Fill, seed: number, spelling: Spelling): Generated {
  const reader = readSchema(input.inputSchema, input.schemaDefinitions, alternatives)
  const walk: Walk = { fill, spelling, reader, count: { turn: seed, stepsLeft: stepsMax } }
  const made = trial(() => makeFitting([reader.root], 0, walk))
  if (!made.ok) return made
  if (!isRecord(made.value)) return { ok: false, reason: "the input is no object" }
  if (!reader.fits(made.value, reader.root)) return { ok: false, reason: "what was made does not fit the whole schema" }
  return { ok: true, args: made.value }
}

/** A value for schemas that all hold at once; where they offer alternatives, these are tried one after the other. */
function makeFitting(schemas: readonly unknown[], depth: number, walk: Walk): unknown {
  if (depth > depthMax) throw new Unfit("it is nested too deep")
  walk.count.stepsLeft -= 1
  if (walk.count.stepsLeft < 0) throw new Unfit("it takes too many steps")
  const nodes = [...new Set(schemas.flatMap((schema) => walk.reader.unfold(schema)))]
  const choices = nodes.flatMap((node) => ["oneOf", "anyOf"].map((keyword) => schemasIn(node, keyword)).filter((list) => list.length > 0))
  if (choices.length === 0) return makeValue(nodes, depth, walk)
  let reason = "no alternative fits"
  // Optional properties may be what tells one alternative from another, or what makes a value fit two of them.
  for (const fill of walk.fill === "all" ? (["all", "required"] as const) : (["required", "all"] as const)) {
    for (const picked of combinations(choices.map(likelyFirst))) {
      if (walk.count.stepsLeft < 0) break
      const made = trial(() => makeFitting([...nodes.map(withoutChoices), ...picked], depth + 1, { ...walk, fill }))
      if (!made.ok) reason = made.reason
      else if (nodes.every((node) => walk.reader.fits(made.value, node))) return made.value
    }
  }
  throw new Unfit(reason)
}

type Trial = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string }

function trial(make: () => unknown): Trial {
  try {
    return { ok: true, value: make() }
  } catch (error) {
    if (error instanceof Unfit) return { ok: false, reason: error.message }
    throw error
  }
}

const withoutChoices = ({ oneOf: _oneOf, anyOf: _anyOf, $ref: _ref, allOf: _allOf, ...rest }: SchemaNode): SchemaNode => rest

/**
 * Text comes before numbers and booleans, because `6` in a path or query fits both to a reader of texts, and "exactly one" then fails.
 * Null and the empty text say the least about how a value is written, so they come last.
 */
const likelyFirst = (branches: readonly unknown[]): readonly unknown[] => {
  const hasText = branches.some((branch) => typeNameOf(branch) === "string")
  const rank = (branch: unknown): number => {
    const type = typeNameOf(branch)
    return type === "null" || isEmptyText(branch) ? 2 : hasText && ["integer", "number", "boolean"].includes(type) ? 1 : 0
  }
  return branches.toSorted((left, right) => rank(left) - rank(right))
}

const isEmptyText = (schema: unknown): boolean => isRecord(schema) && JSON.stringify(schema["enum"]) === '[""]'

const typeNameOf = (schema: unknown): string => (isRecord(schema) && typeof schema["type"] === "string" ? schema["type"] : "")

function* combinations(choices: readonly (readonly unknown[])[]): Generator<unknown[]> {
  const count = choices.reduce((product, branches) => product * branches.length, 1)
  for (let index = 0; index < Math.min(count, branchTriesMax); index += 1) {
    let rest = index
    yield choices.map((branches) => {
      const branch = branches[rest % branches.length]
      rest = Math.floor(rest / branches.length)
      return branch
    })
  }
}

function makeValue(nodes: readonly SchemaNode[], depth: number, walk: Walk): unknown {
  walk.count.turn += 1
  const constant = nodes.find((node) => Object.hasOwn(node, "const"))
  if (constant) return constant["const"]
  const listed = nodes.filter((node) => Array.isArray(node["enum"])).map((node) => schemasIn(node, "enum"))
  if (listed.length > 0) return pickListed(listed, nodes, walk)
  switch (typeOf(nodes)) {
    case "object":
      return makeObject(nodes, depth, walk)
    case "array":
      return makeArray(nodes, depth, walk)
    case "integer":
      return makeNumber(nodes, "integer", walk.count.turn)
    case "number":
      return makeNumber(nodes, nodes.some((node) => /^u?int/.test(String(node["format"]))) ? "integer" : "number", walk.count.turn)
    case "boolean":
      return true
    case "null":
      return null
    default:
      return makeText(nodes, walk.count.turn, walk.spelling)
  }
}

/** A value that fits; null and the empty text only where there is nothing else. */
function pickListed(lists: readonly (readonly unknown[])[], nodes: readonly SchemaNode[], { reader, count }: Walk): unknown {
  const fitting = (lists[0] ?? []).filter((value) => nodes.every((node) => reader.fits(value, withoutChoices(node))))
  const telling = fitting.filter((value) => value !== null && value !== "")
  const usable = telling.length > 0 ? telling : fitting
  if (usable.length === 0) throw new Unfit("none of the listed values fits")
  return structuredClone(usable[count.turn % usable.length])
}

const typesByLikelihood = ["object", "array", "integer", "number", "string", "boolean", "null"]
const keywordTypes: readonly (readonly [string, string])[] = [
  ["properties", "object"],
  ["additionalProperties", "object"],
  ["items", "array"],
  ["minimum", "number"],
]

function typeOf(nodes: readonly SchemaNode[]): string {
  const named = nodes.filter((node) => node["type"] !== undefined).map((node) => [node["type"]].flat())
  if (named.length === 0)
    return (
      keywordTypes.find(([keyword]) => nodes.some((node) => isRecord(node[keyword]) || typeof node[keyword] === "number"))?.[1] ?? "string"
    )
  const holds = (type: string, types: readonly unknown[]): boolean =>
    types.includes(type) || (type === "integer" && types.includes("number"))
  const [first = []] = named
  const shared = typesByLikelihood
    .filter((type) => first.includes(type) || type === "integer")
    .filter((type) => named.every((types) => holds(type, types)))
  // A number may be whole, but a document that says `number` shows more when it is not.
  const found = shared.find((type) => type !== "integer" || named.some((types) => types.includes("integer")))
  if (found === undefined) throw new Unfit("two types have nothing in common")
  return found
}

function makeObject(nodes: readonly SchemaNode[], depth: number, walk: Walk): Record<string, unknown> {
  if (nodes.some((node) => node["title"] === "ToolFile"))
    return { ...toolFile(Buffer.from(`file ${walk.count.turn}`), "text/plain", "file.txt") }
  const { required, optional } = namesOf(nodes, depth, walk)
  const min = Math.max(0, ...numbersIn(nodes, "minProperties"))
  const max = Math.min(...numbersIn(nodes, "maxProperties"), Number.POSITIVE_INFINITY)
  const value: Record<string, unknown> = {}
  const size = (): number => Object.keys(value).length
  const add = (name: string): void => {
    define(value, name, makeFitting(schemasOf(name, nodes), depth + 1, walk))
    for (const other of nodes.flatMap((node) => schemasIn(mapIn(node, "dependentRequired"), name)))
      if (typeof other === "string") required.add(other)
  }
  const addFitting = (name: string): void => {
    add(name)
    if (schemasOf(name, nodes).every((schema) => !isRecord(schema) || walk.reader.fits(value[name], schema))) return
    delete value[name]
    throw new Unfit("what it says of itself cannot all be true")
  }
  const takesMore = takesOptional(depth, walk)
  if (takesMore) for (const name of optional) if (size() + required.size < max) trial(() => addFitting(name))
  const addRequired = (): void => {
    for (const name of required) if (!Object.hasOwn(value, name)) add(name)
  }
  addRequired()
  // An object without members, like a list without items, is not written at all in a query or a form.
  const least = Math.max(min, depth > 0 && depth < optionalDepthMax ? 1 : 0)
  for (const name of optional) if (size() < Math.min(least, max) && !Object.hasOwn(value, name)) trial(() => add(name))
  addRequired()
  // Of an object that lists nothing, or not enough, the names are free.
  const isFree = takesMore && size() === 0 && nodes.every((node) => node["additionalProperties"] !== false)
  for (let index = 1; size() < Math.max(min, isFree ? 1 : 0); index += 1) add(`key${index}`)
  return value
}

/** A name such as `__proto__` is one like any other. */
const define = (object: object, name: string, value: unknown): void =>
  void Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })

type Names = { readonly required: Set<string>; readonly optional: readonly string[] }

/** What is read-only is not sent; the arguments themselves are all meant to be, whatever their schemas say. */
function namesOf(nodes: readonly SchemaNode[], depth: number, { reader }: Walk): Names {
  const isSent = (name: string): boolean =>
    depth === 0 ||
    !schemasOf(name, nodes).some((schema) => schema !== false && reader.unfold(schema).some((node) => node["readOnly"] === true))
  const listed = nodes.flatMap((node) => schemasIn(node, "required")).filter((name) => typeof name === "string")
  const required = new Set(listed.filter(isSent))
  const named = new Set(nodes.flatMap((node) => Object.keys(mapIn(node, "properties"))))
  return { required, optional: [...named].filter((name) => !required.has(name) && isSent(name)) }
}

const takesOptional = (depth: number, { fill, count }: Walk): boolean =>
  fill === "all" && (depth === 0 || (depth < optionalDepthMax && stepsMax - count.stepsLeft < optionalStepsMax))

/** A name is what each node says of it: by its own schema, or as one that the node does not list. */
function schemasOf(name: string, nodes: readonly SchemaNode[]): unknown[] {
  return nodes.flatMap((node) => {
    const properties = mapIn(node, "properties")
    if (Object.hasOwn(properties, name)) return [properties[name]]
    return node["additionalProperties"] === undefined ? [] : [node["additionalProperties"]]
  })
}

function makeArray(nodes: readonly SchemaNode[], depth: number, walk: Walk): unknown[] {
  const min = Math.max(0, ...numbersIn(nodes, "minItems"))
  const max = Math.min(...numbersIn(nodes, "maxItems"), Number.POSITIVE_INFINITY)
  // A list without items is not written at all in a query, so that even the least has one.
  const count = Math.min(Math.max(min, walk.fill === "all" ? 2 : 1), max)
  const isUnique = nodes.some((node) => node["uniqueItems"] === true)
  const items: unknown[] = []
  for (let tries = 0; items.length < count && tries < count * 4; tries += 1) {
    const schemas = nodes.flatMap((node) => schemasIn(node, "prefixItems")[items.length] ?? node["items"] ?? [])
    const item = makeFitting(schemas, depth + 1, walk)
    if (!isUnique || !items.some((other) => JSON.stringify(other) === JSON.stringify(item))) items.push(item)
  }
  if (items.length < min) throw new Unfit("not enough different items were found")
  return items
}
