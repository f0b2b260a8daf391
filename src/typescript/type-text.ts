// Writes a type as text: on one line where it fits, else one property a line.
import { propertyKey, quote } from "./literal-text.ts"
import { isUnknown } from "./type-node.ts"
import type { ObjectNode, PropertyNode, Rest, TypeNode } from "./type-node.ts"
import { narrowed } from "./type-width.ts"

const lineCharsMax = 90

/** Where a type stands decides whether it needs parentheses. */
type Place = "top" | "member of a union" | "member of an intersection" | "item"

/** `indent`: the spaces in front of the line on which the type begins. */
export function typeText(node: TypeNode, indent = ""): string {
  return textAt(node, indent, "top")
}

/** The text on one line; null when it would be longer than `room`, or has comments. */
export const flatText = (node: TypeNode, room: number): string | null => flatAt(node, "top", room)

function textAt(node: TypeNode, indent: string, place: Place): string {
  const flat = flatAt(node, place, lineCharsMax - Math.min(indent.length, lineCharsMax / 2))
  if (flat !== null) return flat
  switch (node.kind) {
    case "word":
      return wordText(node.text, node.note)
    case "reference":
      return node.to.name
    case "union":
      return wrapped(node.members.map((member) => textAt(member, indent, "member of a union")).join(" | "), place !== "top")
    case "intersection": {
      const members = narrowed(node.members)
      if (members.length === 1 && members[0] !== undefined) return textAt(members[0], indent, place)
      return wrapped(members.map((member) => textAt(member, indent, "member of an intersection")).join(" & "), place === "item")
    }
    case "array":
      return `${textAt(node.item, indent, "item")}[]`
    case "tuple":
      return tupleText(node, (item, at) => textAt(item, indent, at))
    case "object":
  }
  return objectText(node, indent)
}

/** Stops as soon as the room is used up, so that trying costs no more than the line is long. */
function flatAt(node: TypeNode, place: Place, room: number): string | null {
  switch (node.kind) {
    case "word":
      return fitting(wordText(node.text, node.note), room)
    case "reference":
      return fitting(node.to.name, room)
    case "union":
      return flatMembers(node.members, " | ", "member of a union", place !== "top", room)
    case "intersection": {
      const members = narrowed(node.members)
      if (members.length === 1 && members[0] !== undefined) return flatAt(members[0], place, room)
      return flatMembers(members, " & ", "member of an intersection", place === "item", room)
    }
    case "array": {
      const item = flatAt(node.item, "item", room - 2)
      return item === null ? null : `${item}[]`
    }
    case "tuple":
      return flatTuple(node, room)
    case "object":
  }
  return flatObject(node, room)
}

function flatMembers(members: readonly TypeNode[], separator: string, place: Place, parenthesised: boolean, room: number): string | null {
  let text = ""
  for (const member of members) {
    const next = flatAt(member, place, room - text.length)
    if (next === null) return null
    text += text === "" ? next : separator + next
    if (text.length > room) return null
  }
  return wrapped(text, parenthesised)
}

type TupleNode = Extract<TypeNode, { kind: "tuple" }>

function flatTuple(node: TupleNode, room: number): string | null {
  let fits = true
  let left = room
  const text = tupleText(node, (item, place) => {
    const flat = left > 0 ? flatAt(item, place, left) : null
    if (flat === null) fits = false
    left -= (flat ?? "").length + 2
    return flat ?? ""
  })
  return fits && text.length <= room ? text : null
}

function tupleText(node: TupleNode, itemText: (item: TypeNode, place: Place) => string): string {
  const items = node.items.map((item, at) => (at < node.required ? itemText(item, "top") : `${itemText(item, "item")}?`))
  if (node.rest !== null) items.push(`...${itemText(node.rest, "item")}[]`)
  return `[${items.join(", ")}]`
}

function flatObject(node: ObjectNode, room: number): string | null {
  if (node.properties.length === 0 && node.rest.kind !== "indexed") return emptyObject(node.rest)
  let text = "{"
  for (const property of node.properties) {
    if (property.doc !== null) return null
    const type = flatAt(property.type, "top", room - text.length)
    if (type === null) return null
    text += `${text === "{" ? " " : "; "}${propertyKey(property.name)}${property.optional ? "?" : ""}: ${type}`
    if (text.length > room) return null
  }
  if (node.rest.kind !== "indexed") return `${text} }`
  const index = flatAt(node.rest.type, "top", room - text.length)
  if (index === null) return null
  if (node.properties.length === 0 && node.rest.keys === null && isUnknown(node.rest.type) && index === "unknown")
    return "Record<string, unknown>"
  return fitting(`${text}${text === "{" ? " " : "; "}${indexKey(node.rest.keys)}: ${index} }`, room)
}

function objectText(node: ObjectNode, indent: string): string {
  const inner = `${indent}  `
  let text = "{\n"
  for (const property of node.properties) text += propertyText(property, inner)
  if (node.rest.kind === "indexed") text += `${inner}${indexKey(node.rest.keys)}: ${textAt(node.rest.type, inner, "top")};\n`
  return `${text}${indent}}`
}

function propertyText(property: PropertyNode, indent: string): string {
  const doc = property.doc === null ? "" : `${indent}/** ${property.doc} */\n`
  return `${doc}${indent}${propertyKey(property.name)}${property.optional ? "?" : ""}: ${textAt(property.type, indent, "top")};\n`
}

/** Keys that are known one by one are a mapped type, whose properties are all optional. */
const indexKey = (keys: readonly string[] | null): string => (keys === null ? "[key: string]" : `[key in ${keys.map(quote).join(" | ")}]?`)

const emptyObject = (rest: Rest): string => (rest.kind === "closed" ? "Record<string, never>" : "Record<string, unknown>")

const wordText = (text: string, note: string | null): string => (note === null ? text : `${text} /* ${note} */`)

const fitting = (text: string, room: number): string | null => (text.length <= room ? text : null)

const wrapped = (text: string, parenthesised: boolean): string => (parenthesised ? `(${text})` : text)
