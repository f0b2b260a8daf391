// Resolves a path to the tools that it can mean in a scope; which of them are for whom is not asked here.
//
// A full path names owner and connection. A short one (`github.issues.create`) can mean a tool of every connection of the
// integration that has it. What was found is kept as long as the store's revision stands, because every call asks.
import { ToolAddress, withoutRoot } from "../../core/address.ts"
import type { Scope } from "../../core/principal.ts"
import { createRevisionCache } from "../../store/revision-cache.ts"
import type { ConnectionRow, IntegrationRow, Store, ToolKey, ToolRow } from "../../store/store.ts"

/** Everything about a tool that a call needs, but for secrets. */
export type ResolvedTool = {
  readonly address: ToolAddress
  readonly tool: ToolRow
  readonly connection: ConnectionRow
  readonly integration: IntegrationRow
}

export type Resolution =
  | { readonly kind: "found"; readonly found: ResolvedTool }
  | { readonly kind: "several"; readonly keys: readonly ToolKey[] }
  | { readonly kind: "none" }

export type ToolResolver = { resolve(scope: Scope, path: string): Promise<Resolution> }

const cachedMax = 5000

export function createToolResolver(store: Store): ToolResolver {
  const cache = createRevisionCache<Resolution>(store, cachedMax, ({ kind }) => kind === "found")
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
  if (exact !== null) return { kind: "found", found: exact }
  const dot = path.indexOf(".")
  const integration = dot < 0 ? path : path.slice(0, dot)
  const tool = dot < 0 ? "" : path.slice(dot + 1)
  const holders = tool === "" ? [] : await store.tools.connectionsWith(scope, integration, tool)
  const keys = holders.map((holder) => ({ ...holder, tool: tool as ToolKey["tool"] })) // the store has a tool of this name
  if (keys.length > 1) return { kind: "several", keys }
  const [key] = keys
  const short = key === undefined ? null : await load(scope, key, store)
  return short === null ? { kind: "none" } : { kind: "found", found: short }
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
