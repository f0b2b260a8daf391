// A client for a server in another process: the same interface as in process, over HTTP, for Node.js and browsers.
import type { ConnectionKey, ExecutorApi } from "../../core/executor-api.ts"
import type { LimitView } from "../../core/limits/limit-view.ts"
import type { DefinitionDiff } from "../../core/registry/diff.ts"
import type { ToolVersionView } from "../../core/registry/tool-version.ts"
import type { ToolFilter, ToolSchemaView, ToolSummary, ToolView } from "../../core/tool.ts"
import type { Inventory } from "../../core/inventory.ts"
import type { SearchPage } from "../../core/discovery.ts"
import type { SearchMade } from "../../core/console/searches.ts"
import type { ConnectionHealth, ConnectionView } from "../../core/connection.ts"
import type { Detection, IntegrationPreview, IntegrationView } from "../../core/integration.ts"
import type { PresetView } from "../../core/presets/preset.ts"
import type { CatalogEvaluation } from "../../core/evaluation.ts"
import type { Page, PageRequest } from "../../core/page.ts"
import type { PasskeyView } from "../../core/people/passkey.ts"
import { ExecutorError } from "../../core/errors.ts"
import { executionCalls } from "./execution-calls.ts"
import { oauthCalls } from "./oauth-calls.ts"
import { signInCalls } from "./sign-in-calls.ts"
import { notificationCalls } from "./notification-calls.ts"
import type { ToolEmbeddingView } from "../../core/retrieval/tool-embedding.ts"
import { pipelineCalls } from "./pipeline-calls.ts"
import { peopleCalls } from "./people-calls.ts"
import { agentCalls } from "./agent-calls.ts"
import { registryCalls } from "./registry-calls.ts"
import { workspaceCalls } from "./workspace-calls.ts"
import { toolCall } from "./tool-call.ts"
import type { ClientCredential, Fetch, Query, Transport } from "./transport.ts"
import { createTransport, pathTo } from "./transport.ts"

export type ClientOptions = ClientCredential & {
  /** The address of the API, e.g. `http://127.0.0.1:4788/api`. */
  readonly origin: string
  /** By default the platform's own. */
  readonly fetch?: Fetch
}

export type ServerHealth = { readonly status: "ok"; readonly version: string; readonly store: "sqlite" | "postgresql" }

export interface Client extends ExecutorApi {
  health(): Promise<ServerHealth>
}

// Responses are trusted to match the server's OpenAPI document.
export function createClient(options: ClientOptions): Client {
  // Callers without a type checker forget them, too.
  if (typeof options?.origin !== "string" || !hasCredential(options))
    throw new ExecutorError("invalid_request", 'createClient needs { origin, token }, e.g. { origin: "http://127.0.0.1:4788/api", token }')
  const http = createTransport(options)
  const calls = executionCalls(http)
  return {
    health: () => http.send<ServerHealth>("GET", "/health", { holds: "status" }),
    tools: toolCalls(http),
    integrations: integrationCalls(http),
    presets: presetCalls(http),
    connections: connectionCalls(http),
    oauth: oauthCalls(http),
    signIn: signInCalls(http),
    ...calls,
    execute: toolCall(calls),
    workspaces: workspaceCalls(http),
    passkeys: {
      list: async () => (await http.send<Page<PasskeyView>>("GET", "/passkeys", { holds: "items" })).items,
      rename: async (id, name) => http.send<PasskeyView>("PATCH", pathTo("passkeys", id), { holds: "id", body: { name } }),
      remove: async (id) => http.send<void>("DELETE", pathTo("passkeys", id)),
    },
    ...peopleCalls(http),
    ...registryCalls(http),
    ...agentCalls(http),
    pipelines: pipelineCalls(http),
    toolEmbedding: toolEmbeddingCalls(http),
    notifications: notificationCalls(http),
    limits: {
      list: async () => (await http.send<{ readonly items: readonly LimitView[] }>("GET", "/limits", { holds: "items" })).items,
    },
  }
}

const hasCredential = (options: ClientCredential): boolean =>
  "token" in options ? typeof options.token === "string" : typeof options.sessionKey === "function"

const toolCalls = (http: Transport): ExecutorApi["tools"] => ({
  list: async (filter = {}, { skip, ...options } = {}) =>
    (await http.send<Page<ToolView>>("GET", "/tools", { holds: "items", query: { ...toolQuery(filter), skip }, ...options })).items.slice(),
  page: (filter, page) =>
    http.send<Page<ToolView>>("GET", "/tools", {
      holds: "items",
      query: { ...toolQuery(filter), ...pageQuery(page), skip: page.skip, limit: page.limit ?? pageSizeDefault },
    }),
  summary: (filter = {}) => http.send<ToolSummary>("GET", "/tools/summary", { holds: "total", query: toolQuery(filter) }),
  inventory: () => http.send<Inventory>("GET", "/tools/inventory", { holds: "toolCount" }),
  schema: (address) =>
    http.send<ToolSchemaView>("GET", "/tools/schema", { holds: "inputSchema", query: { address } }).catch((error: unknown) => {
      if (error instanceof ExecutorError && error.code === "tool_not_found") return null
      throw error
    }),
  versions: (address, page = {}) =>
    http.send<Page<ToolVersionView>>("GET", "/tools/versions", { holds: "items", query: { address, ...pageQuery(page) } }),
  diffVersions: (address, { from, to }) =>
    http.send<DefinitionDiff>("GET", "/tools/versions/diff", { holds: "changes", query: { address, from, to } }),
  search: (query) => http.send<SearchPage>("GET", "/tools/search", { holds: "items", query: { ...query } }),
  searches: ({ outcome, ...page } = {}) =>
    http.send<Page<SearchMade>>("GET", "/tools/searches", { holds: "items", query: { outcome, ...pageQuery(page) } }),
  types: async ({ results, integration, ...options } = {}) =>
    (await http.send<{ typescript: string }>("GET", "/tools/types", { holds: "typescript", query: { results, integration }, ...options }))
      .typescript,
  evaluate: (cases, options = {}) => http.send<CatalogEvaluation>("POST", "/tools/evaluate", { body: { cases }, ...options }),
})

const toolEmbeddingCalls = (http: Transport): ExecutorApi["toolEmbedding"] => ({
  get: () => http.send<ToolEmbeddingView>("GET", "/tools/search/embedding", { holds: "status" }),
  set: (body) => http.send<ToolEmbeddingView>("PUT", "/tools/search/embedding", { holds: "status", body }),
  remove: () => http.send<void>("DELETE", "/tools/search/embedding"),
})

const integrationCalls = (http: Transport): ExecutorApi["integrations"] => ({
  list: (page = {}) => http.send<Page<IntegrationView>>("GET", "/integrations", { holds: "items", query: pageQuery(page) }),
  get: async (slug) => http.send<IntegrationView>("GET", pathTo("integrations", slug), { holds: "slug" }),
  add: (input) => http.send<IntegrationView>("POST", "/integrations", { holds: "slug", body: input }),
  update: async (slug, change) => http.send<IntegrationView>("PATCH", pathTo("integrations", slug), { holds: "slug", body: change }),
  remove: async (slug) => http.send<void>("DELETE", pathTo("integrations", slug)),
  detect: (url) => http.send<Detection>("POST", "/integrations/detect", { body: { url } }),
  preview: (input) => http.send<IntegrationPreview>("POST", "/integrations/preview", { holds: "tools", body: input }),
})

const presetCalls = (http: Transport): ExecutorApi["presets"] => ({
  list: ({ query, kind, category, ...page } = {}) =>
    http.send<Page<PresetView>>("GET", "/presets", { holds: "items", query: { query, kind, category, ...pageQuery(page) } }),
  get: async (id) => http.send<PresetView>("GET", pathTo("presets", id), { holds: "id" }),
})

const connectionCalls = (http: Transport): ExecutorApi["connections"] => ({
  list: ({ integration, owner, ...page } = {}) =>
    http.send<Page<ConnectionView>>("GET", "/connections", { holds: "items", query: { integration, owner, ...pageQuery(page) } }),
  get: async (key) => http.send<ConnectionView>("GET", connectionPath(key), { holds: "address" }),
  create: (input) => http.send<ConnectionView>("POST", "/connections", { holds: "address", body: input }),
  update: async (key, change) => http.send<ConnectionView>("PATCH", connectionPath(key), { holds: "address", body: change }),
  refresh: async (key) => http.send<ConnectionView>("POST", `${connectionPath(key)}/refresh`, { holds: "address" }),
  health: async (key) => http.send<ConnectionHealth>("POST", `${connectionPath(key)}/health`),
  remove: async (key) => http.send<void>("DELETE", connectionPath(key)),
})

/** Without a limit the API returns everything, so a page always asks for one. */
const pageSizeDefault = 100

const pageQuery = ({ limit, cursor }: PageRequest): Query => ({ limit, cursor })

/** The API includes blocked tools unless told otherwise, the SDK leaves them out. */
const toolQuery = (filter: ToolFilter): Query => ({ includeBlocked: false, ...filter })

const connectionPath = ({ owner, integration, name }: ConnectionKey): string => pathTo("connections", owner, integration, name)
