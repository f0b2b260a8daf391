// Writes JSON values as literal types and names as property keys.
import { isUnknown, neverType, nullType, union, unknownType, word } from "./type-node.ts"
import type { PropertyNode, TypeNode } from "./type-node.ts"

/** Longer values are not worth reading as a type. */
const literalCharsMax = 200
/** Objects and lists with more parts than this in all are shown by their kind alone. */
const literalPartsMax = 12

/** The type that has exactly this value, or a wider one where the value is too long or no JSON. */
export function literalType(value: unknown): TypeNode {
  if (typeof value !== "object" || value === null) return scalarLiteral(value)
  const parts = { left: literalPartsMax }
  const type = partType(value, parts)
  if (parts.left >= 0) return type
  return Array.isArray(value) ? { kind: "array", item: unknownType } : { kind: "object", properties: [], rest: { kind: "open" } }
}

function scalarLiteral(value: unknown): TypeNode {
  if (value === null) return nullType
  if (typeof value === "boolean") return word(String(value))
  if (typeof value === "number") return Number.isFinite(value) ? word(String(value)) : word("number")
  if (typeof value === "string") return value.length > literalCharsMax ? word("string") : word(quote(value))
  return unknownType
}

function partType(value: unknown, parts: { left: number }): TypeNode {
  parts.left--
  if (typeof value !== "object" || value === null) return scalarLiteral(value)
  if (parts.left < 0) return unknownType
  if (!Array.isArray(value)) return objectLiteral(value, parts)
  if (value.length === 0) return { kind: "array", item: neverType }
  const items = value.slice(0, literalPartsMax).map((item) => partType(item, parts))
  if (items.length < value.length) parts.left = -1
  return { kind: "tuple", items, required: items.length, rest: null }
}

function objectLiteral(value: object, parts: { left: number }): TypeNode {
  const properties: PropertyNode[] = []
  for (const [name, member] of Object.entries(value)) {
    if (parts.left < 0 || name.length > literalCharsMax) {
      parts.left = -1
      break
    }
    properties.push({ name, type: partType(member, parts), optional: false, doc: null })
  }
  return { kind: "object", properties, rest: { kind: "closed" } }
}

/** The union of the values, or their common base types when there are more than a reader can use. */
export function enumType(values: readonly unknown[], valuesMax: number, charsMax: number): TypeNode {
  const members: TypeNode[] = []
  let chars = 0
  for (const value of values) {
    const member = literalType(value)
    if (isUnknown(member)) return unknownType
    chars += member.kind === "word" ? member.text.length + 3 : literalCharsMax
    if (members.length >= valuesMax || chars > charsMax) return baseOf(values, members)
    members.push(member)
  }
  return union(members)
}

function baseOf(values: readonly unknown[], shown: readonly TypeNode[]): TypeNode {
  const bases = new Set<string>()
  for (const value of values) bases.add(value === null ? "null" : typeof value)
  const names = [...bases]
  if (names.some((name) => !["string", "number", "boolean", "null"].includes(name))) return unknownType
  const examples = shown.slice(0, 5).flatMap((node) => (node.kind === "word" ? [node.text] : []))
  const note = `one of ${values.length}: ${examples.join(", ")}, …`
  return union(names.map((name, index) => word(name, index === 0 ? note : null)))
}

// Everything outside printable ASCII that is no letter or symbol a reader would see as itself: controls,
// invisible and direction-changing characters, lone surrogates. Each stands for itself as an escape.
const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu

const plain = /^[ -~]*$/

export function quote(text: string): string {
  const quoted = JSON.stringify(text)
  return plain.test(quoted) ? quoted : quoted.replace(unseen, escape)
}

const escape = (text: string): string => {
  let escaped = ""
  for (let at = 0; at < text.length; at++) escaped += `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`
  return escaped
}

export function propertyKey(name: string): string {
  return isPlainIdentifier(name) && name !== "__proto__" ? name : quote(name)
}

function isPlainIdentifier(name: string): boolean {
  if (name.length === 0 || name.length > literalCharsMax) return false
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at)
    const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || code === 0x24
    const isDigit = code >= 0x30 && code <= 0x39
    if (!isLetter && !(isDigit && at > 0)) return false
  }
  return true
}
