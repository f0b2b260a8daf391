// Finds the places that an error of the validator points to: in the schema, and in the arguments.
import { pathInto } from "./issue-text.ts"
import type { SchemaNode, SubSchema } from "./schema-node.ts"
import type { SchemaDocument } from "./schema-sanitise.ts"

export type SchemaPlace = {
  /** The node whose keyword failed. */
  readonly node: SchemaNode
  /** The node above it and the keyword that led down; null at the root. */
  readonly from: { readonly node: SchemaNode; readonly keyword: string } | null
  /** Below `contains` failures are part of the search, not of the answer. */
  readonly isSearch: boolean
}

export type ArgsPlace = { readonly path: string; readonly value: unknown; readonly step: string | number | null }

const mapKeywords = new Set(["properties", "dependentSchemas"])
const listKeywords = new Set(["allOf", "anyOf", "prefixItems"])

/** `#/properties/items/items/$ref/required` → the node that has `required`; null when it is not ours. */
export function schemaPlace(location: string, document: SchemaDocument): SchemaPlace | null {
  const steps = location.split("/").slice(1)
  let schema: SubSchema | undefined = document.root
  let from: SchemaPlace["from"] = null
  let isSearch = false
  for (let index = 0; index < steps.length - 1; index++) {
    if (schema === undefined || schema === true) return null
    const keyword = steps[index] ?? ""
    const takesStep: boolean = mapKeywords.has(keyword) || listKeywords.has(keyword)
    if (takesStep && index === steps.length - 2) break
    from = { node: schema, keyword }
    isSearch ||= keyword === "contains"
    schema = schemaBelow(schema, keyword, takesStep ? decodeStep(steps[++index] ?? "") : "", document)
  }
  return schema === undefined || schema === true ? null : { node: schema, from, isSearch }
}

function schemaBelow(node: SchemaNode, keyword: string, step: string, document: SchemaDocument): SubSchema | undefined {
  switch (keyword) {
    case "$ref":
      return node.$ref === undefined ? undefined : document.built.get(node.$ref)
    case "properties":
    case "dependentSchemas":
      return node[keyword]?.[step]
    case "allOf":
    case "anyOf":
    case "prefixItems":
      return node[keyword]?.[Number(step)]
    case "additionalProperties":
    case "unevaluatedProperties":
    case "propertyNames":
    case "items":
    case "unevaluatedItems":
    case "contains":
    case "not":
    case "if":
    case "then":
    case "else":
      return node[keyword]
    default:
      return undefined
  }
}

/** `#/items/2/name` → the value there and its path `items[2].name`. */
export function argsPlace(location: string, args: unknown): ArgsPlace {
  let value = args
  let path = ""
  let step: string | number | null = null
  for (const raw of location.split("/").slice(1)) {
    const name = decodeStep(raw)
    step = Array.isArray(value) ? Number(name) : name
    path = pathInto(path, step)
    value = typeof value === "object" && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined // an own property, whatever the object is
  }
  return { path, value, step }
}

const decodeStep = (step: string): string => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")
