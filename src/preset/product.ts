// Which implementations make the product: the one place that names them.
import { hkdfSync } from "node:crypto"
import { join } from "node:path"
import type { AuthorizationServer } from "../core/authorization-server.ts"
import type { Limits } from "../core/limits.ts"
import { withLimits } from "../core/limits.ts"
import { ExecutorError } from "../core/errors.ts"
import { createEncryptedVault } from "../credentials/encrypted/vault.ts"
import { keyFromDirectory, keyFromText } from "../credentials/encrypted/secret-key.ts"
import { resolveEnv } from "../credentials/env/reference.ts"
import { formsOf, secretRedactor } from "../credentials/redact.ts"
import { createGrantOpener } from "../credentials/oauth/oauth.ts"
import { readFacts } from "../catalog/integrations/integration.ts"
import { openPresetGallery } from "../catalog/presets/gallery.ts"
import { renameOwnedSlugs } from "../catalog/integrations/rename-owned.ts"
import { connectUrl, oauthLinks } from "../catalog/oauth/links.ts"
import { auditAnonymous } from "../engine/audit/anonymous.ts"
import { joinExecutor } from "../executor.ts"
import type { ExecutorCore } from "../executor.ts"
import type { AuthorizationServerOptions } from "../identity/consent/authorization-server.ts"
import { createAccess } from "../identity/access.ts"
import { ensureLocalUser } from "../identity/local-token.ts"
import { systemClock } from "../io/clock.ts"
import { makeDirectory } from "../io/directory-make.ts"
import { newId } from "../io/ids.ts"
import { createNetwork } from "../io/network/guarded-fetch.ts"
import type { Log } from "../io/log.ts"
import type { Network } from "../io/network/outbound.ts"
import type { Plugin } from "../plugin/definition.ts"
import { createBuiltinTools } from "../registry/builtins/builtins.ts"
import { createFunctions } from "../registry/functions/create.ts"
import type { DefinedFunctions } from "../registry/functions/define.ts"
import { createTenantCredentials } from "../registry/tenant-credentials.ts"
import { openRetrieval } from "../retrieval/retrieval.ts"
import { graphQLAdapter } from "../sources/graphql/adapter.ts"
import { openApiAdapter } from "../sources/openapi/adapter.ts"
import { createMcpAdapter } from "../sources/mcp/adapter.ts"
import { createPluginAdapter } from "../sources/plugin/adapter.ts"
import { findPublished } from "../agents/published.ts"
import { agentsAdapter } from "../sources/agents/adapter.ts"
import { createModelDriver } from "../models/ai-sdk/driver.ts"
import { createModels } from "../models/open.ts"
import { createMcpHints } from "../sources/registry/hints.ts"
import { createRegistryAdapter } from "../sources/registry/adapter.ts"
import type { SourceAdapter } from "../sources/source-adapter.ts"
import { createQuickJsSandbox } from "../sandbox/quickjs/sandbox.ts"
import { openPostgresStores } from "../store/postgres.ts"
import type { Stores } from "../store/rows.ts"
import { openSqliteStores } from "../store/sqlite.ts"
import type { Store } from "../store/store.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import { openAuthorizationServer } from "./authorization.ts"
import { loadConfig } from "./plugin-config.ts"
import { checkPlugins, installPlugins, pluginTools } from "./plugin-install.ts"
import { resolverModule } from "./plugin-resolve.ts"
import { lazySandbox } from "./sandbox-lazy.ts"
import type { Settings } from "../local/settings.ts"
import { productVersion } from "../local/version.ts"

export type Product = {
  readonly core: ExecutorCore
  readonly store: Store
  readonly storeKind: "sqlite" | "postgresql"
  readonly network: Network
  readonly limits: Limits
  readonly plugins: readonly Plugin[]
  authorizationServer(
    options: Omit<AuthorizationServerOptions, "key" | "outbound"> & Partial<AuthorizationServerOptions>,
  ): AuthorizationServer
  /** A key of its own for one purpose, the same on every node. */
  deriveKey(purpose: string): Uint8Array
}

export type ProductOptions = {
  readonly isLoopbackOnly: boolean
  /** A server's first execution should not wait for threads to start. */
  readonly startsWarm: boolean
  readonly limits?: Partial<Limits>
  /** Beside those of `executor.config.ts`. */
  readonly plugins?: readonly Plugin[]
  /** Beside those of `executor.config.ts`. */
  readonly functions?: DefinedFunctions
  readonly log: Log
  /** Where humans approve; null where there is no such page. */
  approvalUrl(executionId: string): string | null
  /** Where people go; null where nothing listens. */
  pagesUrl(): string | null
  /** Where providers send browsers back to; null where nothing listens. */
  publicUrl(): string | null
}

// An adapter's config is private to it: the map hands each one back exactly what its own `parseConfig` made.
const adapters: readonly SourceAdapter[] = [openApiAdapter, graphQLAdapter]

export async function openProduct(settings: Settings, options: ProductOptions): Promise<Product> {
  const limits = withLimits({ ...settings.limits, ...options.limits })
  const { log } = options
  const key = inDataDir(settings.dataDir, () => secretKey(settings))
  const vaultOn = createEncryptedVault(key)
  // Before anything is open: what is wrong with a plugin stops the start.
  const config = await loadConfig(settings.dataDir, settings.configPath)
  const plugins = checkPlugins([...(options.plugins ?? []), ...config.plugins])
  const functions = createFunctions([...(options.functions === undefined ? [] : [options.functions]), ...config.functions], {
    limits,
    resolverUrl: resolverModule,
  })
  const presets = openPresetGallery(settings.presetsPath)
  const { store, executions } = await openStores(settings)
  const network = createNetwork({
    allowPrivateHosts: [...settings.allowPrivateHosts],
    trustLiteralUrls: options.isLoopbackOnly,
    limits,
    log,
  })
  // For what strangers name: nobody is exempted here.
  const publicNetwork = createNetwork({ allowPrivateHosts: [], trustLiteralUrls: false, limits, log })
  const createSandbox = (): Sandbox => createQuickJsSandbox({ limits, clock: systemClock, log, spillDir: join(settings.dataDir, "spill") })
  const links = oauthLinks(options.pagesUrl, () => options.publicUrl() ?? settings.publicUrl ?? `http://${settings.host}:${settings.port}`)
  const access = createAccess(store, systemClock)
  const base = { store, access, vaultOn, network, env: settings.envAccess, limits, clock: systemClock, log, node: newId("node") }
  const grants = createGrantOpener({
    ...base,
    connectUrl: (grant) => connectUrl(grant, links),
    async literalUrls(scope, slug) {
      const row = await store.integrations.get(scope, slug)
      return row === null ? [] : readFacts(row).literalUrls
    },
  })
  const mcp = createMcpAdapter({
    limits,
    version: productVersion,
    allowsStdio: settings.allowStdio,
    redactor: secretRedactor,
    onToolsChanged: (identity) => core.resync(identity),
    onNotice: (identity, notice) => core.noticed(identity, notice),
  })
  const tenantCredentials = createTenantCredentials({ store, vaultOn, env: settings.envAccess })
  const models = createModels({ ...base, driver: createModelDriver({ network, limits, clock: systemClock }) })
  const retrieval = openRetrieval({ ...base, models, leaseMs: limits.leaseMs })
  const builtins = createBuiltinTools({
    // Addresses come from arguments: what an admin wrote into a config exempts nothing here.
    outbound: network.outbound({ literalUrls: [] }),
    limits,
    clock: systemClock,
    log,
    version: productVersion,
    functions,
    pipelines: retrieval.pipelines,
    tenantCredentials,
    serperApiKey: settings.serperApiKey,
  })
  const registryPorts = {
    network,
    version: productVersion,
    tenantCredentials,
    resolveEnv: (text: string) => resolveEnv(text, settings.envAccess),
    secretForms: formsOf,
    redactor: secretRedactor,
  }
  const registry = createRegistryAdapter({
    ...registryPorts,
    functions,
    builtins: {
      // A built-in does nothing that needs a right.
      call: (builtin, { scope, ...request }, given) =>
        builtins.callWith(builtin, { ...request, principal: { ...scope, roles: [], rights: [], kind: "agent", tokenId: null } }, given),
      effectOf: (builtin) => builtins.effectOf(builtin) ?? null,
    },
    pipelines: retrieval.pipelines,
    agents: { findPublished: (scope, ref) => findPublished(scope, ref, store) },
  })
  const sources = [...adapters, mcp.adapter as SourceAdapter, createPluginAdapter(plugins) as SourceAdapter, registry, agentsAdapter]
  const catalog = { ...base, grants, oauthLinks: links, adapters: new Map(sources.map((adapter) => [adapter.kind, adapter])) }
  const core = joinExecutor({
    ...catalog,
    executions,
    sandbox: options.startsWarm ? createSandbox() : lazySandbox(createSandbox),
    staticTools: [...builtins.tools, ...pluginTools(plugins, { outbound: network.outbound({ literalUrls: [] }), limits, log })],
    async closeSources() {
      await retrieval.close()
      await builtins.close()
      await functions.close()
      await mcp.close()
      await publicNetwork.close()
    },
    functions,
    models,
    presets,
    mcpHints: createMcpHints({ ...registryPorts, limits, log }),
    retrieval: retrieval.parts,
    toolMeaning: retrieval.toolMeaning,
    leaseMs: limits.leaseMs,
    isSsoOnly: settings.isSsoOnly,
    isSearchLearning: settings.isSearchLearning,
    approvalUrl: options.approvalUrl,
  })
  try {
    await ensureLocalUser(store)
    for (const { tenant, from, to } of await renameOwnedSlugs(base)) {
      const details = { before: { slug: from }, after: { slug: to } }
      await auditAnonymous(
        tenant,
        { action: "integration.rename", subject: from, outcome: "ok", details },
        { executions, clock: systemClock },
      )
    }
    await installPlugins(plugins, catalog)
  } catch (error) {
    await core.close()
    throw error
  }
  const storeKind = settings.databaseUrl === null ? "sqlite" : "postgresql"
  const deriveKey = (purpose: string): Uint8Array => new Uint8Array(hkdfSync("sha256", key, "", `executor/${purpose}`, 32))
  const authorizationServer: Product["authorizationServer"] = (given) =>
    openAuthorizationServer(
      { outbound: publicNetwork.outbound({ literalUrls: [] }), key: deriveKey("agent-consent"), ...given },
      { store, executions, access, limits, core },
    )
  return { core, store, storeKind, network, limits, plugins, deriveKey, authorizationServer }
}

const openStores = (settings: Settings): Promise<Stores> =>
  settings.databaseUrl === null
    ? openSqliteStores({ path: join(settings.dataDir, "executor.db") })
    : openPostgresStores({ url: settings.databaseUrl })

/** What the file system refuses is the operator's to mend. */
function inDataDir<T>(dataDir: string, work: () => T): T {
  try {
    makeDirectory(dataDir)
    return work()
  } catch (error) {
    if (error instanceof ExecutorError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new ExecutorError(
      "invalid_request",
      `The data directory ${dataDir} cannot be used (${reason}). Choose another with EXECUTOR_DATA_DIR, or let this user write to it`,
    )
  }
}

/** Nodes on one PostgreSQL must share the key, so it cannot be made by one of them. */
function secretKey(settings: Settings): Uint8Array {
  if (settings.secretKey !== null) return keyFromText(settings.secretKey)
  if (settings.databaseUrl === null) return keyFromDirectory(settings.dataDir)
  throw new ExecutorError(
    "invalid_request",
    "EXECUTOR_SECRET_KEY is required with PostgreSQL: create one with `openssl rand -base64 32` and set it on every node",
  )
}
