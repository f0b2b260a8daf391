// The store as one object: every noun's queries over one session.
import type { ExecutionStore } from "./execution-store.ts"
import { agentGrantQueries } from "./queries/agent-grants.ts"
import { browserSessionQueries } from "./queries/sign-in/browser-sessions.ts"
import { agentQueries, agentVersionQueries } from "./agents/agents.ts"
import { modelProviderQueries } from "./agents/model-providers.ts"
import { deliveryQueries } from "./notifications/deliveries.ts"
import { notificationQueries } from "./notifications/notifications.ts"
import { connectionQueries } from "./queries/connections.ts"
import { credentialQueries } from "./queries/credentials.ts"
import { documentQueries } from "./queries/documents.ts"
import { integrationQueries } from "./queries/integrations.ts"
import { invitationQueries } from "./queries/sign-in/invitations.ts"
import { oauthClientQueries } from "./queries/oauth-clients.ts"
import { oauthFlowQueries } from "./queries/oauth-flows.ts"
import { oauthGrantQueries } from "./queries/oauth-grants.ts"
import { passkeyChallengeQueries, passkeyQueries } from "./queries/passkeys.ts"
import { pinQueries } from "./queries/pins.ts"
import { policyQueries } from "./queries/policies.ts"
import { artifactQueries } from "./queries/registry/artifacts.ts"
import { toolConsentQueries } from "./queries/registry/consents.ts"
import { tenantCredentialQueries } from "./queries/registry/credentials.ts"
import { registryToolQueries } from "./queries/registry/tools.ts"
import { toolVersionQueries } from "./queries/registry/versions.ts"
import { pipelineChunkQueries } from "./retrieval/chunks.ts"
import { pipelineDocumentQueries } from "./retrieval/documents.ts"
import { pipelineIndexQueries } from "./retrieval/indexes.ts"
import { postgresLexical } from "./retrieval/lexical-postgres.ts"
import { sqliteLexical } from "./retrieval/lexical-sqlite.ts"
import { pipelineQueries } from "./retrieval/pipelines.ts"
import { toolEmbeddingQueries, toolVectorQueries } from "./retrieval/tool-vectors.ts"
import { roleQueries } from "./queries/roles.ts"
import { signInFlowQueries } from "./queries/sign-in/flows.ts"
import { identityQueries } from "./queries/sign-in/identities.ts"
import { signInProviderQueries } from "./queries/sign-in/providers.ts"
import { tenantQueries } from "./queries/tenants.ts"
import { tokenQueries } from "./queries/tokens.ts"
import { toolChangeQueries } from "./tool-changes/queries.ts"
import { toolNames } from "./queries/tool-names.ts"
import { toolSetQueries } from "./queries/tool-sets.ts"
import { toolQueries } from "./queries/tools.ts"
import { userQueries } from "./queries/users.ts"
import type { Reader, Session } from "./session.ts"
import type { Dialect } from "./statement.ts"
import { createBuilder } from "./statement.ts"
import type { Store } from "./store.ts"

/** What a database has besides its session. */
export type Database = {
  readonly dialect: Dialect
  readonly session: Session
  /** For reads that take long; null where they hold up nobody. */
  searcher(signal: AbortSignal): Reader | null
  revision(): string
  close(): Promise<void>
}

/** The two stores of one database; closing either is enough for executions, closing `store` is enough for both. */
export type Stores = { readonly store: Store; readonly executions: ExecutionStore }

export const joinStores = (database: Database, executions: ExecutionStore): Stores => ({
  executions,
  store: createStore({
    ...database,
    async close() {
      await executions.close()
      await database.close()
    },
  }),
})

export function createStore(database: Database): Store {
  const builder = createBuilder(database.dialect)
  // Statements are compiled here, once; a transaction binds the same ones to its own session.
  const tenants = tenantQueries(builder)
  const users = userQueries(builder)
  const roles = roleQueries(builder)
  const tokens = tokenQueries(builder)
  const browserSessions = browserSessionQueries(builder)
  const signInProviders = signInProviderQueries(builder)
  const signInFlows = signInFlowQueries(builder)
  const identities = identityQueries(builder)
  const passkeys = passkeyQueries(builder)
  const passkeyChallenges = passkeyChallengeQueries(builder)
  const invitations = invitationQueries(builder)
  const integrations = integrationQueries(builder)
  const connections = connectionQueries(builder)
  const toolChanges = toolChangeQueries(builder)
  const pins = pinQueries(builder)
  const names = toolNames(builder)
  const toolSets = toolSetQueries(builder, names)
  const tools = toolQueries(builder, names)
  const documents = documentQueries(builder)
  const credentials = credentialQueries(builder)
  const policies = policyQueries(builder)
  const oauthClients = oauthClientQueries(builder)
  const oauthFlows = oauthFlowQueries(builder)
  const oauthGrants = oauthGrantQueries(builder)
  const agentGrants = agentGrantQueries(builder)
  const registryTools = registryToolQueries(builder)
  const toolVersions = toolVersionQueries(builder)
  const artifacts = artifactQueries(builder)
  const tenantCredentials = tenantCredentialQueries(builder)
  const toolConsents = toolConsentQueries(builder)
  const agents = agentQueries(builder)
  const agentVersions = agentVersionQueries(builder)
  const modelProviders = modelProviderQueries(builder)
  const notifications = notificationQueries(builder)
  const deliveries = deliveryQueries(builder)
  const lexical = database.dialect === "sqlite" ? sqliteLexical : postgresLexical
  const pipelines = pipelineQueries(builder)
  const pipelineDocuments = pipelineDocumentQueries(builder)
  const pipelineIndexes = pipelineIndexQueries(builder, lexical)
  const pipelineChunks = pipelineChunkQueries(builder, lexical, (signal) => database.searcher(signal))
  const toolEmbeddings = toolEmbeddingQueries(builder)
  const toolVectors = toolVectorQueries(builder)

  const over = (session: Session): Store => ({
    tenants: tenants(session),
    users: users(session),
    roles: roles(session),
    tokens: tokens(session),
    browserSessions: browserSessions(session),
    signInProviders: signInProviders(session),
    signInFlows: signInFlows(session),
    identities: identities(session),
    passkeys: passkeys(session),
    passkeyChallenges: passkeyChallenges(session),
    invitations: invitations(session),
    integrations: integrations(session),
    connections: connections(session),
    pins: pins(session),
    toolChanges: toolChanges(session),
    toolSets: toolSets(session),
    tools: tools(session),
    documents: documents(session),
    credentials: credentials(session),
    policies: policies(session),
    oauthClients: oauthClients(session),
    oauthFlows: oauthFlows(session),
    oauthGrants: oauthGrants(session),
    agentGrants: agentGrants(session),
    registryTools: registryTools(session),
    toolVersions: toolVersions(session),
    artifacts: artifacts(session),
    tenantCredentials: tenantCredentials(session),
    toolConsents: toolConsents(session),
    agents: agents(session),
    agentVersions: agentVersions(session),
    modelProviders: modelProviders(session),
    notifications: notifications(session),
    deliveries: deliveries(session),
    pipelines: pipelines(session),
    pipelineDocuments: pipelineDocuments(session),
    pipelineIndexes: pipelineIndexes(session),
    pipelineChunks: pipelineChunks(session),
    toolEmbeddings: toolEmbeddings(session),
    toolVectors: toolVectors(session),
    revision: () => database.revision(),
    transaction: (work) => session.atomic((transaction) => work(over(transaction))),
    close: () => database.close(),
  })
  return over(database.session)
}
