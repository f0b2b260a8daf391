// The composition root: joins the ports into one object that acts as a given principal.
import { createArgsChecker } from "./catalog/tools/argument-checks.ts"
import { createBuiltins } from "./catalog/builtins/builtins.ts"
import { coreTools } from "./catalog/builtins/core-tools.ts"
import { evaluateSearch, searchTools } from "./catalog/builtins/search.ts"
import type { DiscoveryParts } from "./catalog/builtins/discovery-parts.ts"
import { resyncConnection } from "./catalog/connections/list.ts"
import type { CatalogParts } from "./catalog/catalog-parts.ts"
import { createOauthPages } from "./catalog/oauth/pages.ts"
import { createStaleSync } from "./catalog/connections/stale-sync.ts"
import { createStaticTools } from "./catalog/static-tool.ts"
import type { StaticTool } from "./catalog/static-tool.ts"
import { createLearnedUse } from "./catalog/search-use/learned.ts"
import { createInventory } from "./catalog/tools/inventory.ts"
import { listTools, pageTools, summarizeTools } from "./catalog/tools/list.ts"
import { createToolSearch } from "./catalog/tools/search.ts"
import { createToolResolver } from "./catalog/tools/resolver.ts"
import { catalogTypes } from "./catalog/tools/declarations.ts"
import { toolSchema } from "./catalog/tools/schema.ts"
import type { ExecutorApi } from "./core/executor-api.ts"
import type { SignInPages } from "./core/people/sign-in.ts"
import { viewLimits } from "./core/limits/limit-view.ts"
import type { OauthPages } from "./core/oauth.ts"
import type { PasskeyPages } from "./core/people/passkey.ts"
import type { SourceNotice } from "./core/call/pass-through.ts"
import type { Principal } from "./core/principal.ts"
import type { EngineParts } from "./engine/engine-parts.ts"
import { createCodeSyntax } from "./engine/programs/code-syntax.ts"
import { createRunRegistry } from "./engine/executions/run-registry.ts"
import { releaseRuns } from "./engine/cluster/hand-over.ts"
import { readResultText } from "./engine/executions/history.ts"
import { createFairQueue } from "./io/fair-queue.ts"
import type { PresetGallery } from "./catalog/presets/gallery.ts"
import { presetsApi } from "./catalog/presets/list.ts"
import { createPolicyEvaluator } from "./catalog/policies/evaluator.ts"
import { policiesApi } from "./engine/policies-api.ts"
import { listSearches } from "./engine/audit/searches.ts"
import { diffToolVersions } from "./engine/tool-version-diff.ts"
import { toolVersions } from "./engine/tool-versions.ts"
import { peopleApi } from "./engine/people-api.ts"
import { oauthApi, withConsentAudit } from "./engine/oauth-api.ts"
import { pipelinesApi } from "./engine/pipelines-api.ts"
import { toolEmbeddingApi } from "./engine/audit/tool-embedding.ts"
import { registryApi } from "./engine/registry-api.ts"
import { agentsApi } from "./engine/agents-api.ts"
import { workspacesApi } from "./engine/workspaces-api.ts"
import { createWorkspaces } from "./workspaces/workspaces.ts"
import type { Workspaces } from "./workspaces/workspaces.ts"
import { signInApi } from "./engine/sign-in-api.ts"
import { createMcpHostApi } from "./engine/mcp-host-api.ts"
import type { McpHostApi, NoticeListener } from "./engine/mcp-host-api.ts"
import { onNodeSignal } from "./engine/cluster/signals.ts"
import { createSharedPlaces } from "./engine/cluster/shared-places.ts"
import { startRecovery } from "./engine/cluster/recover.ts"
import { createShownPauses } from "./engine/executions/pause-shown.ts"
import { createHeldBytes } from "./engine/gate/held-bytes.ts"
import { createStoredQuota } from "./engine/executions/stored-quota.ts"
import { createWaitingQuota } from "./engine/approvals/waiting-quota.ts"
import { createTokenNames } from "./engine/audit/token-names.ts"
import { isAgentPublished } from "./agents/published.ts"
import { createToolBinder } from "./agents/loop/bound-tools.ts"
import { createAgentRunner } from "./agents/loop/loop.ts"
import { createRegistryListing } from "./registry/ports/listing.ts"
import { createWorkingCopies } from "./registry/ports/working-tool.ts"
import { createAuthenticate } from "./identity/authenticate.ts"
import type { Authenticate } from "./identity/authenticate.ts"
import { createBrowserSessions } from "./identity/session-open.ts"
import type { BrowserSessions } from "./identity/session-open.ts"
import { noFunctions, noHints, noReferences } from "./registry/parts.ts"
import type { RegistryParts } from "./registry/parts.ts"
import type { RetrievalParts } from "./retrieval/parts.ts"
import type { ToolMeaningSearch } from "./retrieval/tool-meaning/tool-meaning.ts"
import { idleRetrieval, idleToolMeaning, pipelineExists } from "./retrieval/retrieval.ts"
import { noModels } from "./models/model.ts"
import type { Models } from "./models/model.ts"
import type { ConnectionIdentity } from "./sources/source-adapter.ts"
import { acceptInvited } from "./identity/people/invitations.ts"
import { createSignInPages } from "./identity/sign-in/pages.ts"
import { executionsApi } from "./engine/executions-api.ts"
import { notificationsApi, startNotifications } from "./engine/notifications-api.ts"
import { watchApprovals } from "./engine/approvals/changes.ts"
import type { ApprovalChanges } from "./engine/approvals/changes.ts"
import { openEvents } from "./engine/events/events.ts"
import type { Events } from "./engine/events/events.ts"
import { createCodeSignIn } from "./engine/audit/code-sign-in.ts"
import type { CodeSignIn } from "./engine/audit/code-sign-in.ts"
import { signInAudit } from "./engine/audit/sign-in.ts"
import { connectionsOf, integrationsOf } from "./engine/audit/catalog-changes.ts"
import { openPasskeyPages, passkeyApi } from "./engine/passkeys.ts"

/** The product before anybody acts with it. */
export type ExecutorCore = {
  as(principal: Principal): ExecutorApi
  readonly authenticate: Authenticate
  readonly browserSessions: BrowserSessions
  readonly signInWithCode: CodeSignIn
  readonly oauthPages: OauthPages
  readonly signInPages: SignInPages
  readonly passkeyPages: PasskeyPages
  /** What the MCP host needs beyond acting as a principal. It is no part of the API, so that no other surface can reach it. */
  readonly host: McpHostApi
  /** A source says that the tools of one of its connections are others now. */
  resync(identity: ConnectionIdentity): Promise<void>
  /** A source says what its upstream said. */
  noticed(identity: ConnectionIdentity, notice: SourceNotice): void
  /** Goes on at once with what processes that ended have left, instead of at the next tick. */
  recover(): Promise<void>
  /** Ends the runs of this process, whose callers learn that they go on elsewhere; whoever comes next takes them up at once. */
  endRuns(): Promise<void>
  close(): Promise<void>
}

export type { McpHostApi } from "./engine/mcp-host-api.ts"

export type ExecutorParts = CatalogParts &
  Pick<EngineParts, "executions" | "sandbox" | "node" | "leaseMs" | "isSsoOnly" | "approvalUrl"> & {
    /** Of plugins without auth. */
    readonly staticTools: readonly StaticTool[]
    /** The functions that tools may call; by default none. */
    readonly functions?: RegistryParts["functions"]
    /** The pipelines and agents that tools may name; by default none. */
    readonly references?: RegistryParts["references"]
    /** What MCP servers say of their tools; by default nothing. */
    readonly mcpHints?: RegistryParts["mcpHints"]
    /** By default there are none. */
    readonly models?: Models
    /** What pipelines are indexed and asked with; by default without vectors. */
    readonly retrieval?: RetrievalParts
    /** Finds tools by meaning; by default nothing makes vectors. */
    readonly toolMeaning?: ToolMeaningSearch
    /** By default those that the product brings. */
    readonly presets?: PresetGallery
    /** Whether what agents called after their searches orders the next ones; by default it does. */
    readonly isSearchLearning?: boolean
    /** Ends the sessions that sources hold. */
    closeSources(): Promise<void>
  }

type Found = DiscoveryParts & { readonly workspaceTools: Workspaces }
type Parts = EngineParts &
  Pick<ExecutorParts, "presets"> &
  Found &
  RegistryParts & {
    readonly models: Models
    readonly retrieval: RetrievalParts
    readonly toolMeaning: ToolMeaningSearch
    readonly approvalChanges: ApprovalChanges
    readonly events: Events
  }

/** Everything that the functions below take as their last parameter. */
export function joinParts(given: ExecutorParts): Parts {
  const { store, functions = noFunctions, models = noModels } = given
  const resolver = createToolResolver(store)
  const policyEvaluator = createPolicyEvaluator(store)
  const staleSync = createStaleSync(given)
  const staticTools = createStaticTools([...coreTools((principal) => actAs(principal, parts)), ...given.staticTools])
  const references = { ...noReferences, hasPipeline: pipelineExists, hasAgent: isAgentPublished, ...given.references }
  const codeSyntax = createCodeSyntax(given)
  const { mcpHints = noHints } = given
  const registryParts = { ...given, staticTools, functions, references, codeSyntax, mcpHints }
  const fairQueue = createFairQueue()
  const seen = { access: given.access, policyEvaluator, staticTools }
  const workspaceTools = createWorkspaces(given.limits)
  const toolMeaning = given.toolMeaning ?? idleToolMeaning(given)
  const found: Found = {
    ...given,
    fairQueue,
    staticTools,
    staleSync,
    registryListing: createRegistryListing(registryParts),
    workingCopies: createWorkingCopies(registryParts),
    workspaceTools,
    resolver,
    policyEvaluator,
    finder: createToolSearch({ ...seen, workspaceTools, store, fairQueue, clock: given.clock }),
    inventory: createInventory({ ...seen, store }),
    learnedUse: createLearnedUse(given),
    meaning: toolMeaning,
  }
  const { executions: watched, changes: approvalChanges } = watchApprovals(given.executions)
  const { executions, events } = openEvents(watched, given.log)
  const parts: Parts = {
    ...given,
    ...found,
    functions,
    references,
    codeSyntax,
    mcpHints,
    retrieval: given.retrieval ?? idleRetrieval(given),
    toolMeaning,
    models,
    runners: { code: given.sandbox, agent: createAgentRunner({ models, binder: createToolBinder(found), limits: given.limits }) },
    executions,
    approvalChanges,
    events,
    argsChecker: createArgsChecker(given),
    runs: createRunRegistry(),
    places: createSharedPlaces(given),
    tokenNames: createTokenNames(store),
    shownPauses: createShownPauses(given.executions, given.log),
    waitingQuota: createWaitingQuota(executions.approvals, given.limits, given.clock),
    storedQuota: createStoredQuota({ ...given, rows: executions.executions }),
    heldBytes: createHeldBytes(),
    builtins: createBuiltins({ ...found, readResult: (principal, id, piece) => readResultText(principal, id, piece, parts) }),
  }
  return parts
}

export function joinExecutor(given: ExecutorParts): ExecutorCore {
  const { store } = given
  const parts = joinParts(given)
  const recovery = startRecovery(parts)
  const stopListening = onNodeSignal(parts)
  const stopNotifications = startNotifications(parts)
  let ending: Promise<void> | null = null
  const endRuns = (): Promise<void> => (ending ??= endOnce())
  async function endOnce(): Promise<void> {
    stopListening()
    await stopNotifications()
    await recovery.stop()
    await given.sandbox.close()
    await releaseRuns(parts)
  }
  const browserSessions = createBrowserSessions(given, parts.access)
  const noticeListeners = new Set<NoticeListener>()
  const acting = new WeakMap<Principal, ExecutorApi>()
  return {
    as(principal) {
      const known = acting.get(principal) ?? actAs(principal, parts)
      acting.set(principal, known)
      return known
    },
    authenticate: createAuthenticate(store, parts.access, given.clock),
    browserSessions,
    signInWithCode: createCodeSignIn(browserSessions, parts),
    oauthPages: createOauthPages(withConsentAudit(parts)),
    signInPages: createSignInPages({
      ...parts,
      browserSessions,
      audit: signInAudit("signin.oidc", parts),
      acceptInvitation: (invited, rows) => acceptInvited(invited, rows, parts),
    }),
    passkeyPages: openPasskeyPages(browserSessions, parts),
    host: createMcpHostApi({ ...parts, noticeListeners }),
    noticed: (identity, notice) => noticeListeners.forEach((listener) => listener(identity, notice)),
    resync: (identity) => resyncConnection(identity, parts),
    recover: () => recovery.tick(),
    endRuns,
    async close() {
      await endRuns()
      await parts.events.close()
      await given.closeSources()
      await given.network.close()
      await given.executions.close()
      await store.close()
    },
  }
}

function actAs(principal: Principal, parts: Parts): ExecutorApi {
  return {
    tools: {
      list: (filter = {}, options = {}) => listTools(principal, { includeBlocked: false, ...filter }, options, parts),
      page: (filter, page) => pageTools(principal, { includeBlocked: false, ...filter }, page, parts),
      summary: (filter = {}) => summarizeTools(principal, { includeBlocked: false, ...filter }, parts),
      inventory: () => parts.inventory(principal),
      schema: (address) => toolSchema(principal, address, parts),
      versions: (address, page = {}) => toolVersions(principal, address, page, parts),
      diffVersions: (address, between) => diffToolVersions(principal, address, between, parts),
      search: (query) => searchTools(principal, query, parts),
      searches: (filter = {}) => listSearches(principal, filter, parts),
      types: (options = {}) => catalogTypes(principal, options, parts),
      evaluate: (cases, { signal } = {}) => evaluateSearch(principal, cases, parts, signal),
    },
    integrations: integrationsOf(principal, parts),
    presets: presetsApi(parts),
    connections: connectionsOf(principal, parts),
    oauth: oauthApi(principal, parts),
    ...peopleApi(principal, parts),
    ...registryApi(principal, parts),
    pipelines: pipelinesApi(principal, parts),
    toolEmbedding: toolEmbeddingApi(principal, parts),
    ...agentsApi(principal, parts),
    workspaces: workspacesApi(principal, parts),
    signIn: signInApi(principal, parts),
    passkeys: passkeyApi(principal, parts),
    ...policiesApi(principal, parts),
    ...executionsApi(principal, parts),
    notifications: notificationsApi(principal, parts),
    limits: { list: async () => viewLimits(parts.limits) },
  }
}
