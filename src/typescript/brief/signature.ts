// Writes what a tool takes on one line, as deep as its parameters and no deeper.
//
// A signature is read beside others, so that it is cut to the room it has: names of required parameters are kept longest, then
// their types, then the names of optional ones. Names and values are a stranger's: what could not be read as itself on one line is escaped or left out.
import type { JsonSchema } from "../../core/tool.ts"
import type { Conversion } from "../conversion.ts"
import { createDefinitionGraph } from "../definition-graph.ts"
import type { DefinitionLookup, Root } from "../definition-graph.ts"
import { propertyKey } from "../literal-text.ts"
import { convert, convertKeywords } from "../schema-convert.ts"
import { readSchema } from "../schema-read.ts"
import type { ObjectNode, TypeNode } from "../type-node.ts"

export type Parameter = { readonly name: string; readonly type: string; readonly isRequired: boolean }

/** `unnamed`: how many parameters are not listed. `hasAlternatives`: the arguments may have another form than the listed one. */
export type Signature = { readonly parameters: readonly Parameter[]; readonly unnamed: number; readonly hasAlternatives: boolean }

/** More parameters than these are on no line that anybody reads. */
const parametersMax = 40
const nameCharsMax = 60
const typeCharsMax = 48
const literalsMax = 4
/** What may be read of a schema: objects in objects are not followed. */
const conversionCharsMax = 12_000
const referencesFollowedMax = 4

/** The parameters that a tool's input schema names, the required ones first. */
export function readSignature(schema: JsonSchema, definitions: DefinitionLookup): Signature {
  const { picked, left } = pickParameters(schema)
  const to = shallowConversion({ schema, title: "input" }, definitions)
  const objects = objectsOf(convert(picked, to, 0), to)
  const [first] = objects
  if (first === undefined) return { parameters: [], unnamed: left, hasAlternatives: false }
  const shown = first.properties.filter(({ name }) => name.length <= nameCharsMax)
  const parameters = shown.map(({ name, type, optional }) => ({
    name: propertyKey(name),
    type: shallowText(type, to),
    isRequired: !optional,
  }))
  const ordered = [...parameters.filter(({ isRequired }) => isRequired), ...parameters.filter(({ isRequired }) => !isRequired)]
  const kept = ordered.slice(0, parametersMax)
  return { parameters: kept, unnamed: left + first.properties.length - kept.length, hasAlternatives: objects.length > 1 }
}

/** The line, in at most `room` characters, or with the name of one parameter. */
export function signatureText({ parameters, unnamed, hasAlternatives }: Signature, room: number): string {
  const tail = hasAlternatives ? " | …" : ""
  const line = createLine(parameters.length + unnamed, room - tail.length)
  const required = parameters.filter(({ isRequired }) => isRequired)
  const optional = parameters.filter(({ isRequired }) => !isRequired)
  for (const group of [required, optional]) {
    const added = takeWhile(group, ({ name, isRequired }) => line.add(isRequired ? name : `${name}?`))
    const first = line.size() - added.length
    for (const [at, { type }] of added.entries()) if (!line.append(first + at, `: ${type}`)) line.append(first + at, `: ${kindText(type)}`)
  }
  return line.text() + tail
}

type Line = {
  size(): number
  /** False where there is no room for it. */
  add(part: string): boolean
  append(place: number, text: string): boolean
  text(): string
}

/** `total`: how many parts there are; those that are not added are counted at its end. */
function createLine(total: number, room: number): Line {
  const parts: string[] = []
  let chars = "{ ".length
  const endChars = (shown: number): number => (shown === total ? " }".length : `; … ${total - shown} more }`.length)
  return {
    size: () => parts.length,
    add(part) {
      const length = part.length + (parts.length === 0 ? 0 : "; ".length)
      if (parts.length > 0 && chars + length + endChars(parts.length + 1) > room) return false
      parts.push(part)
      chars += length
      return true
    },
    append(place, text) {
      if (chars + text.length + endChars(parts.length) > room) return false
      parts[place] += text
      chars += text.length
      return true
    },
    text() {
      const left = total - parts.length
      const all = left === 0 ? parts : [...parts, parts.length === 0 ? "…" : `… ${left} more`]
      return all.length === 0 ? "{}" : `{ ${all.join("; ")} }`
    },
  }
}

function takeWhile<T>(items: readonly T[], isTaken: (item: T) => boolean): readonly T[] {
  const end = items.findIndex((item) => !isTaken(item))
  return end === -1 ? items : items.slice(0, end)
}

/** Of a schema with thousands of properties only those are converted that may be shown: the required ones, then the first. */
function pickParameters(schema: JsonSchema): { readonly picked: JsonSchema; readonly left: number } {
  const keywords = readSchema(schema)
  if (keywords?.properties === null || keywords?.properties === undefined) return { picked: schema, left: 0 }
  const { properties, required } = keywords
  const names = Object.keys(properties)
  if (names.length <= parametersMax) return { picked: schema, left: 0 }
  const wanted = new Set(required.slice(0, parametersMax).filter((name) => Object.hasOwn(properties, name)))
  for (const name of names) if (wanted.size < parametersMax) wanted.add(name)
  const chosen = Object.fromEntries([...wanted].map((name) => [name, properties[name]]))
  // What is required and not chosen is not to be added as a parameter that nobody declared.
  return {
    picked: { ...schema, properties: chosen, required: required.filter((name) => wanted.has(name)) },
    left: names.length - wanted.size,
  }
}

const shallowConversion = (root: Root, definitions: DefinitionLookup): Conversion => ({
  graph: createDefinitionGraph(definitions),
  root,
  context: [],
  comments: "none",
  depthMax: 3,
  enumValuesMax: literalsMax * 4,
  record: null,
  charsLeft: conversionCharsMax,
  convert,
  convertKeywords,
})

/** The forms that the arguments may have. */
function objectsOf(node: TypeNode, to: Conversion): ObjectNode[] {
  const found: ObjectNode[] = []
  const queue = [followed(node, to)]
  for (const one of queue) {
    if (one.kind === "object") found.push(one)
    else if (one.kind === "union" && queue.length < parametersMax)
      queue.push(...one.members.slice(0, parametersMax).map((member) => followed(member, to)))
    else if (one.kind === "intersection") found.push(...one.members.filter((member): member is ObjectNode => member.kind === "object"))
  }
  return found
}

/** What a name stands for, and a name of a name. */
function followed(node: TypeNode, to: Conversion): TypeNode {
  let here = node
  for (let steps = 0; here.kind === "reference" && steps < referencesFollowedMax; steps += 1) {
    const inside = { ...to, root: here.to.root }
    here = convert(here.to.schema, inside, 1)
    // All of them share one budget, so that many names of large objects cost no more than one.
    to.charsLeft = inside.charsLeft
  }
  return here
}

/** A parameter's type without what is inside of objects. */
function shallowText(node: TypeNode, to: Conversion): string {
  const text = typeText(node, to, 0)
  return text.length <= typeCharsMax ? text : kindText(text)
}

function typeText(node: TypeNode, to: Conversion, depth: number): string {
  const here = followed(node, to)
  switch (here.kind) {
    case "word":
      return wordText(here.text)
    case "union":
      return unionText(here.members, to, depth)
    case "array":
      return depth > 2 ? "array" : `${wrapped(typeText(here.item, to, depth + 1))}[]`
    case "tuple":
      return "array"
    case "object":
    case "intersection":
    case "reference":
      return "object"
  }
}

function unionText(members: readonly TypeNode[], to: Conversion, depth: number): string {
  const texts = [...new Set(members.slice(0, literalsMax * 4).map((member) => (depth > 2 ? "unknown" : typeText(member, to, depth + 1))))]
  const shown = texts.length > literalsMax ? [...texts.slice(0, literalsMax - 1), "…"] : texts
  return shown.join(" | ")
}

/** Of values, those that are plain words: any other text is the upstream's own and not a type. */
function wordText(text: string): string {
  if (text.startsWith('"')) return plainLiteral.test(text) ? `'${text.slice(1, -1)}'` : "string"
  if (text.startsWith("Record<")) return "object"
  return text === "unknown[]" ? "array" : text
}

const plainLiteral = /^"[\w.:/+-]{1,24}"$/

const wrapped = (text: string): string => (text.includes(" ") ? `(${text})` : text)

/** What is left of a type that is too long for a line: the kinds of its values. */
function kindText(text: string): string {
  const kinds = new Set(text.split(" | ").map((part) => (part.startsWith("'") ? "string" : part)))
  kinds.delete("…")
  const joined = [...kinds].join(" | ")
  return joined.length <= typeCharsMax ? joined : "unknown"
}
