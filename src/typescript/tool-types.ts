// Prints the types of one tool: its arguments, its result, and the definitions that both refer to.
import { defaultLimits } from "../core/limits.ts"
import type { Limits } from "../core/limits.ts"
import type { JsonSchema } from "../core/tool.ts"
import { breakCycles } from "./cycle-break.ts"
import { convertReached, convertWithin } from "./definition-convert.ts"
import type { TypeLimits } from "./definition-convert.ts"
import { createDefinitionGraph } from "./definition-graph.ts"
import type { Definition, Root } from "./definition-graph.ts"
import type { DefinitionMemo } from "./definition-memo.ts"
import { collectReferences } from "./type-node.ts"
import type { TypeNode } from "./type-node.ts"
import { typeText } from "./type-text.ts"

export type ToolTypesInput = {
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema | null
  /** The shared definitions that `#/$defs/<name>` refers to. */
  readonly definitions: ReadonlyMap<string, JsonSchema> | ((name: string) => JsonSchema | undefined)
  /** What was kept of the same definitions, for the same limits. */
  readonly memo?: DefinitionMemo
}

export type ToolTypes = {
  readonly inputTypeScript: string
  readonly outputTypeScript: string
  /** Name to type: `type <name> = <type>`. */
  readonly typeScriptDefinitions: Record<string, string>
}

export function printToolTypes(input: ToolTypesInput, limits: Limits = defaultLimits): ToolTypes {
  const within = previewLimits(limits, input.memo ?? null)
  const graph = createDefinitionGraph(input.definitions)
  const print = (schema: unknown, title: string, charsMax: number): Printed => {
    const root: Root = { schema, title }
    return { root, ...convertWithin({ schema, root, subject: "", comments: "sentences and facts" }, charsMax, graph, within) }
  }
  const taken = print(input.inputSchema, "input root", limits.previewCharsMax / 2)
  const given = print(input.outputSchema ?? true, "output root", limits.previewCharsMax / 3)
  const named = new Set<Definition>()
  for (const { type } of [taken, given]) collectReferences(type, named)
  const definitionsCharsMax = limits.previewCharsMax - taken.chars - given.chars
  const definitions = breakCycles(convertReached(named, graph, { ...within, definitionsCharsMax }), graph)
  return {
    inputTypeScript: rootText(taken, definitions),
    outputTypeScript: rootText(given, definitions),
    typeScriptDefinitions: Object.fromEntries(definitions.map((definition) => [definition.name, definitionText(definition)])),
  }
}

export type Printed = { readonly type: TypeNode; readonly chars: number; readonly root: Root }

export const previewLimits = (limits: Limits, memo: DefinitionMemo | null): TypeLimits => ({
  memo,
  depthMax: limits.schemaDepthMax,
  enumValuesMax: limits.previewEnumValuesMax,
  definitionCharsMax: limits.previewCharsMax / 3,
  definitionsCharsMax: limits.previewCharsMax,
})

/** A schema that refers to itself as a whole has a name already. */
export function rootText({ type, root }: Printed, definitions: readonly Definition[]): string {
  const self = definitions.find((definition) => definition.root === root && definition.schema === root.schema)
  return self === undefined ? typeText(type) : self.name
}

export function definitionText({ type, doc }: Definition): string {
  const text = type === null ? "unknown" : typeText(type)
  return doc === null ? text : `/** ${doc} */ ${text}`
}
