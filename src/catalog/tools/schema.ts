// Returns the schemas of a tool, the shared definitions they refer to, and both as TypeScript.
import { ExecutorError } from "../../core/errors.ts"
import { LruMap } from "../../core/lru-map.ts"
import type { Principal } from "../../core/principal.ts"
import type { JsonSchema, ToolSchemaView } from "../../core/tool.ts"
import { principalKey } from "../../io/fair-queue.ts"
import type { FairQueue } from "../../io/fair-queue.ts"
import { mapInSlices } from "../../io/time-slices.ts"
import type { Store, ToolRow } from "../../store/store.ts"
import type { StaticTool } from "../static-tool.ts"
import { checkAccess } from "./access.ts"
import type { FoundTool, ToolAccessParts } from "./access.ts"
import { readChange } from "../connections/tool-pins.ts"
import type { ResolvedTool } from "./resolver.ts"
import { definitionIn, parseSchema, reachableDefinitions } from "./schema-definitions.ts"
import { printToolTypes } from "../../typescript/typescript.ts"
import type { DefinitionMemo, ToolTypesInput } from "../../typescript/typescript.ts"

export type ToolSchemaParts = ToolAccessParts & { readonly store: Store; readonly fairQueue: FairQueue }

/** Null where there is no such tool. A path that fits several, or a tool that is blocked, is refused as a call of it is. */
export async function toolSchema(principal: Principal, address: string, parts: ToolSchemaParts): Promise<ToolSchemaView | null> {
  const found = await toolTypes(principal, address, parts)
  if (found === null) return null
  const { texts, ...view } = found
  const definitions = await mapInSlices([...texts], ([name, text]) => [name, parseSchema(text)] as const)
  return { ...view, schemaDefinitions: Object.fromEntries(definitions) }
}

/** `texts`: the definitions that it reaches. A tool of a large API reaches megabytes of them, and most of those who describe it read its types only. */
export type ToolTypes = Omit<ToolSchemaView, "schemaDefinitions"> & { readonly texts: ReadonlyMap<string, string> }

export async function toolTypes(principal: Principal, address: string, parts: ToolSchemaParts): Promise<ToolTypes | null> {
  const access = await checkAccess(principal, address, parts)
  if (!access.ok) {
    const { code, message, details } = access.error
    if (code === "tool_not_found") return null
    throw new ExecutorError(code, message, details)
  }
  const { tool } = access
  if (tool.kind === "static") return describeStatic(tool.tool)
  const view = await describeSchema(principal, tool.found, parts)
  const change = await readChange(principal, tool.found, parts.store)
  return change === null ? view : { ...view, change }
}

/** What the types of a tool are printed from. */
export async function typesInput(principal: Principal, tool: FoundTool, { store }: ToolSchemaParts): Promise<ToolTypesInput> {
  if (tool.kind === "static") {
    const { inputSchema, outputSchema } = tool.tool
    return { inputSchema, outputSchema, definitions: new Map() }
  }
  const row = tool.found.tool
  const definitions = await reachableDefinitions(principal, row.toolSetId, [row.inputSchema, row.outputSchema ?? ""], store)
  return schemasOf(row, definitions)
}

const describeStatic = ({ inputSchema, outputSchema }: StaticTool): ToolTypes => ({
  inputSchema,
  outputSchema,
  texts: new Map(),
  ...printToolTypes({ inputSchema, outputSchema, definitions: new Map() }),
})

/** A tool set never changes, so that what was described of it stays true. */
const described = new LruMap<string, Described>({ sizeMax: 500, weightMax: 16_000_000, weigh: ({ chars }) => chars })

/** Without the definitions, which tools share. `chars`: what it holds on to. */
type Described = { readonly view: Omit<ToolSchemaView, "schemaDefinitions">; readonly chars: number }

async function describeSchema(principal: Principal, { tool }: ResolvedTool, { store, fairQueue }: ToolSchemaParts): Promise<ToolTypes> {
  const key = `${tool.toolSetId} ${tool.name}`
  const texts = [tool.inputSchema, tool.outputSchema ?? ""]
  const definitions = await reachableDefinitions(principal, tool.toolSetId, texts, store)
  const print = async (): Promise<Described> => described.get(key) ?? described.set(key, describe(tool, definitions))
  const { view } = described.get(key) ?? (await fairQueue.take(principalKey(principal), print))
  return { ...view, texts: definitions }
}

const schemasOf = (tool: ToolRow, definitions: ReadonlyMap<string, string>): ToolTypesInput => ({
  inputSchema: parseSchema(tool.inputSchema),
  outputSchema: tool.outputSchema === null ? null : parseSchema(tool.outputSchema),
  definitions: (name) => parsedIn(tool.toolSetId, name, definitions),
  memo,
})

function describe(tool: ToolRow, definitions: ReadonlyMap<string, string>): Described {
  const input = schemasOf(tool, definitions)
  const { inputSchema, outputSchema } = input
  const types = printToolTypes(input)
  const printed = [types.inputTypeScript, types.outputTypeScript, ...Object.values(types.typeScriptDefinitions)]
  const held = [tool.inputSchema, tool.outputSchema ?? "", ...printed]
  return { view: { inputSchema, outputSchema, ...types }, chars: held.reduce((sum, text) => sum + text.length, 0) }
}

/** Neighbours show the same definitions. What was parsed takes many times the memory of its text, so that few are kept. */
const parsed = new LruMap<string, Parsed>({ sizeMax: 10_000, weightMax: 2_000_000, weigh: ({ chars }) => chars })
const memo: DefinitionMemo = new WeakMap()

type Parsed = { readonly schema: JsonSchema; readonly chars: number }

/** To be read only. */
function parsedIn(toolSetId: string, name: string, texts: ReadonlyMap<string, string>): JsonSchema | undefined {
  const key = `${toolSetId} ${name}`
  const known = parsed.get(key)
  if (known !== undefined) return known.schema
  const schema = definitionIn(texts, name)
  if (schema !== undefined) parsed.set(key, { schema, chars: texts.get(name)?.length ?? 0 })
  return schema
}
