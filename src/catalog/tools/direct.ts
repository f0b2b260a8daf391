// The tools of one integration with their schemas, as shown to a client that calls tools directly.
import { ToolAddress } from "../../core/address.ts"
import type { DirectTool, DirectTools } from "../../core/call/direct.ts"
import type { Principal } from "../../core/principal.ts"
import type { JsonSchema } from "../../core/tool.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import { toolPages } from "../../store/all-rows.ts"
import { createRevisionCache } from "../../store/revision-cache.ts"
import { toolKeyOf } from "../../store/store.ts"
import type { Store, ToolKey, ToolRow } from "../../store/store.ts"
import type { StaticTool } from "../static-tool.ts"
import { reachableDefinitions } from "./schema-definitions.ts"
import { currentAccess } from "../../identity/access.ts"
import { visibleTools } from "./visible-tools.ts"
import type { VisibleParts } from "./visible-tools.ts"

export type DirectToolParts = VisibleParts & { readonly store: Store }
/** Null where the principal sees no such integration. */
export type ReadDirectTools = (principal: Principal, integration: string) => Promise<DirectTools | null>

const cachedMax = 50

/** Kept while the store's revision stands: a client lists before it calls, and lists again. */
export function createDirectTools(parts: DirectToolParts): ReadDirectTools {
  const cache = createRevisionCache<DirectTools | null>(parts.store, cachedMax)
  return async (principal, integration) => {
    const { viewKey } = await currentAccess(principal, parts)
    return cache(`${viewKey} ${integration}`, () => readTools(principal, integration, parts))
  }
}

async function readTools(principal: Principal, integration: string, parts: DirectToolParts): Promise<DirectTools | null> {
  const seen = await visibleTools(principal, parts)
  const row = seen.mayHave(integration) ? await parts.store.integrations.get(principal, integration) : null
  const fixed = staticTools(integration, seen.shownStatic())
  if (row === null) return fixed.length === 0 ? null : { kind: "plugin", tools: fixed }
  const tools: DirectTool[] = []
  let hasTools = false
  const slices = createTimeSlices()
  for await (const rows of toolPages(principal, { integration }, parts.store))
    for (const listed of rows) {
      if (slices.isOver()) await slices.next()
      hasTools = true
      const key = toolKeyOf(listed)
      const isShown = seen.shownIn({ ...key, name: key.connection })
      const tool = (isShown?.(key.tool) ?? true) ? await parts.store.tools.get(principal, key) : null
      if (tool !== null) tools.push(await toDirect(principal, key, tool, row.kind, parts.store))
    }
  const all = [...tools, ...fixed]
  // An integration of which nothing is for them is not there, as in the inventory.
  return hasTools && all.length === 0 ? null : { kind: row.kind, tools: all }
}

async function toDirect(principal: Principal, key: ToolKey, tool: ToolRow, kind: string, store: Store): Promise<DirectTool> {
  const whole = async (text: string): Promise<JsonSchema> => {
    const schema = JSON.parse(text) as JsonSchema // the compiler emits objects
    const definitions = await reachableDefinitions(principal, tool.toolSetId, [text], store)
    const named = Object.fromEntries([...definitions].map(([name, definition]) => [name, JSON.parse(definition) as JsonSchema])) // as above
    return definitions.size === 0 ? schema : { ...schema, $defs: named }
  }
  return {
    address: ToolAddress.format(key),
    name: tool.name,
    connection: `${key.owner}.${key.connection}`,
    title: tool.title,
    description: tool.description,
    effect: tool.effect,
    inputSchema: { type: "object", ...(await whole(tool.inputSchema)) },
    outputSchema: kind === "mcp" && tool.outputSchema !== null ? await whole(tool.outputSchema) : null,
  }
}

const staticTools = (integration: string, tools: readonly StaticTool[]): DirectTool[] =>
  tools
    .filter(({ fqid, audience }) => fqid.startsWith(`${integration}.`) && audience === "everyone")
    .map(({ fqid, title, description, effect, inputSchema }) => ({
      address: fqid,
      name: fqid.slice(integration.length + 1),
      connection: "static",
      title,
      description,
      effect,
      inputSchema: { type: "object", ...inputSchema },
      outputSchema: null,
    }))
