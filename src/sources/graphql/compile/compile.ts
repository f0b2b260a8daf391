// Compiles a schema into tools: one for each field of its query and mutation types, and the raw one.
import { getNamedType } from "graphql"
import type { GraphQLField, GraphQLSchema } from "graphql"
import { ExecutorError } from "../../../core/errors.ts"
import type { Limits } from "../../../core/limits.ts"
import type { JsonText } from "../../../core/tool.ts"
import { boundedText } from "../../document-value.ts"
import type { Warnings } from "../../document-warnings.ts"
import type { ListedTool } from "../../source-adapter.ts"
import { entryName } from "../binding.ts"
import { compileField } from "./field.ts"
import { errorName, errorSchema, rawTool } from "./raw.ts"
import { hasOneRoot, leadsToMutations } from "./mutation-type.ts"
import { inputFieldsMax, writeInputs } from "./schema-input.ts"
import { isReserved } from "./schema-text.ts"
import { writeOutputs } from "./schema-output.ts"
import { typeEntry } from "./type-entries.ts"

/** All tools together, as text: GitHub's take 2 MB. */
const toolCharsMax = 96 * 1024 * 1024

/** One type, which a call reads at once when a selection meets it: GitHub's largest takes 13 KB. */
const entryCharsMax = 1024 * 1024

export type CompiledSchema = {
  readonly description: string
  readonly tools: readonly ListedTool[]
  readonly definitions: ReadonlyMap<string, JsonText>
}

type RootField = { readonly operation: "query" | "mutation"; readonly field: GraphQLField<unknown, unknown> }

/** Throws an `ExecutorError` when no tool can be made of it. */
export function compileSchema(schema: GraphQLSchema, warnings: Warnings, limits: Limits): CompiledSchema {
  const roots = rootFields(schema, warnings)
  if (roots.length > limits.toolsPerConnectionMax) throw tooLarge(`${roots.length} queries and mutations`, limits.toolsPerConnectionMax)
  const types = Object.values(schema.getTypeMap()).filter((type) => !isReserved(type.name))

  const inputs = writeInputs(limits)
  const outputs = writeOutputs(schema, inputs, limits)
  const names = { query: new Set<string>(), mutation: new Set<string>() }
  for (const { operation, field } of roots) names[operation].add(field.name)
  const tools: ListedTool[] = [rawTool(schema, limits)]
  let chars = 0
  for (const root of roots) {
    const hasField = (name: string): boolean => names[root.operation].has(name)
    const tool = compileField(root, { hasField, isRead: root.operation === "query" && !hasOneRoot(schema), inputs, outputs, limits })
    chars += tool.inputSchema.length + (tool.outputSchema?.length ?? 0) + tool.binding.length + tool.description.length
    if (chars > toolCharsMax) throw tooLarge("descriptions and schemas of many characters", toolCharsMax)
    tools.push(tool)
  }
  const definitions = new Map([...inputs.definitions, ...outputs.definitions, [errorName, errorSchema]])
  for (const type of types) {
    const entry = typeEntry(type, schema)
    if (entry === null) continue
    const text = JSON.stringify(entry)
    if (text.length <= entryCharsMax) definitions.set(entryName(type.name), text)
    else warnings.add(type.name, "The type is too large to be selected from with `select`")
  }
  return { description: boundedText(schema.description, limits.descriptionCharsMax), tools, definitions }
}

function rootFields(schema: GraphQLSchema, warnings: Warnings): RootField[] {
  const query = schema.getQueryType()
  const mutation = schema.getMutationType()
  const all = [
    ...Object.values(query?.getFields() ?? {}).map((field): RootField => ({ operation: "query", field })),
    ...Object.values(mutation?.getFields() ?? {}).map((field): RootField => ({ operation: "mutation", field })),
  ]
  if (all.length === 0) throw new ExecutorError("invalid_request", "The schema has neither queries nor mutations")
  return all.filter(({ operation, field }) => {
    const problem = isReserved(field.name)
      ? "Names that begin with __ are the language's own"
      : field.args.length > inputFieldsMax
        ? `It has more than ${inputFieldsMax} arguments`
        : operation === "query" && leadsToMutations(getNamedType(field.type), schema)
          ? "It would run mutations as a query"
          : null
    if (problem !== null) warnings.add(`${operation}.${field.name}`, `${problem}; it was left out`)
    return problem === null
  })
}

const tooLarge = (what: string, most: number): ExecutorError =>
  new ExecutorError("payload_too_large", `The schema has ${what}; the maximum is ${most}`)
