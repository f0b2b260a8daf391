// Reads what a tool takes out of its input's JSON Schema: names, texts and allowed values, at any depth.
import { isRecord } from "../../core/json/record.ts"
import type { JsonSchema } from "../../core/tool.ts"
import type { IndexedTool } from "../indexed-tool.ts"
import { textLimits } from "../tuning.ts"

type Parameter = IndexedTool["parameters"][number]

/** A definition that the schema refers to and does not have itself. */
export type DefinitionOf = (name: string) => JsonSchema | undefined

/** Deeper ones describe the parts of a thing, and no longer what a tool is for. */
const depthMax = 4
/** Long lists of values are countries and currencies: as a whole they say little. */
const valuesMax = 40
/** Of one tool: schemas, their alternatives and items. */
const partsMax = 2000

/** Outer parameters first, so that a limit cuts the innermost. A definition is read where it is first referred to: another time it would say the same. */
export function parametersIn(schema: JsonSchema, definitionOf: DefinitionOf = () => undefined): Parameter[] {
  const definitions = record(schema["$defs"])
  const read = new Set<string>()
  let partsLeft = partsMax
  const referred = ({ $ref }: Record<string, unknown>): unknown => {
    const name = typeof $ref === "string" ? /^#\/\$defs\/(.+)$/.exec($ref)?.[1] : undefined
    if (name === undefined || read.has(name)) return undefined
    read.add(name)
    return Object.hasOwn(definitions, name) ? definitions[name] : definitionOf(name)
  }
  /** What may be written at one place: the schema itself, what it refers to, its alternatives, the items of its list. */
  const partsOf = (node: unknown): Record<string, unknown>[] => {
    const parts = new Set([record(node)])
    for (const part of parts) {
      for (const inner of [referred(part), part["items"], ...alternativesIn(part)]) {
        if (!isRecord(inner) || partsLeft <= 0) continue
        partsLeft -= 1
        parts.add(inner)
      }
    }
    return [...parts]
  }
  const found: Parameter[] = []
  let level = partsOf(schema)
  for (let depth = 0; depth < depthMax && found.length < textLimits.parametersMax; depth += 1) {
    const next: Record<string, unknown>[] = []
    for (const [name, property] of level.flatMap((part) => Object.entries(record(part["properties"])))) {
      if (found.length >= textLimits.parametersMax) break
      const parts = partsOf(property)
      found.push({ name, description: parts.flatMap(textsOf).join(" ") })
      next.push(...parts)
    }
    level = next
  }
  return found
}

const alternativesIn = (part: Record<string, unknown>): unknown[] => ["oneOf", "anyOf", "allOf"].flatMap((key) => list(part[key]))

const textsOf = (part: Record<string, unknown>): unknown[] =>
  [part["description"], ...list(part["enum"]).slice(0, valuesMax), part["const"]].filter((text) => typeof text === "string")

const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
