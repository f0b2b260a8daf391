// The small tree of TypeScript types between a JSON Schema and its text, with the rules that keep it simple.
import type { Definition } from "./definition-graph.ts"

export type TypeNode =
  /** A keyword or a literal; `note` becomes a comment behind it. */
  | { readonly kind: "word"; readonly text: string; readonly note: string | null }
  | { readonly kind: "reference"; readonly to: Definition }
  | { readonly kind: "union"; readonly members: readonly TypeNode[] }
  | { readonly kind: "intersection"; readonly members: readonly TypeNode[] }
  | { readonly kind: "array"; readonly item: TypeNode }
  /** The first `required` items must be there; `rest` is the type of what follows the listed ones. */
  | { readonly kind: "tuple"; readonly items: readonly TypeNode[]; readonly required: number; readonly rest: TypeNode | null }
  | ObjectNode

export type ObjectNode = { readonly kind: "object"; readonly properties: readonly PropertyNode[]; readonly rest: Rest }

export type PropertyNode = {
  readonly name: string
  readonly type: TypeNode
  readonly optional: boolean
  readonly doc: string | null
}

/**
 * What other properties an object may have. `open` and `closed` print alike beside properties, because
 * TypeScript's objects are open; only `indexed` says something about the others.
 */
export type Rest =
  | { readonly kind: "open" }
  | { readonly kind: "closed" }
  | { readonly kind: "indexed"; readonly type: TypeNode; readonly keys: readonly string[] | null }

/** A note that would end its own comment is dropped. */
export const word = (text: string, note: string | null = null): TypeNode => ({
  kind: "word",
  text,
  note: note?.includes("*/") ? null : note,
})
export const unknownType = word("unknown")
export const neverType = word("never")
export const nullType = word("null")

export const isWord = (node: TypeNode, text: string): boolean => node.kind === "word" && node.text === text
export const isUnknown = (node: TypeNode): boolean => isWord(node, "unknown")

const plainWords: ReadonlySet<string> = new Set(["string", "number", "boolean"])

/** A union without nesting and duplicates, `null` last. */
export function union(members: readonly TypeNode[]): TypeNode {
  const [first, second] = members
  // Most unions are one type or null, and need no sorting out.
  if (members.length === 2 && first?.kind === "word" && plainWords.has(first.text) && second === nullType) return { kind: "union", members }
  const kept = new Map<unknown, TypeNode>()
  let hasNull = false
  for (const member of members.flatMap((node) => (node.kind === "union" ? node.members : [node]))) {
    if (isUnknown(member)) return member
    if (isWord(member, "never")) continue
    if (isWord(member, "null")) hasNull = true
    else kept.set(identity(member), member)
  }
  const distinct = [...kept.values()]
  if (hasNull) distinct.push(nullType)
  const [only] = distinct
  if (only === undefined) return neverType
  return distinct.length === 1 ? only : { kind: "union", members: distinct }
}

/** An intersection in which plain objects are one object and members that say nothing are left out. */
export function intersection(members: readonly TypeNode[]): TypeNode {
  const kept = new Map<unknown, TypeNode>()
  const objects: ObjectNode[] = []
  for (const member of members.flatMap((node) => (node.kind === "intersection" ? node.members : [node]))) {
    if (isWord(member, "never")) return neverType
    if (isUnknown(member)) continue
    if (member.kind === "object" && member.rest.kind !== "indexed") objects.push(member)
    else kept.set(identity(member), member)
  }
  const others = [...kept.values()].filter((node, _index, all) => !isImplied(node, all))
  const object = mergeObjects(objects)
  // An object without properties says no more than whatever stands beside it.
  if (object !== null && (object.properties.length > 0 || others.length === 0)) others.push(object)
  const [only] = others
  if (only === undefined) return unknownType
  return others.length === 1 ? only : { kind: "intersection", members: others }
}

/** All objects at once: a property that several have must fit each of them. */
function mergeObjects(objects: readonly ObjectNode[]): ObjectNode | null {
  const [first] = objects
  if (first === undefined || objects.length === 1) return first ?? null
  const properties = new Map<string, PropertyNode>()
  for (const property of objects.flatMap((object) => object.properties)) {
    const other = properties.get(property.name)
    properties.set(property.name, other === undefined ? property : mergeProperties(other, property))
  }
  const isClosed = objects.every((object) => object.rest.kind === "closed")
  return { kind: "object", properties: [...properties.values()], rest: { kind: isClosed ? "closed" : "open" } }
}

const mergeProperties = (left: PropertyNode, right: PropertyNode): PropertyNode => ({
  name: left.name,
  type: intersection([left.type, right.type]),
  optional: left.optional && right.optional,
  doc: left.doc ?? right.doc,
})

/** Equal words and references are the same member; other nodes are only themselves. */
const identity = (node: TypeNode): unknown => (node.kind === "word" ? node.text : node.kind === "reference" ? node.to : node)

/** `string` says nothing beside `"a" | "b"`. */
function isImplied(node: TypeNode, all: readonly TypeNode[]): boolean {
  if (node.kind !== "word") return false
  return all.some((other) => {
    if (other === node) return false
    const literals = other.kind === "union" ? other.members : [other]
    return literals.every((literal) => literal.kind === "word" && literalBase(literal.text) === node.text)
  })
}

function literalBase(text: string): "string" | "number" | "boolean" | null {
  const first = text.charCodeAt(0)
  if (first === 0x22) return "string"
  if (first === 0x2d || (first >= 0x30 && first <= 0x39)) return "number"
  return text === "true" || text === "false" ? "boolean" : null
}

/** The same type with other references. What has none in it stays the same object. */
export function mapReferences(node: TypeNode, change: (to: Definition) => TypeNode): TypeNode {
  const map = (inner: TypeNode): TypeNode => mapReferences(inner, change)
  switch (node.kind) {
    case "word":
      return node
    case "reference":
      return change(node.to)
    case "union":
    case "intersection": {
      const members = mapAll(node.members, map)
      return members === node.members ? node : { kind: node.kind, members }
    }
    case "array": {
      const item = map(node.item)
      return item === node.item ? node : { kind: "array", item }
    }
    case "tuple":
      return { ...node, items: mapAll(node.items, map), rest: node.rest === null ? null : map(node.rest) }
    case "object": {
      const properties = mapAll(node.properties, (property) => {
        const type = map(property.type)
        return type === property.type ? property : { ...property, type }
      })
      const rest: Rest = node.rest.kind === "indexed" ? { ...node.rest, type: map(node.rest.type) } : node.rest
      return properties === node.properties && rest === node.rest ? node : { kind: "object", properties, rest }
    }
  }
}

function mapAll<T>(members: readonly T[], map: (member: T) => T): readonly T[] {
  const mapped = members.map(map)
  return mapped.every((member, at) => member === members[at]) ? members : mapped
}

/** Adds the definitions that a type names, in the order of its text. */
export function collectReferences(node: TypeNode, into: Set<Definition>): void {
  switch (node.kind) {
    case "word":
      return
    case "reference":
      into.add(node.to)
      return
    case "union":
    case "intersection":
      for (const member of node.members) collectReferences(member, into)
      return
    case "array":
      collectReferences(node.item, into)
      return
    case "tuple":
      for (const item of node.items) collectReferences(item, into)
      if (node.rest !== null) collectReferences(node.rest, into)
      return
    case "object":
      for (const property of node.properties) collectReferences(property.type, into)
      if (node.rest.kind === "indexed") collectReferences(node.rest.type, into)
  }
}
