// Says which bound or format of a schema a value breaks.
import { showValue } from "./issue-text.ts"
import type { SchemaNode } from "./schema-node.ts"
import { formatComplaint } from "./text-format.ts"

export type Bounds = Omit<SchemaNode, "cost">

export function boundComplaint(keyword: string, node: Bounds, found: unknown): string {
  switch (keyword) {
    case "minimum":
      return `must be at least ${node.minimum}, got ${showValue(found)}`
    case "maximum":
      return `must be at most ${node.maximum}, got ${showValue(found)}`
    case "exclusiveMinimum":
      return `must be more than ${node.exclusiveMinimum}, got ${showValue(found)}`
    case "exclusiveMaximum":
      return `must be less than ${node.exclusiveMaximum}, got ${showValue(found)}`
    case "multipleOf":
      return `must be a multiple of ${node.multipleOf}, got ${showValue(found)}`
    case "minLength":
      return `must have at least ${counted(node.minLength, "character")}, got ${countIn(found)}`
    case "maxLength":
      return `must have at most ${counted(node.maxLength, "character")}, got ${countIn(found)}`
    case "minItems":
      return `must have at least ${counted(node.minItems, "item")}, got ${countIn(found)}`
    case "maxItems":
      return `must have at most ${counted(node.maxItems, "item")}, got ${countIn(found)}`
    case "minProperties":
      return `must have at least ${counted(node.minProperties, "property", "properties")}, got ${countIn(found)}`
    case "maxProperties":
      return `must have at most ${counted(node.maxProperties, "property", "properties")}, got ${countIn(found)}`
    case "format":
      return node.textFormat === undefined ? "does not have the format of the tool's schema" : formatComplaint(node.textFormat, found)
    case "uniqueItems":
      return "must not have the same item twice"
    case "contains":
    case "minContains":
      return `must have at least ${counted(node.minContains ?? 1, "item")} of the kind that the schema asks for`
    case "maxContains":
      return `must have at most ${counted(node.maxContains, "item")} of the kind that the schema limits`
    default:
      return "does not match the tool's schema"
  }
}

const counted = (count: number | undefined, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

function countIn(found: unknown): number {
  if (typeof found === "string") return charactersIn(found)
  if (Array.isArray(found)) return found.length
  return typeof found === "object" && found !== null ? Object.keys(found).length : 0
}

/** As schemas count them: what takes two units of a text is one character. */
function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
