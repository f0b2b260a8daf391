// The schema of a tool's arguments as providers of models take it: one plain object, whose properties have names that all of them know.
//
// A provider that refuses the schema of one tool refuses the whole question. What is told to a model may therefore say less
// than the tool's own schema, by which the gate checks every call.
import type { JsonSchema } from "../tool.ts"
import { isRecord } from "./record.ts"
import { partsOf } from "./schema.ts"

export type ModelSchema = {
  readonly schema: JsonSchema
  /** What a property is really called, by the name that the model is told; empty where both are the same. */
  readonly ownNames: Readonly<Record<string, string>>
}

export const toModelSchema = (schema: JsonSchema): ModelSchema => withKnownNames(toPlainObject(schema))

/** OpenAI and Anthropic refuse them at the top of a schema. */
const refusedKeywords = ["anyOf", "oneOf", "allOf", "$ref", "not", "enum", "const", "if", "then", "else"] as const

/** Whatever its parts and alternatives may have is a property of it; what all of them demand is demanded. */
export function toPlainObject(schema: JsonSchema): JsonSchema {
  if (refusedKeywords.every((keyword) => schema[keyword] === undefined)) return { properties: {}, ...schema, type: "object" }
  const definitions = isRecord(schema["$defs"]) ? (schema["$defs"] as Readonly<Record<string, JsonSchema>>) : {} // schemas by name
  const found = new Map<string, unknown[]>()
  for (const part of partsOf(schema, definitions))
    for (const [name, property] of Object.entries(propertiesOf(part))) found.set(name, [...(found.get(name) ?? []), property])
  const required = new Set(partsOf(schema, definitions, ["allOf"]).flatMap(requiredOf))
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([keyword]) => !refusedKeywords.some((refused) => refused === keyword))),
    type: "object",
    properties: Object.fromEntries([...found].map(([name, schemas]) => [name, anyOf(schemas)])),
    ...(required.size === 0 ? {} : { required: [...required] }),
  }
}

function anyOf(schemas: readonly unknown[]): unknown {
  const distinct = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]))
  return distinct.size === 1 ? schemas[0] : { anyOf: [...distinct.values()] }
}

/** Anthropic takes no others. */
const knownName = /^[a-zA-Z0-9_.-]{1,64}$/
const nameCharsMax = 60

function withKnownNames(schema: JsonSchema): ModelSchema {
  const names = Object.keys(propertiesOf(schema))
  if (names.every((name) => knownName.test(name))) return { schema, ownNames: {} }
  const taken = new Set(names.filter((name) => knownName.test(name)))
  const told = new Map(names.map((name) => [name, knownName.test(name) ? name : newName(name, taken)]))
  const toldOf = (name: string): string => told.get(name) ?? name
  return {
    schema: {
      ...schema,
      properties: Object.fromEntries(Object.entries(propertiesOf(schema)).map(([name, property]) => [toldOf(name), property])),
      ...(schema["required"] === undefined ? {} : { required: requiredOf(schema).map(toldOf) }),
    },
    ownNames: Object.fromEntries([...told].flatMap(([name, known]) => (name === known ? [] : [[known, name]]))),
  }
}

/** `filter[status]` is `filter_status`. */
function newName(name: string, taken: Set<string>): string {
  const words = name.replaceAll(/[^a-zA-Z0-9.-]+/g, "_").replaceAll(/^_+|_+$/g, "")
  const known = words.slice(0, nameCharsMax) || "value"
  let free = known
  for (let count = 2; taken.has(free); count += 1) free = `${known}_${count}`
  taken.add(free)
  return free
}

const propertiesOf = ({ properties }: JsonSchema): Readonly<Record<string, unknown>> => (isRecord(properties) ? properties : {})

const requiredOf = ({ required }: JsonSchema): string[] =>
  Array.isArray(required) ? required.filter((name): name is string => typeof name === "string") : []
