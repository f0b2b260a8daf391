// What tests of the compiler share: tools by name, their schemas as objects, and the operations that helpers would send.
import type { GraphQLSchema } from "graphql"
import { defaultLimits } from "../../../core/limits.ts"
import type { Limits } from "../../../core/limits.ts"
import { collectWarnings } from "../../document-warnings.ts"
import type { Warnings } from "../../document-warnings.ts"
import type { ListedTool } from "../../source-adapter.ts"
import type { FieldBinding, GraphQLBinding } from "../binding.ts"
import { compileSchema } from "../compile/compile.ts"
import type { CompiledSchema } from "../compile/compile.ts"
import { writeOperation } from "../call/operation-field.ts"
import { readSchema } from "../compile/schema-read.ts"

export type Compiled = CompiledSchema & {
  readonly schema: GraphQLSchema
  readonly warnings: Warnings
  tool(name: string): ListedTool
  input(name: string): Record<string, unknown>
  output(name: string): Record<string, unknown>
  definition(name: string): Record<string, unknown>
  binding(name: string): FieldBinding
}

export function compileText(text: string, limits: Limits = defaultLimits): Compiled {
  const warnings = collectWarnings(limits.warningsMax)
  const schema = readSchema(text, warnings, limits)
  const compiled = compileSchema(schema, warnings, limits)
  const tool = (name: string): ListedTool => {
    const found = compiled.tools.find((one) => one.name === name)
    if (!found) throw new Error(`There is no tool ${name}`)
    return found
  }
  const object = (json: string): Record<string, unknown> => JSON.parse(json) as Record<string, unknown> // schemas are objects
  return {
    ...compiled,
    schema,
    warnings,
    tool,
    input: (name) => object(tool(name).inputSchema),
    output: (name) => object(tool(name).outputSchema ?? "{}"),
    definition: (name) => object(compiled.definitions.get(name) ?? "null"),
    binding(name) {
      const binding = JSON.parse(tool(name).binding) as GraphQLBinding // written by the compiler
      if (binding.kind !== "field") throw new Error(`${name} is not the tool of a field`)
      return binding
    },
  }
}

/** The shortest and the longest operation that a helper can send without a selection of the caller's. */
export function operationsOf(tool: ListedTool): string[] {
  const binding = JSON.parse(tool.binding) as GraphQLBinding // as above
  if (binding.kind !== "field") return []
  const required = binding.args.filter(([, type, hasDefault]) => type.endsWith("!") && !hasDefault)
  return [required, binding.args].map((given) => writeOperation(binding, given, binding.selection?.text ?? ""))
}
