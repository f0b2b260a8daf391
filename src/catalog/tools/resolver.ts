// Resolves a path to a tool, for this principal.
//
// A full path names owner and connection. A short one (`github.issues.create`) is resolved where exactly one visible
// connection of the integration has such a tool; several make it ambiguous. What was found is kept as long as the
// store's revision stands, because every call asks.
import { ToolAddress, withoutRoot } from "../../core/address.ts"
import type { ConnectionRef } from "../../core/address.ts"
import type { Scope } from "../../core/principal.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure } from "../../core/result.ts"
import { createRevisionCache } from "../../store/revision-cache.ts"
import type { ConnectionRow, IntegrationRow, Store, ToolKey, ToolRow } from "../../store/store.ts"

/** Everything about a tool that a call needs, but for secrets. */
export type ResolvedTool = {
  readonly address: ToolAddress
  readonly tool: ToolRow
  readonly connection: ConnectionRow
  readonly integration: IntegrationRow
}

export type Resolution = { readonly ok: true; readonly found: ResolvedTool } | ToolFailure

export type ToolResolver = { resolve(scope: Scope, path: string): Promise<Resolution> }

const cachedMax = 5000

export function createToolResolver(store: Store): ToolResolver {
  const cache = createRevisionCache<Resolution>(store, cachedMax, ({ ok }) => ok)
  return {
    resolve(scope, path) {
      const bare = withoutRoot(path)
      return cache(`${scope.tenant}\0${scope.user}\0${bare}`, () => find(scope, bare, store))
    },
  }
}

async function find(scope: Scope, path: string, store: Store): Promise<Resolution> {
  const full = ToolAddress.check(path)
  const exact = full.ok ? await load(scope, full.value, store) : null
  if (exact !== null) return { ok: true, found: exact }
  const dot = path.indexOf(".")
  const integration = dot < 0 ? path : path.slice(0, dot)
  const tool = dot < 0 ? "" : path.slice(dot + 1)
  const holders = tool === "" ? [] : await store.tools.connectionsWith(scope, integration, tool)
  if (holders.length > 1) return ambiguous(path, holders, tool)
  const [holder] = holders
  const short = holder === undefined ? null : await load(scope, { ...holder, tool: tool as ToolKey["tool"] }, store) // the store has a tool of this name
  return short === null ? notFound(path) : { ok: true, found: short }
}

async function load(scope: Scope, key: ToolKey, store: Store): Promise<ResolvedTool | null> {
  const [tool, connection, integration] = await Promise.all([
    store.tools.get(scope, key),
    store.connections.get(scope, key),
    store.integrations.get(scope, key.integration),
  ])
  if (tool === null || connection === null || integration === null) return null
  return { address: ToolAddress.format(key), tool, connection, integration }
}

function ambiguous(path: string, holders: readonly ConnectionRef[], tool: string): ToolFailure {
  const candidates = holders.map((holder) => `${holder.integration}.${holder.owner}.${holder.connection}.${tool}`)
  return fail("tool_ambiguous", `Tool path '${path}' matches ${candidates.length} connections; use one of the full paths`, {
    details: { candidates },
  })
}

const notFound = (path: string): ToolFailure =>
  fail("tool_not_found", `Tool path '${path.length > 256 ? `${path.slice(0, 256)}…` : path}' not found`, { details: { suggestions: [] } })
