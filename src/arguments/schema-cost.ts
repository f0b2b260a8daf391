// Computes what a visit of the validator to a node costs, in steps of the meter.
import { countValues } from "./schema-keyword.ts"
import type { SchemaNode, VisitCost } from "./schema-node.ts"

/** `child`: applied to a value inside the parent's; `same`: applied to the same value as the parent. */
export type Place = "child" | "same"

/** Looking through this many entries of a list costs a step. */
const entriesPerStep = 16
/** Alternatives that are plain `true` are visited without being charged. */
const branchesPerStep = 1
/** Each required name that is missing becomes an error. */
const demandsPerStep = 8

const sameValue = ["$ref", "allOf", "anyOf", "not", "if", "dependentSchemas", "contains"] as const
const forObjects = [
  "properties",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "required",
  "dependentRequired",
] as const

export function costOf(node: SchemaNode, place: Place): VisitCost {
  const isLeaf = place === "child" && isNone(node, sameValue) && isNone(node, forObjects)
  const branches = (node.allOf?.length ?? 0) + (node.anyOf?.length ?? 0) + (node.prefixItems?.length ?? 0)
  const entries =
    (node.enum === undefined ? 0 : countValues(node.enum)) +
    (node.const === undefined ? 0 : countValues(node.const)) +
    countKeys(node.dependentSchemas) +
    countKeys(node.dependentRequired)
  const demands = Object.values(node.dependentRequired ?? {}).reduce((sum, names) => sum + names.length, node.required?.length ?? 0)
  return {
    steps: 1 + Math.floor(branches / branchesPerStep + demands / demandsPerStep + entries / entriesPerStep),
    readsKeys: !isLeaf,
    readsText: node.minLength !== undefined || node.maxLength !== undefined,
    readsPairs: false,
    uncounted: node.properties ?? null,
  }
}

function isNone(node: SchemaNode, keywords: readonly (keyof SchemaNode)[]): boolean {
  for (const keyword of keywords) if (node[keyword] !== undefined) return false
  return true
}

const countKeys = (map: object | undefined): number => (map === undefined ? 0 : Object.keys(map).length)
