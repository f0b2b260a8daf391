// Reads tools from the store in the form in which they are indexed.
import type { ConnectionRef } from "../../core/address.ts"
import type { Scope } from "../../core/principal.ts"
import type { JsonSchema } from "../../core/tool.ts"
import { toolPages } from "../../store/all-rows.ts"
import type { Store } from "../../store/store.ts"
import { parametersIn } from "../../search/search.ts"
import type { IndexedTool } from "../../search/search.ts"
import { slugOfStatic } from "../static-tool.ts"
import type { StaticTools } from "../static-tool.ts"

export async function* toolsOfSet(scope: Scope, connection: ConnectionRef, store: Store): AsyncGenerator<IndexedTool> {
  const filter = { integration: connection.integration, owner: connection.owner, name: connection.connection }
  for await (const rows of toolPages(scope, filter, store))
    for (const row of rows) {
      const tool = await store.tools.get(scope, { ...connection, tool: row.name })
      yield { ...row, parameters: tool === null ? [] : parametersIn(JSON.parse(tool.inputSchema) as JsonSchema) } // the compiler emits objects
    }
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
