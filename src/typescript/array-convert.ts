// Turns the array keywords of a schema into an array or tuple type.
import type { Conversion } from "./conversion.ts"
import type { SchemaKeywords } from "./schema-read.ts"
import { neverType, unknownType } from "./type-node.ts"
import type { TypeNode } from "./type-node.ts"

const tupleItemsMax = 32
/** Arrays of a fixed length up to this one are tuples: coordinates, ranges, colours. */
const fixedLengthMax = 4

export function arrayType(keywords: SchemaKeywords, to: Conversion, depth: number): TypeNode {
  if (keywords.prefixItems !== null) return tupleType(keywords, keywords.prefixItems, to, depth)
  const item = keywords.items === undefined ? unknownType : to.convert(keywords.items, to, depth + 1)
  const length = keywords.minItems !== null && keywords.minItems === keywords.maxItems ? keywords.minItems : 0
  const isFixed = length > 0 && length <= fixedLengthMax && item.kind === "word"
  return isFixed ? { kind: "tuple", items: Array.from({ length }, () => item), required: length, rest: null } : { kind: "array", item }
}

/** A schema's tuple may be shorter than its list unless `minItems` says otherwise, and longer unless something closes it. */
function tupleType(keywords: SchemaKeywords, prefix: readonly unknown[], to: Conversion, depth: number): TypeNode {
  const { minItems, maxItems } = keywords
  const length = Math.min(prefix.length, maxItems ?? prefix.length)
  const items: TypeNode[] = []
  for (const schema of prefix.slice(0, Math.min(length, tupleItemsMax))) {
    if (to.charsLeft < 0) break
    items.push(to.convert(schema, to, depth + 1))
  }
  if (items.length < length) return { kind: "tuple", items, required: Math.min(minItems ?? 0, items.length), rest: unknownType }
  const isClosed = keywords.items === false || (maxItems !== null && maxItems <= length)
  const rest = isClosed ? null : keywords.items === undefined ? unknownType : to.convert(keywords.items, to, depth + 1)
  if (items.length === 0) return { kind: "array", item: rest ?? neverType }
  return { kind: "tuple", items, required: Math.min(minItems ?? 0, items.length), rest }
}
