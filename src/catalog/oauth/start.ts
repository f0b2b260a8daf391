// Starts a connection by OAuth: with a consent in a browser, or without one if the client acts on its own behalf.
import { ConnectionName } from "../../core/address.ts"
import type { ConnectionRef } from "../../core/address.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { OauthStart, OauthStarted } from "../../core/oauth.ts"
import { requireRight } from "../../core/principal.ts"
import type { Principal, Scope } from "../../core/principal.ts"
import { authorizationUrl, openClient, readClientServer, requestClientToken } from "../../credentials/oauth/oauth.ts"
import type { Authorization } from "../../credentials/oauth/oauth.ts"
import { newSecret, sha256 } from "../../io/ids.ts"
import { oauthFlowSecretRef } from "../../store/oauth-store.ts"
import type { OauthFlowRow } from "../../store/oauth-store.ts"
import type { IntegrationRow } from "../../store/store.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { readBound, readOrigins, requireManager } from "../connections/connection.ts"
import { getIntegration, readFacts } from "../integrations/integration.ts"
import { bindGrant } from "./bind.ts"
import { humanOf } from "./human.ts"
import { connectUrl, consentPath } from "./links.ts"
import { chooseProvider, networkOf } from "./provider.ts"
import type { Provider } from "./provider.ts"

/** An agent may ask for a consent, because it is a human who gives it; what the human may not do, neither can be asked for. */
export async function startOauth(principal: Principal, input: OauthStart, parts: CatalogParts): Promise<OauthStarted> {
  const owner = input.owner ?? "org"
  const isByClient = input.grant === "client_credentials"
  // Nobody consents to what a client does in its own name, so only who made the client may let others use it.
  if (isByClient) requireRight(principal, "connections.org", "connect an integration as an OAuth client itself")
  requireManager(await humanOf(principal, parts), owner, "connect an integration")
  const redirectTo = input.redirectTo === undefined ? null : checkRedirect(input.redirectTo)
  if (input.resource !== undefined) checkResource(input.resource)
  const integration = await getIntegration(principal, input.integration, parts)
  const ref: ConnectionRef = { integration: integration.slug, owner, connection: ConnectionName.make(input.name ?? "main") }
  const existing = await parts.store.connections.get(principal, ref)
  if (principal.kind === "agent" && existing !== null && readBound(existing).length > 0) throw await boundByHuman(principal, ref, parts)
  const provider = await chooseProvider(principal, integration, input, parts)
  const origins = existing === null ? readFacts(integration).origins : readOrigins(existing)
  if (isByClient) return connectByClient(principal, integration, ref, { provider, origins }, parts)

  const authorization = await authorizationUrl({
    server: provider.server,
    clientId: provider.client.clientId,
    redirectUri: parts.oauthLinks.redirectUri(),
    scopes: provider.scopes,
    resource: provider.resource,
    extra: JSON.parse(provider.client.authorizationParams) as Record<string, string>, // a JSON object of text
  })
  const flow = newFlow(principal, ref, { provider, origins, redirectTo, state: authorization.state }, parts)
  await keepFlow(flow, authorization, parts)
  const base = parts.oauthLinks.base()
  return {
    status: "consent_required",
    flowId: flow.id,
    authorizationUrl: base === null ? authorization.url : `${base}${consentPath}/${flow.id}`,
    providerUrl: principal.kind === "agent" ? null : authorization.url,
    expiresAt: flow.expiresAt,
  }
}

/** A human who consents to what an agent proposes must not thereby give up what they bound themselves. */
async function boundByHuman(scope: Scope, ref: ConnectionRef, parts: CatalogParts): Promise<ExecutorError> {
  const grant = await parts.store.oauthGrants.get(scope, ref)
  const url = grant === null ? null : connectUrl(grant, parts.oauthLinks)
  return new ExecutorError(
    "forbidden",
    `'${ref.integration}.${ref.owner}.${ref.connection}' already has a credential, which only a human can replace; ask a human, or choose another name`,
    url === null ? undefined : { connectUrl: url },
  )
}

/** With its first token, so that a wrong secret shows at once. */
async function connectByClient(
  principal: Principal,
  integration: IntegrationRow,
  ref: ConnectionRef,
  { provider, origins }: { provider: Provider; origins: readonly string[] },
  parts: CatalogParts,
): Promise<OauthStarted> {
  const { client, server, scopes, resource } = provider
  if (client.authMethod === "none")
    throw new ExecutorError("invalid_request", "client_credentials requires a client with a secret; create one with POST /oauth/clients")
  const requestedAt = parts.clock.now()
  const network = networkOf([...readFacts(integration).literalUrls, ...readClientServer(client).literalUrls], parts)
  const answer = await requestClientToken(scopes, { server, resource, client: await openClient(principal, client, parts) }, network)
  if (answer.status === "unavailable") throw new ExecutorError("upstream_unreachable", answer.message)
  if (answer.status === "refused")
    throw new ExecutorError("forbidden", `The provider did not issue a token to the OAuth client '${client.name}' (${answer.reason})`)
  const bound = { oauthClientId: client.id, server, scopes, resource, origins, grantType: "client_credentials" } as const
  return { status: "connected", connection: await bindGrant(principal, ref, bound, { tokens: answer.tokens, requestedAt }, parts) }
}

type FlowFacts = {
  readonly provider: Provider
  readonly origins: readonly string[]
  readonly redirectTo: string | null
  readonly state: string
}

function newFlow(principal: Principal, ref: ConnectionRef, facts: FlowFacts, parts: CatalogParts): OauthFlowRow {
  const now = parts.clock.now()
  const { client, server, scopes, resource } = facts.provider
  return {
    tenant: principal.tenant,
    user: principal.user,
    id: newSecret("flow"),
    principalKind: principal.kind,
    tokenId: principal.tokenId,
    stateHash: sha256(facts.state),
    browserHash: null,
    integration: ref.integration,
    owner: ref.owner,
    name: ref.connection,
    oauthClientId: client.id,
    server: JSON.stringify(server),
    scopes: JSON.stringify(scopes),
    resource,
    origins: JSON.stringify(facts.origins),
    redirectUri: parts.oauthLinks.redirectUri(),
    redirectTo: facts.redirectTo,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + parts.limits.oauthFlowMs).toISOString(),
    usedAt: null,
    error: null,
  }
}

const keepFlow = (flow: OauthFlowRow, { url, state, verifier }: Authorization, parts: CatalogParts): Promise<void> =>
  parts.store.transaction(async (store) => {
    await store.oauthFlows.put(flow)
    await parts.vaultOn(store).put(flow, oauthFlowSecretRef(flow.id), { url, state, verifier })
  })

/** Only a path of this server: anything else would let a link of ours lead anywhere. */
function checkRedirect(text: string): string {
  const isPath = /^\/(?![/\\])[^\\\p{C}]*$/u.test(text) && new URL(text, "http://here").origin === "http://here"
  if (!isPath) throw new ExecutorError("invalid_request", "redirectTo must be a path of this server, such as /connections")
  return text
}

/** Anything that names a resource (RFC 8707), and nothing that a browser would run. */
function checkResource(text: string): void {
  const url = URL.parse(text)
  const isNamed =
    url !== null && /^(urn:|[a-z][a-z0-9+.-]*:\/\/)/i.test(text) && !/^(javascript|data|file|blob|vbscript):$/.test(url.protocol)
  if (!isNamed || text.includes("#") || url.username !== "" || url.password !== "")
    throw new ExecutorError("invalid_request", "resource must be an absolute URI without a fragment, such as https://api.example.com")
}
