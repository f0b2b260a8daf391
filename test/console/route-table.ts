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
  "/executions": { title: "Executions", states: () => ["?status=failed"] },
  "/executions/$id": { title: "Execution", at: ({ execution }) => `/executions/${execution}`, states: () => ["?view=table"] },
  "/playground": {
    title: "Playground",
    needsNoServer: true,
    states: ({ execution }) => ["?tab=form&tool=ledger.org.main.items.get", `?from=${execution}&execution=${execution}&out=calls`],
  },
  "/registry": {
    title: "Registry",
    states: () => [
      "?new=http",
      "?tool=registry.hostile",
      ...["schema", "implementation", "versions", "test"].map((tab) => `?tool=registry.hostile&tab=${tab}`),
    ],
  },
  "/registry/$id": { title: "<img src=x onerror=alert(1)>", at: ({ tool }) => `/registry/${tool}` },
  "/integrations": { title: "Integrations", states: () => ["?add=presets", "?add=url"] },
  "/integrations/$slug": { title: null, at: () => "/integrations/notes", states: () => ["?tab=tools", "?tab=changes", "?tab=details"] },
  "/connections": { title: "Connections", states: () => ["?add=-", "?add=diary", "?connection=notes.org.main"] },
  "/knowledge": {
    title: "Knowledge",
    states: () => ["?add=yes", "?pipeline=handbook", "?pipeline=handbook&tab=query&ask=script", "?pipeline=handbook&tab=settings"],
  },
  "/policies": { title: "Policies", states: () => ["?rule=new", "?tab=try"] },
  "/agents": { title: "Agents", states: () => ["?new=agent", "?tab=tokens", "?tab=tokens&token=new"] },
  "/agents/$slug": {
    title: "<img src=x onerror=alert(1)>",
    at: () => "/agents/helper",
    states: ({ run }) => [`?tab=run&run=${run}`, "?tab=versions"],
  },
  "/people": {
    title: "People",
    states: () => [
      "?person=mallory",
      "?tab=services",
      "?tab=services&add=yes",
      "?tab=invitations",
      "?tab=invitations&add=yes",
      "?tab=providers",
      "?tab=providers&add=yes",
      "?tab=why&user=mallory&tool=ledger.org.main.items.get",
    ],
  },
  "/roles": { title: "Roles", states: () => ["?role=support", "?add=yes"] },
  "/audit": { title: "Audit", states: ({ auditEntry }) => ["?action=nothing.like_this", `?entry=${auditEntry}`] },
  "/search": { title: "Search lab", needsNoServer: true, states: () => ["?q=items", "?tab=made", "?tab=evaluation"] },
  "/passkeys": { title: "Passkeys" },
  "/settings": {
    title: "Settings",
    needsNoServer: true,
    states: ({ notification }) => [
      "?add=yes",
      `?notification=${notification}`,
      "?tab=models",
      "?tab=models&add=yes",
      "?tab=credentials",
      "?tab=credentials&add=yes",
      "?tab=access",
      "?tab=limits",
      "?tab=versions",
    ],
  },
  "/api/oauth/go/$id": { title: null, at: ({ consent }) => consent, needsNoServer: true },
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

const nowhere: FilledIds = {
  execution: "exe_none",
  tool: "tool_none",
  approval: "apr_none",
  run: "exe_none",
  notification: "ntf_none",
  consent: "/api/oauth/go/none",
  invitation: "#exi_none",
  auditEntry: "none",
}

/** On a server on which nothing is. */
export const emptyAddressOf = (path: string): string => addressOf(path, nowhere)
