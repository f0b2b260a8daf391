// Reads schemas for the generator of arguments: a value must fit a list of plain nodes, out of which `$ref` and `allOf` are unfolded.
import { dereference, validate } from "@cfworker/json-schema"
import type { Schema } from "@cfworker/json-schema"
import type { JsonSchema } from "../../src/core/tool.ts"

export type SchemaNode = Readonly<Record<string, unknown>>

/** No value fits, or none that the generator can think of. */
export class Unfit extends Error {
  override readonly name = "Unfit"
}

export type SchemaReader = {
  readonly root: SchemaNode
  /** All nodes that hold for the same value. Alternatives (`oneOf`, `anyOf`) are not among them. */
  unfold(schema: unknown): SchemaNode[]
  fits(value: unknown, node: SchemaNode): boolean
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const schemasIn = (node: SchemaNode, keyword: string): readonly unknown[] => {
  const list = node[keyword]
  return Array.isArray(list) ? list : []
}

export const mapIn = (node: SchemaNode, keyword: string): Record<string, unknown> => {
  const map = node[keyword]
  return isRecord(map) ? map : {}
}

export const numbersIn = (nodes: readonly SchemaNode[], keyword: string): number[] =>
  nodes.map((node) => node[keyword]).filter((value) => typeof value === "number")

export const textsIn = (nodes: readonly SchemaNode[], keyword: string): string[] =>
  nodes.map((node) => node[keyword]).filter((value) => typeof value === "string")

/** Where the generator finds patterns: the validator would stop at one that is not JavaScript's strict kind. */
export const patternKeyword = "x-pattern"

/** How many alternatives of a `oneOf` a value must fit. */
export type Alternatives = "exactly one" | "at least one"

/** `root` refers to `definitions` by `#/$defs/…`; both are copied, because the validator writes into what it reads. Patterns are kept apart for the generator, which checks them by itself. */
export function readSchema(
  root: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  alternatives: Alternatives = "exactly one",
): SchemaReader {
  const plain = withoutPatterns({ ...root, $defs: reachable(root, definitions) })
  const whole = (alternatives === "exactly one" ? plain : withoutOneOf(plain)) as Schema // an object stays one
  const lookup = dereference(whole)

  function unfoldInto(schema: unknown, nodes: Set<SchemaNode>): void {
    if (schema === false) throw new Unfit("nothing is accepted")
    if (!isRecord(schema) || nodes.has(schema)) return
    nodes.add(schema)
    if (typeof schema["$ref"] === "string") unfoldInto(targetOf(schema["$ref"]), nodes)
    for (const part of schemasIn(schema, "allOf")) unfoldInto(part, nodes)
  }

  const targetOf = (ref: string): unknown => mapIn(whole, "$defs")[ref.replace("#/$defs/", "")]

  return {
    root: whole,
    unfold(schema) {
      const nodes = new Set<SchemaNode>()
      unfoldInto(schema, nodes)
      return [...nodes]
    },
    fits: (value, node) => validate(value, node, "2020-12", lookup).valid,
  }
}

function withoutPatterns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPatterns)
  if (!isRecord(value)) return value
  const copy = Object.entries(value).map(([key, member]) =>
    key === "pattern" && typeof member === "string" ? [patternKeyword, plainPattern(member)] : [key, withoutPatterns(member)],
  )
  return Object.fromEntries(copy)
}

function withoutOneOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOneOf)
  if (!isRecord(value)) return value
  const isRenamed = Array.isArray(value["oneOf"]) && value["anyOf"] === undefined
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key === "oneOf" && isRenamed ? "anyOf" : key, withoutOneOf(member)]),
  )
}

/** Some authors write a pattern between slashes, where it would match nothing. */
export const plainPattern = (pattern: string): string => pattern.replace(/^\/(\^.*\$)\/$/s, "$1")

/** A tool's definitions include those of its answers, which may be hundreds. */
function reachable(root: JsonSchema, definitions: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const found: Record<string, JsonSchema> = {}
  const waiting: JsonSchema[] = [root]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [, name = ""] of JSON.stringify(next).matchAll(/"\$ref":"#\/\$defs\/([^"\\]+)"/g)) {
      const definition = definitions[name]
      if (definition === undefined || Object.hasOwn(found, name)) continue
      found[name] = definition
      waiting.push(definition)
    }
  }
  return found
}
