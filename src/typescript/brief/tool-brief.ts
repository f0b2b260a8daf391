// Prints of a tool's types what a caller needs first: the arguments whole, the result one level deep.
//
// What the result is made of further down has names, by which it is printed when it is asked for. A name is taken when it is
// first met, so that both functions meet the definitions in the same order.
import { defaultLimits } from "../../core/limits.ts"
import type { Limits } from "../../core/limits.ts"
import { breakCycles } from "../cycle-break.ts"
import { convertReached, convertWithin } from "../definition-convert.ts"
import type { Fitted, Source, TypeLimits } from "../definition-convert.ts"
import { createDefinitionGraph } from "../definition-graph.ts"
import type { Definition, DefinitionGraph, Root } from "../definition-graph.ts"
import { definitionText, previewLimits, rootText } from "../tool-types.ts"
import type { Printed, ToolTypes, ToolTypesInput } from "../tool-types.ts"
import { collectReferences, union, word } from "../type-node.ts"
import type { TypeNode } from "../type-node.ts"
import { typeText } from "../type-text.ts"

/** `more`: the definitions that are named and not shown, or not as a whole. */
export type ToolBrief = ToolTypes & { readonly more: readonly string[] }

/** The name under which the whole result is asked for. */
const wholeOutput = "output"

/** What the result may take, as it is and by the definitions that it consists of. */
const outputCharsMax = 1800
const moreMax = 40

export function printToolBrief(input: ToolTypesInput, limits: Limits = defaultLimits): ToolBrief {
  const { graph, within, taken, given, ofInput } = start(input, limits)
  const shown = new Map(ofInput.map((definition) => [definition, definitionText(definition)]))
  // A result that is only the name of a definition, or a list of them, is shown by that.
  const named = isMadeOfNames(given.type) ? referencesOf([given.type]).filter((definition) => !shown.has(definition)) : []
  const types = [given.type]
  const cut: Definition[] = []
  for (const definition of named) {
    const { schema, root, sourceName } = definition
    const { type, isCut } = fitted({ schema, root, subject: sourceName }, Math.floor(outputCharsMax / named.length), graph, within)
    types.push(type)
    if (isCut) cut.push(definition)
    shown.set(definition, typeText(type))
  }
  const more = [...cut, ...referencesOf(types).filter((definition) => !shown.has(definition))]
  const names = more.map(({ name }) => name).slice(0, moreMax)
  return {
    inputTypeScript: rootText(taken, ofInput),
    outputTypeScript: rootText(given, ofInput),
    typeScriptDefinitions: Object.fromEntries([...shown].map(([definition, text]) => [definition.name, text])),
    more: given.isCut ? [wholeOutput, ...names] : names,
  }
}

/** Definitions that are not found are missing in the answer, which names those that are next to what it shows. */
export function printDefinitions(
  input: ToolTypesInput,
  wanted: readonly string[],
  limits: Limits = defaultLimits,
): Pick<ToolBrief, "typeScriptDefinitions" | "more"> {
  const { graph, within, taken, given, ofInput, output } = start(input, limits)
  const charsMax = Math.floor(limits.previewCharsMax / (2 * wanted.length))
  const texts = new Map<string, string>()
  const types: TypeNode[] = []
  if (wanted.includes(wholeOutput)) {
    const { type } = convertWithin(
      { schema: output.schema, root: output, subject: "", comments: "sentences and facts" },
      charsMax,
      graph,
      within,
    )
    texts.set(wholeOutput, typeText(type))
    types.push(type)
  }
  for (const definition of findNamed(new Set([...referencesOf([taken.type, given.type]), ...ofInput]), wanted, graph, within)) {
    const { type } = convertedWithin(definition, charsMax, graph, within)
    texts.set(definition.name, typeText(type))
    types.push(type)
  }
  const more = referencesOf(types)
    .map(({ name }) => name)
    .filter((name) => !texts.has(name))
  return { typeScriptDefinitions: Object.fromEntries(texts), more: more.slice(0, moreMax) }
}

type Started = {
  readonly graph: DefinitionGraph
  readonly within: TypeLimits
  readonly taken: Printed
  readonly given: Printed & { readonly isCut: boolean }
  readonly ofInput: readonly Definition[]
  readonly output: Root
}

/** What both have in common: the roots, and the definitions of the arguments. */
function start(input: ToolTypesInput, limits: Limits): Started {
  const within = previewLimits(limits, input.memo ?? null)
  const graph = createDefinitionGraph(input.definitions)
  const root: Root = { schema: input.inputSchema, title: "input root" }
  const output: Root = { schema: input.outputSchema ?? true, title: "output root" }
  const source: Source = { schema: root.schema, root, subject: "", comments: "sentences and facts" }
  const taken = { root, ...convertWithin(source, limits.previewCharsMax / 2, graph, within) }
  const given = { root: output, ...fitted({ schema: output.schema, root: output, subject: "" }, outputCharsMax, graph, within) }
  const definitionsCharsMax = limits.previewCharsMax / 2
  const ofInput = breakCycles(convertReached(new Set(referencesOf([taken.type])), graph, { ...within, definitionsCharsMax }), graph)
  return { graph, within, taken, given, ofInput, output }
}

const convertedWithin = ({ schema, root, sourceName }: Definition, charsMax: number, graph: DefinitionGraph, within: TypeLimits) =>
  convertWithin({ schema, root, subject: sourceName, comments: "sentences and facts" }, charsMax, graph, within)

/** Breadth first from what the types name, until all are found or there are no others. */
function findNamed(reached: Set<Definition>, wanted: readonly string[], graph: DefinitionGraph, within: TypeLimits): Definition[] {
  const names = new Set(wanted)
  const found = new Set<Definition>()
  for (const definition of reached) {
    if (names.has(definition.name)) found.add(definition)
    if (found.size === names.size) break
    collectReferences(convertedWithin(definition, within.definitionCharsMax, graph, within).type, reached)
  }
  return [...found]
}

/** As much of a type as fits: whole, else without what is inside of its objects, each with as many comments as possible. */
function fitted(
  source: Omit<Source, "comments">,
  charsMax: number,
  graph: DefinitionGraph,
  within: TypeLimits,
): Fitted & { readonly isCut: boolean } {
  const tried = commentsTried.map((comments) => convertWithin({ ...source, comments }, within.definitionCharsMax, graph, within))
  for (const cut of [(type: TypeNode) => type, shallow])
    for (const { type, chars } of tried) {
      const shown = cut(type)
      if (JSON.stringify(typeText(shown)).length <= charsMax) return { type: shown, chars, isCut: shown !== type || isOutlined(shown) }
    }
  return { ...convertWithin({ ...source, comments: "none" }, charsMax * 0.9, graph, within), isCut: true }
}

const commentsTried = ["sentences and facts", "facts", "none"] as const

/** By the comments that stand in place of what is too long or too deep. */
const isOutlined = (type: TypeNode): boolean => /\/\* (?:not shown|\d+ more) \*\//.test(typeText(type))

/** The properties of an object, and of a list of objects, with what they hold as `object`. */
function shallow(type: TypeNode): TypeNode {
  switch (type.kind) {
    case "object":
      return { ...type, properties: type.properties.map((property) => ({ ...property, type: collapsed(property.type) })) }
    case "array":
      return { kind: "array", item: shallow(type.item) }
    case "union":
    case "intersection":
      return { kind: type.kind, members: type.members.map(shallow) }
    case "word":
    case "reference":
    case "tuple":
      return type
  }
}

function collapsed(type: TypeNode): TypeNode {
  switch (type.kind) {
    case "object":
    case "intersection":
      return word("object")
    case "array":
      return { kind: "array", item: collapsed(type.item) }
    case "tuple":
      return word("unknown[]")
    case "union":
      return union(type.members.map(collapsed))
    case "word":
    case "reference":
      return type
  }
}

function referencesOf(types: readonly TypeNode[]): Definition[] {
  const references = new Set<Definition>()
  for (const type of types) collectReferences(type, references)
  return [...references]
}

function isMadeOfNames(type: TypeNode): boolean {
  switch (type.kind) {
    case "word":
    case "reference":
      return true
    case "union":
    case "intersection":
      return type.members.every(isMadeOfNames)
    case "array":
      return isMadeOfNames(type.item)
    case "tuple":
    case "object":
      return false
  }
}
