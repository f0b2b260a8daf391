// Prints a set of tools as an interface of nested methods, followed by the definitions that they reach.
import type { Owner } from "../core/address.ts"
import type { Limits } from "../core/limits.ts"
import type { JsonText } from "../core/tool.ts"
import { branchAt, createBranch, memberKey, sortedChildren } from "./catalog-tree.ts"
import type { Branch } from "./catalog-tree.ts"
import { commentSafe, sentenceOf } from "./comment-text.ts"
import { breakInSteps } from "./cycle-break.ts"
import { convertInSteps, convertWithin } from "./definition-convert.ts"
import type { TypeLimits } from "./definition-convert.ts"
import { createDefinitionGraph } from "./definition-graph.ts"
import type { Definition, DefinitionGraph } from "./definition-graph.ts"
import type { Names } from "./definition-names.ts"
import { collectReferences } from "./type-node.ts"
import type { TypeNode } from "./type-node.ts"
import { typeText } from "./type-text.ts"

export type CatalogConnection = { readonly owner: Owner; readonly connection: string }

export type CatalogTool = {
  /** Dotted, as in its address. */
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly deprecated: boolean
  readonly inputSchema: JsonText
  readonly outputSchema: JsonText | null
}

export type CatalogToolSet = {
  /** Empty for static tools, which stand directly behind the slug. */
  readonly connections: readonly CatalogConnection[]
  readonly tools: readonly CatalogTool[]
  readonly definitions: ReadonlyMap<string, JsonText> | ((name: string) => JsonText | undefined)
}

/** `type`: how the interface of the set is referred to from outside its namespace. */
export type PrintedSet = { readonly toolSet: CatalogToolSet; readonly type: string }

/** An editor has room for more than a model reads; what is over this is no API any more. */
const schemaCharsMax = 100_000
const enumValuesMax = 1000

type Printing = { readonly graph: DefinitionGraph; readonly reached: Set<Definition>; readonly limits: TypeLimits }

/** An empty text is a step of the work that gives nothing yet. */
export function* printToolSet(toolSet: CatalogToolSet, name: string, names: Names, limits: Limits): Generator<string> {
  const { definitions } = toolSet
  const textOf = typeof definitions === "function" ? definitions : (key: string) => definitions.get(key)
  const printing: Printing = {
    graph: createDefinitionGraph((key) => parsed(textOf(key)), names),
    reached: new Set(),
    limits: {
      depthMax: limits.schemaDepthMax,
      enumValuesMax,
      definitionCharsMax: schemaCharsMax,
      definitionsCharsMax: Number.POSITIVE_INFINITY,
      memo: null,
    },
  }
  const root = createBranch<CatalogTool>()
  for (const tool of toolSet.tools) {
    branchAt(root, tool.name.split(".")).leaf = tool
    yield ""
  }
  yield `  interface ${name} {\n`
  yield* printBranch(root, "    ", printing)
  yield "  }\n"
  const reached = yield* silently(convertInSteps(printing.reached, printing.graph, printing.limits))
  for (const definition of yield* silently(breakInSteps(reached, printing.graph))) yield declaration(definition)
}

function* silently<T>(work: Generator<void, T>): Generator<string, T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value
    yield ""
  }
}

const parsed = (text: JsonText | undefined): unknown => (text === undefined ? undefined : JSON.parse(text))

function* printBranch(branch: Branch<CatalogTool>, indent: string, printing: Printing): Generator<string> {
  for (const [segment, child] of sortedChildren(branch)) {
    const key = memberKey(segment)
    if (child.children.size === 0) {
      if (child.leaf !== null) yield methodText(child.leaf, key, indent, printing)
      continue
    }
    yield `${indent}${key}: {\n`
    // A tool whose name also begins other names is called on the object itself.
    if (child.leaf !== null) yield methodText(child.leaf, "", `${indent}  `, printing)
    yield* printBranch(child, `${indent}  `, printing)
    yield `${indent}};\n`
  }
}

function methodText(tool: CatalogTool, key: string, indent: string, printing: Printing): string {
  const input = rootType(tool.inputSchema, `${tool.name} input`, printing)
  const output = tool.outputSchema === null ? "unknown" : typeText(rootType(tool.outputSchema, `${tool.name} output`, printing), indent)
  const mark = canBeLeftOut(input) ? "?" : ""
  return `${docText(tool, indent)}${indent}${key}(args${mark}: ${typeText(input, indent)}): ToolCall<${output}>;\n`
}

function rootType(text: JsonText, title: string, { graph, reached, limits }: Printing): TypeNode {
  const schema = parsed(text)
  const source = { schema, root: { schema, title }, subject: title, comments: "sentences and facts" } as const
  const { type } = convertWithin(source, schemaCharsMax, graph, limits)
  collectReferences(type, reached)
  return type
}

/** Whether a call without arguments is a call with none. */
const canBeLeftOut = (type: TypeNode): boolean => type.kind === "object" && type.properties.every((property) => property.optional)

function docText(tool: CatalogTool, indent: string): string {
  const sentence = commentSafe(sentenceOf(tool.summary === "" ? tool.description : tool.summary))
  const doc = tool.deprecated ? `@deprecated ${sentence}`.trim() : sentence
  return doc === "" ? "" : `${indent}/** ${doc} */\n`
}

function declaration({ name, type, doc }: Definition): string {
  return `${doc === null ? "" : `  /** ${doc} */\n`}  type ${name} = ${type === null ? "unknown" : typeText(type, "  ")};\n`
}
