// Reads what a tool takes out of its input's JSON Schema: names, texts and allowed values, at any depth.
import type { JsonSchema } from "../../core/tool.ts"
import type { IndexedTool } from "../indexed-tool.ts"
import { textLimits } from "../tuning.ts"

type Parameter = IndexedTool["parameters"][number]

/** Deeper ones describe the parts of a thing, and no longer what a tool is for. */
const depthMax = 4
/** Long lists of values are countries and currencies: as a whole they say little. */
const valuesMax = 40
const alternatives = ["oneOf", "anyOf", "allOf"] as const

/** Outer parameters first, so that a limit cuts the innermost. */
export function parametersIn(schema: JsonSchema): Parameter[] {
  const found: Parameter[] = []
  let level: unknown[] = [schema]
  for (let depth = 0; depth < depthMax && level.length > 0 && found.length < textLimits.parametersMax; depth += 1) {
    const next: unknown[] = []
    for (const node of level.slice(0, textLimits.parametersMax)) {
      for (const part of partsOf(node, schema)) {
        for (const [name, property] of Object.entries(record(part["properties"]))) {
          found.push({ name, description: textOf(record(property), schema) })
          next.push(property)
        }
      }
    }
    level = next
  }
  return found
}

/** What may be written at one place: the schema itself, its alternatives, the items of its list. */
function partsOf(node: unknown, root: JsonSchema, depth = 0): Record<string, unknown>[] {
  const schema = resolve(node, root)
  if (depth > depthMax) return []
  const inner = [schema["items"], ...alternatives.flatMap((key) => list(schema[key]))].filter((one) => one !== undefined)
  return [schema, ...inner.flatMap((one) => partsOf(one, root, depth + 1))]
}

function textOf(property: Record<string, unknown>, root: JsonSchema): string {
  const texts: unknown[] = []
  for (const part of partsOf(property, root)) texts.push(part["description"], ...list(part["enum"]).slice(0, valuesMax), part["const"])
  return texts.filter((text) => typeof text === "string").join(" ")
}

/** References within the document; what they do not lead to says nothing. */
function resolve(node: unknown, root: JsonSchema): Record<string, unknown> {
  const schema = record(node)
  const reference = schema["$ref"]
  if (typeof reference !== "string" || !reference.startsWith("#/")) return schema
  const found = reference
    .slice(2)
    .split("/")
    .reduce<unknown>((at, key) => record(at)[key], root)
  return { ...record(found), $ref: undefined }
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
