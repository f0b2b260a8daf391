// Answers what a tool takes and gives: its schemas, the shared definitions they reach, and both as TypeScript.
import { withoutRoot } from "../core/address.ts"
import { LruMap } from "../core/lru-map.ts"
import { isAdmin } from "../core/principal.ts"
import type { Principal, Scope } from "../core/principal.ts"
import type { JsonSchema, ToolSchemaView } from "../core/tool.ts"
import type { Store } from "../store/store.ts"
import type { StaticTool, StaticTools } from "./static-tool.ts"
import { readChange } from "./tool-pins.ts"
import type { ResolvedTool, ToolResolver } from "./tool-resolve.ts"
import { printToolTypes } from "./typescript/tool-types.ts"

/** Definitions that are read at once; a tool reaches a handful, a hostile schema would reach thousands. */
const definitionsMax = 2000

export type ToolSchemaParts = { readonly store: Store; readonly resolver: ToolResolver; readonly staticTools: StaticTools }

export async function toolSchema(principal: Principal, address: string, parts: ToolSchemaParts): Promise<ToolSchemaView | null> {
  const fixed = parts.staticTools.find(withoutRoot(address))
  if (fixed !== undefined) return fixed.audience === "everyone" || isAdmin(principal) ? describeStatic(fixed) : null
  const resolution = await parts.resolver.resolve(principal, address)
  if (!resolution.ok) return null
  const view = await describeSchema(principal, resolution.found, parts.store)
  const change = await readChange(principal, resolution.found, parts.store)
  return change === null ? view : { ...view, change }
}

const describeStatic = ({ inputSchema, outputSchema }: StaticTool): ToolSchemaView => ({
  inputSchema,
  outputSchema,
  schemaDefinitions: {},
  ...printToolTypes({ inputSchema, outputSchema, definitions: new Map() }),
})

/** A tool set never changes, so that what was described of it stays true. */
const described = new LruMap<string, Described>({ sizeMax: 500, weightMax: 16_000_000, weigh: ({ chars }) => chars })

/** `chars`: what it holds on to. */
type Described = { readonly view: ToolSchemaView; readonly chars: number }

async function describeSchema(scope: Scope, found: ResolvedTool, store: Store): Promise<ToolSchemaView> {
  const key = `${found.tool.toolSetId} ${found.tool.name}`
  const known = described.get(key) ?? described.set(key, await readSchema(scope, found, store))
  return known.view
}

async function readSchema(scope: Scope, { tool }: ResolvedTool, store: Store): Promise<Described> {
  const inputSchema = parseSchema(tool.inputSchema)
  const outputSchema = tool.outputSchema === null ? null : parseSchema(tool.outputSchema)
  const texts = [tool.inputSchema, tool.outputSchema ?? ""]
  const definitions = await reachableDefinitions(scope, tool.toolSetId, texts, store)
  const types = printToolTypes({ inputSchema, outputSchema, definitions: (name) => definitionIn(definitions, name) })
  const chars = [...texts, ...definitions.values()].reduce((sum, text) => sum + text.length, 0)
  return { view: withDefinitions({ inputSchema, outputSchema, ...types }, definitions), chars }
}

/** A tool of a large API reaches megabytes of them, and most of those who describe it read its types only. */
const withDefinitions = (view: Omit<ToolSchemaView, "schemaDefinitions">, texts: ReadonlyMap<string, string>): ToolSchemaView => ({
  ...view,
  get schemaDefinitions() {
    return Object.fromEntries([...texts].map(([name, text]) => [name, parseSchema(text)]))
  },
})

export function definitionIn(texts: ReadonlyMap<string, string>, name: string): JsonSchema | undefined {
  const text = texts.get(name)
  return text === undefined ? undefined : parseSchema(text)
}

/** As JSON text. Level by level, each with one query. */
export async function reachableDefinitions(
  scope: Scope,
  toolSetId: string,
  texts: readonly string[],
  store: Store,
  most: number = definitionsMax,
): Promise<Map<string, string>> {
  const reached = new Map<string, string>()
  let wanted = texts.flatMap(referencesIn)
  while (wanted.length > 0 && reached.size < most) {
    const names = [...new Set(wanted)].filter((name) => !reached.has(name)).slice(0, most)
    const found = names.length === 0 ? new Map<string, string>() : await store.toolSets.definitions(scope, toolSetId, names)
    for (const [name, text] of found) reached.set(name, text)
    wanted = [...found.values()].flatMap(referencesIn).filter((name) => !reached.has(name))
  }
  return reached
}

const reference = /"\$ref":"#\/\$defs\/([^"\\]+)"/g

/** The compiler writes references in this one form, so that they are found without walking the schema. */
export const referencesIn = (text: string): string[] => [...text.matchAll(reference)].map((match) => match[1] ?? "")

const parseSchema = (text: string): JsonSchema => JSON.parse(text) as JsonSchema // the compiler emits objects
