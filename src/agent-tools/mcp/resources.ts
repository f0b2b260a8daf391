// Lists and reads the resources of several servers: a server that fails is left out of a list and named beside it.
import type { ReadResourceResult } from "@modelcontextprotocol/client"
import type { McpCallOptions } from "./call-options.ts"
import { McpConnectionError, messageOf } from "./connection-error.ts"
import type { McpFailure, PageChoice, ResourceList, ResourcePage, ResourceRequest, ResourceTemplateList } from "./resource-types.ts"
import type { McpServer } from "./server.ts"

export type ServerLookup = {
  all(): readonly McpServer[]
  /** Throws for a name that no server has. */
  get(name: string): McpServer
}

export async function listResources(request: ResourceRequest, servers: ServerLookup): Promise<ResourceList> {
  const { items, ...rest } = await list(request, servers, (server, choice, signal) => server.listResources(choice, signal))
  return { resources: items, ...rest }
}

export async function listResourceTemplates(request: ResourceRequest, servers: ServerLookup): Promise<ResourceTemplateList> {
  const { items, ...rest } = await list(request, servers, (server, choice, signal) => server.listResourceTemplates(choice, signal))
  return { resourceTemplates: items, ...rest }
}

type Listed<Item> = { readonly items: readonly Item[]; readonly nextCursor?: string; readonly failures: readonly McpFailure[] }
type ListOne<Item> = (server: McpServer, choice: PageChoice, signal: AbortSignal) => Promise<ResourcePage<Item>>

async function list<Item>(request: ResourceRequest, servers: ServerLookup, listOne: ListOne<Item>): Promise<Listed<Item>> {
  const { server, cursor, signal = new AbortController().signal } = request
  if (server === undefined) {
    if (cursor !== undefined) throw new McpConnectionError("cursor can only be used when a server is specified", null)
    return listAll(servers.all(), (one) => listOne(one, { kind: "all" }, signal))
  }
  const { items, nextCursor } = await listOne(servers.get(server), { kind: "one", cursor: cursor ?? null }, signal)
  return { items, ...(nextCursor === null ? {} : { nextCursor }), failures: [] }
}

async function listAll<Item>(
  servers: readonly McpServer[],
  listOne: (one: McpServer) => Promise<ResourcePage<Item>>,
): Promise<Listed<Item>> {
  const sorted = servers.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const settled = await Promise.allSettled(sorted.map(listOne))
  return {
    items: settled.flatMap((one) => (one.status === "fulfilled" ? one.value.items : [])),
    failures: settled.flatMap((one, index) =>
      one.status === "rejected" ? [{ server: sorted[index]?.name ?? "", message: messageOf(one.reason) }] : [],
    ),
  }
}

/** The server that has a resource, by its list, or else by the beginning of its templates. */
export async function readByUri(uri: string, servers: ServerLookup, options: McpCallOptions = {}): Promise<ReadResourceResult> {
  const signal = options.signal === undefined ? {} : { signal: options.signal }
  const { resources } = await listResources(signal, servers)
  const listing = new Set(resources.filter((one) => one.uri === uri).map((one) => one.server))
  const candidates = listing.size > 0 ? listing : await serversByTemplate(uri, servers, signal)
  const [only, ...others] = candidates
  if (only === undefined)
    throw new McpConnectionError(`no MCP server has the resource '${uri.slice(0, 2000)}'; name the server to read from`, null)
  if (others.length > 0)
    throw new McpConnectionError(
      `several MCP servers have the resource '${uri.slice(0, 2000)}': ${[...candidates].join(", ")}. Name one of them`,
      null,
    )
  return servers.get(only).readResource(uri, options)
}

async function serversByTemplate(uri: string, servers: ServerLookup, signal: Pick<ResourceRequest, "signal">): Promise<Set<string>> {
  const { resourceTemplates } = await listResourceTemplates(signal, servers)
  const fitting = resourceTemplates.filter(({ uriTemplate }) => {
    const beginning = uriTemplate.split("{", 1)[0] ?? ""
    return beginning !== "" && uri.startsWith(beginning)
  })
  return new Set(fitting.map((one) => one.server))
}
