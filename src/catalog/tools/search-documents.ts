// Reads tools in the forms in which search takes them: to index them, and to find them by meaning.
import { ownSlug } from "../../core/address.ts"
import type { ConnectionRef, ToolName } from "../../core/address.ts"
import { LruMap } from "../../core/lru-map.ts"
import type { Principal, Scope } from "../../core/principal.ts"
import type { JsonSchema } from "../../core/tool.ts"
import { toolPages } from "../../store/all-rows.ts"
import { refOf } from "../../store/store.ts"
import type { ConnectionRow, Store, ToolRow } from "../../store/store.ts"
import { describeShort, parametersIn } from "../../search/search.ts"
import type { IndexedTool, Mount, SearchHit } from "../../search/search.ts"
import type { MeaningSet } from "../search-meaning/meaning.ts"
import { slugOfStatic } from "../static-tool.ts"
import type { StaticTools } from "../static-tool.ts"
import { parseSchema, reachableDefinitions } from "./schema-definitions.ts"

export async function* toolsOfSet(scope: Scope, connection: ConnectionRef, store: Store): AsyncGenerator<IndexedTool> {
  const filter = { integration: connection.integration, owner: connection.owner, name: connection.connection }
  const parsed = parsedDefinitions()
  for await (const rows of toolPages(scope, filter, store))
    for (const row of rows) {
      const tool = await store.tools.get(scope, { ...connection, tool: row.name })
      yield { ...row, parameters: tool === null ? [] : await parametersOfRow(scope, tool, parsed, store) }
    }
}

/** Of those that a tool's input refers to, the nearest: as many as its parameters are read at most. */
const definitionsMax = 200
const parsedCharsMax = 4_000_000

type Parsed = { readonly text: string; readonly schema: JsonSchema }

/** The tools of a set refer to the same definitions over and over: most are parsed once. */
const parsedDefinitions = () => new LruMap<string, Parsed>({ sizeMax: 10_000, weightMax: parsedCharsMax, weigh: ({ text }) => text.length })

async function parametersOfRow(
  scope: Scope,
  tool: ToolRow,
  parsed: LruMap<string, Parsed>,
  store: Store,
): Promise<IndexedTool["parameters"]> {
  const texts = await reachableDefinitions(scope, tool.toolSetId, [tool.inputSchema], store, { most: definitionsMax })
  return parametersIn(parseSchema(tool.inputSchema), (name) => {
    const text = texts.get(name)
    return text === undefined ? undefined : (parsed.get(name) ?? parsed.set(name, { text, schema: parseSchema(text) })).schema
  })
}

/** Without the slug that their mount has as its prefix. */
export const staticIndexed = (slug: string, tools: StaticTools): IndexedTool[] =>
  tools
    .list()
    .filter((tool) => slugOfStatic(tool) === slug)
    .map((tool) => ({
      name: tool.fqid.slice(slug.length + 1),
      title: tool.title,
      summary: "",
      description: tool.description,
      tags: [],
      parameters: parametersIn(tool.inputSchema),
      deprecated: false,
      effect: tool.effect,
    }))

type Offer = { readonly mount: Mount; readonly from: ConnectionRow | StaticTools }

const descriptionCharsMax = 200

/** What somebody sees of the catalog, without Executor's own tools. */
export const meaningSets = (principal: Principal, offers: readonly Offer[], namespace: string | undefined, store: Store): MeaningSet[] =>
  offers
    .filter(({ mount }) => mount.integration !== ownSlug)
    .map(({ mount, from }) => ({
      mount,
      isWithin: withinNamespace(mount, namespace?.toLowerCase() ?? ""),
      read: () => ("list" in from ? staticIndexed(mount.integration, from) : toolsOfSet(principal, refOf(from), store)),
      async hit(name) {
        const facts =
          "list" in from
            ? from.find(`${mount.integration}.${name}`)
            : await store.tools.get(principal, { ...refOf(from), tool: name as ToolName }) // of the same set
        return facts === null || facts === undefined ? null : toHit(mount, name, facts)
      },
    }))

type Facts = Pick<SearchHit, "title" | "description" | "effect"> & { readonly summary?: string; readonly deprecated?: boolean }

const toHit = (mount: Mount, name: string, { title, summary, description, deprecated, effect }: Facts): SearchHit => ({
  path: `${mount.prefix}.${name}`,
  name,
  title,
  description: describeShort(summary === undefined || summary === "" ? description : summary, descriptionCharsMax),
  mount,
  deprecated: deprecated ?? false,
  effect,
  score: 0,
})

/** The beginning of a path, at a dot, with the connection or without. */
function withinNamespace({ prefix, integration }: Mount, namespace: string): MeaningSet["isWithin"] {
  const begins = (path: string): boolean => `${path.toLowerCase()}.`.startsWith(`${namespace}.`)
  if (namespace === "" || begins(prefix)) return null
  return (name) => begins(`${prefix}.${name}`) || begins(`${integration}.${name}`)
}
