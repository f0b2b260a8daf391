// The composition root: joins the ports into one object that acts as whoever asks.
import { addIntegration } from "./catalog/integration-add.ts"
import { createArgsChecker } from "./catalog/args-checker.ts"
import type { CatalogParts } from "./catalog/catalog-parts.ts"
import { createConnection, updateConnection } from "./catalog/connection-create.ts"
import { checkConnection, listConnections, refreshConnection, removeConnection } from "./catalog/connection-list.ts"
import { getConnection, viewConnection } from "./catalog/connection-row.ts"
import { listIntegrations, removeIntegration } from "./catalog/integration-list.ts"
import { detectIntegration, previewIntegration } from "./catalog/integration-preview.ts"
import { getIntegration, viewIntegration } from "./catalog/integration-row.ts"
import { updateIntegration } from "./catalog/integration-update.ts"
import { createStaleSync } from "./catalog/stale-sync.ts"
import { listTools, pageTools } from "./catalog/tool-list.ts"
import type { ToolListParts } from "./catalog/tool-list.ts"
import { createToolResolver } from "./catalog/tool-resolve.ts"
import { toolSchema } from "./catalog/tool-schema.ts"
import type { PrincipalExecutor } from "./core/executor-api.ts"
import type { Principal } from "./core/principal.ts"
import { gate } from "./engine/gate.ts"
import type { GateParts } from "./engine/gate.ts"
import { createAuthenticate } from "./identity/authenticate.ts"
import type { Authenticate } from "./identity/authenticate.ts"
import { createToken, listTokens, removeToken } from "./identity/token-create.ts"

/** The product before anybody acts with it. */
export type ExecutorCore = {
  as(principal: Principal): PrincipalExecutor
  readonly authenticate: Authenticate
  close(): Promise<void>
}

type Parts = GateParts & ToolListParts

export function joinExecutor(catalog: CatalogParts): ExecutorCore {
  const parts: Parts = {
    ...catalog,
    staleSync: createStaleSync(catalog),
    resolver: createToolResolver(catalog.store),
    argsChecker: createArgsChecker(catalog),
  }
  return {
    as: (principal) => actAs(principal, parts),
    authenticate: createAuthenticate(catalog.store),
    async close() {
      await catalog.network.close()
      await catalog.store.close()
    },
  }
}

function actAs(principal: Principal, parts: Parts): PrincipalExecutor {
  return {
    tools: {
      list: (filter = {}) => listTools(principal, { includeBlocked: false, ...filter }, parts),
      page: (filter, page) => pageTools(principal, { includeBlocked: false, ...filter }, page, parts),
      schema: (address) => toolSchema(principal, address, parts.resolver, parts.store),
    },
    integrations: {
      list: (page = {}) => listIntegrations(principal, page, parts),
      get: async (slug) => viewIntegration(await getIntegration(principal, slug, parts)),
      add: (input) => addIntegration(principal, input, parts),
      update: (slug, change) => updateIntegration(principal, slug, change, parts),
      remove: (slug) => removeIntegration(principal, slug, parts),
      detect: (url) => detectIntegration(principal, url, parts),
      preview: (input) => previewIntegration(principal, input, parts),
    },
    connections: {
      list: (filter = {}) => listConnections(principal, filter, parts),
      get: async (key) => viewConnection(principal, await getConnection(principal, key, parts), parts),
      create: (input) => createConnection(principal, input, parts),
      update: (key, change) => updateConnection(principal, key, change, parts),
      refresh: (key) => refreshConnection(principal, key, parts),
      health: (key) => checkConnection(principal, key, parts),
      remove: (key) => removeConnection(principal, key, parts),
    },
    tokens: {
      list: (page = {}) => listTokens(principal, page, parts),
      create: (input) => createToken(principal, input, parts),
      remove: (id) => removeToken(principal, id, parts),
    },
    execute: (address, args = {}, options = {}) =>
      gate(
        {
          principal,
          path: address,
          args,
          signal: options.signal ?? new AbortController().signal,
          timeoutMs: options.timeoutMs ?? parts.limits.callTimeoutMs,
        },
        parts,
      ),
  }
}

export type { ConnectionKey, ExecuteOptions, ExecutorApi, PrincipalExecutor } from "./core/executor-api.ts"
