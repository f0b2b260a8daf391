// Every route of the console, for the tests that go through all of them: its title, and what stands for its parameters.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { FilledIds } from "./filled.ts"

export type RouteEntry = {
  /** The page's first heading; null where a page has none. */
  readonly title: string | null
  /** Its address on a filled server, by default its path. */
  readonly at?: (ids: FilledIds) => string
  /** Further states of the page, such as an open drawer: what follows its address. */
  readonly states?: (ids: FilledIds) => readonly string[]
  /** It has content also while the server answers nothing. */
  readonly needsNoServer?: boolean
}

/** By the path in `web/src/app/routes.ts`. A route that is not here fails the tests: add what its page is called. */
export const routeTable: Readonly<Record<string, RouteEntry>> = {
  "/": { title: "Home" },
  "/inbox": { title: "Inbox", states: ({ approval }) => [`?approval=${approval}`] },
  "/executions": { title: "Executions" },
  "/executions/$id": { title: "Execution", at: ({ execution }) => `/executions/${execution}`, states: () => ["?view=table"] },
  "/playground": { title: "Playground", needsNoServer: true },
  "/registry": {
    title: "Registry",
    states: () => ["?new=http", "?tool=registry.hostile", "?tool=registry.hostile&tab=schema", "?tool=registry.hostile&tab=versions"],
  },
  "/registry/$id": { title: "<img src=x onerror=alert(1)>", at: ({ tool }) => `/registry/${tool}` },
  "/integrations": { title: "Integrations", states: () => ["?add=presets", "?add=url"] },
  "/integrations/$slug": { title: null, at: () => "/integrations/notes", states: () => ["?tab=tools", "?tab=changes"] },
  "/connections": { title: "Connections" },
  "/knowledge": {
    title: "Knowledge",
    states: () => ["?add=yes", "?pipeline=handbook", "?pipeline=handbook&tab=query&ask=script", "?pipeline=handbook&tab=settings"],
  },
  "/policies": { title: "Policies", states: () => ["?rule=new", "?tab=try"] },
  "/agents": { title: "Agents", states: () => ["?new=agent", "?tab=tokens", "?tab=tokens&token=new"] },
  "/agents/$slug": { title: "Helper", at: () => "/agents/helper", states: () => ["?tab=run", "?tab=versions"] },
  "/people": { title: "People", states: () => ["?person=mallory", "?tab=why&user=mallory&tool=ledger.items.get"] },
  "/roles": { title: "Roles", states: () => ["?role=support"] },
  "/audit": { title: "Audit", states: () => ["?action=nothing.like_this"] },
  "/search": { title: "Search lab", needsNoServer: true },
  "/passkeys": { title: "Passkeys" },
  "/settings": { title: "Settings", needsNoServer: true, states: () => ["?add=yes", "?tab=versions"] },
  "/api/oauth/go/$id": { title: null, at: () => "/api/oauth/go/none", needsNoServer: true },
  "/api/oauth/callback": { title: null, needsNoServer: true },
}

export const routePaths: readonly string[] = [
  ...readFileSync(join(import.meta.dirname, "..", "..", "web", "src", "app", "routes.ts"), "utf8").matchAll(/\bpath: "([^"]+)"/g),
].map(([, path = ""]) => path)

export const entryOf = (path: string): RouteEntry => {
  const entry = routeTable[path]
  if (entry === undefined) throw new Error(`Give the route ${path} an entry in test/console/route-table.ts`)
  return entry
}

export const addressOf = (path: string, ids: FilledIds): string => entryOf(path).at?.(ids) ?? path

const nowhere: FilledIds = { execution: "exe_none", tool: "tool_none", approval: "apr_none" }

/** On a server on which nothing is. */
export const emptyAddressOf = (path: string): string => addressOf(path, nowhere)
