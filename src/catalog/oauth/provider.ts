// Decides at which provider, and as which client, an integration gets its tokens.
//
// In this order: the client that was asked for; the one that an admin made for the integration; the provider that the
// integration's document or the resource itself names, where we register ourselves. Endpoints always come from the
// issuer's own metadata, or from what an admin wrote or confirmed when making the client.
import { executorCommandOnPages } from "../../io/executor-command.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { OauthServer, OauthStart } from "../../core/oauth.ts"
import type { Principal, Scope } from "../../core/principal.ts"
import { registerClient, readClientServer, probeResource, discoverServer } from "../../credentials/oauth/oauth.ts"
import type { ProviderNetwork } from "../../credentials/oauth/oauth.ts"
import { sha256 } from "../../io/ids.ts"
import { oauthClientSecretRef } from "../../store/oauth-store.ts"
import type { OauthClientRow } from "../../store/oauth-store.ts"
import { eachPage } from "../../store/all-rows.ts"
import type { After, IntegrationRow } from "../../store/store.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { openIntegration, readFacts } from "../integrations/integration.ts"
import { documentOauth, documentScopes } from "./document.ts"

export type Provider = {
  readonly client: OauthClientRow
  readonly server: OauthServer
  readonly scopes: readonly string[]
  readonly resource: string | null
}

/** What an integration says about where its tokens come from. */
export type Discovery = { readonly server: OauthServer; readonly scopes: readonly string[]; readonly resource: string | null }

export async function chooseProvider(
  principal: Principal,
  integration: IntegrationRow,
  input: OauthStart,
  parts: CatalogParts,
): Promise<Provider> {
  const known =
    input.client === undefined ? await ownClient(principal, integration, parts) : await findClient(principal, input.client, parts)
  const found = known === null ? await discover(principal, integration, parts) : await withClient(principal, integration, known, parts)
  const client = known ?? (await registeredClient(principal, integration, found.server, parts))
  return {
    client,
    server: found.server,
    resource: input.resource ?? found.resource,
    scopes: input.scopes === undefined ? defaultScopes(found, parts) : checkScopes(input.scopes, parts),
  }
}

async function findClient(scope: Scope, wanted: string, parts: CatalogParts): Promise<OauthClientRow> {
  const client = (await parts.store.oauthClients.get(scope, wanted)) ?? (await someClient(scope, (row) => row.clientId === wanted, parts))
  if (client === null) throw new ExecutorError("not_found", `There is no OAuth client '${wanted.slice(0, 80)}'`)
  return client
}

const ownClient = (scope: Scope, integration: IntegrationRow, parts: CatalogParts): Promise<OauthClientRow | null> =>
  someClient(scope, (row) => row.kind === "manual" && row.integration === integration.slug, parts)

async function someClient(scope: Scope, fits: (row: OauthClientRow) => boolean, parts: CatalogParts): Promise<OauthClientRow | null> {
  const list = (page: After<string>): Promise<OauthClientRow[]> => parts.store.oauthClients.list(scope, page)
  for await (const rows of eachPage(list, (row) => row.id)) {
    const found = rows.find(fits)
    if (found !== undefined) return found
  }
  return null
}

/** Where the client says; what to ask for may still be known from the integration. */
async function withClient(scope: Scope, integration: IntegrationRow, client: OauthClientRow, parts: CatalogParts): Promise<Discovery> {
  const { literalUrls: _, ...server } = readClientServer(client)
  if (integration.kind !== "mcp") return { server, scopes: documentScopes(integration), resource: null }
  const probed = await probeIntegration(scope, integration, parts)
  return { server, scopes: probed.scopes, resource: probed.resource }
}

/** From the document, else from the resource itself. */
export async function discover(scope: Scope, integration: IntegrationRow, parts: CatalogParts): Promise<Discovery> {
  const stated = documentOauth(integration)
  if (stated?.kind === "endpoints") return { server: stated.server, scopes: stated.scopes, resource: null }
  const network = networkOf(readFacts(integration).literalUrls, parts)
  if (stated?.kind === "issuer") return { server: await discoverServer(stated.issuer, network), scopes: stated.scopes, resource: null }
  const probed = await probeIntegration(scope, integration, parts)
  if (probed.issuer === null && !probed.isGuarded && needsNothing(integration))
    throw new ExecutorError(
      "invalid_request",
      `'${integration.slug}' needs no credentials: a human connects it with ${executorCommandOnPages} connections add ${integration.slug}`,
    )
  if (probed.issuer === null)
    throw new ExecutorError(
      "invalid_request",
      `'${integration.slug}' does not name an OAuth provider${probed.problems.map((problem) => `; ${problem}`).join("")}. Register the provider's issuer or endpoints with POST /oauth/clients`,
    )
  return { server: await discoverServer(probed.issuer, network), scopes: probed.scopes, resource: probed.resource }
}

const needsNothing = (integration: IntegrationRow): boolean => readFacts(integration).auth.every((option) => option.template === "none")

async function probeIntegration(scope: Scope, integration: IntegrationRow, parts: CatalogParts) {
  const url = await resourceUrl(scope, integration, parts)
  const isMcp = integration.kind === "mcp"
  const probe = await probeResource(url, isMcp ? "mcp" : "plain", networkOf(readFacts(integration).literalUrls, parts))
  return {
    url,
    // Before RFC 9728 an MCP server was its own issuer.
    issuer: probe.resource?.authorizationServers[0] ?? (isMcp ? new URL(url).origin : null),
    scopes: probe.challengeScopes ?? probe.resource?.scopes ?? [],
    resource: probe.resource?.resource ?? (isMcp ? url : null),
    problems: probe.problems,
    /** Whether it refuses whoever comes without a token; one that does not answer may well do so. */
    isGuarded: probe.status === null || probe.status === 401 || probe.status === 403 || probe.challenge !== null,
  }
}

/** What a token would be for: the address that calls go to, without anything secret. */
export async function resourceUrl(scope: Scope, integration: IntegrationRow, parts: CatalogParts): Promise<string> {
  const { config } = await openIntegration(scope, integration, parts)
  const fields = new Map(Object.entries(typeof config === "object" && config !== null ? config : {}))
  const candidates = [fields.get("url"), fields.get("endpoint"), fields.get("baseUrl"), readFacts(integration).origins[0]]
  const text = candidates.find((one): one is string => typeof one === "string" && URL.canParse(one))
  if (text === undefined) throw new ExecutorError("invalid_request", `'${integration.slug}' has no address to request a token for`)
  const url = new URL(text)
  return `${url.origin}${url.pathname === "/" ? "" : url.pathname}`
}

/** One per issuer and redirect URI: its id follows from both, so that two who register at once end with one. */
async function registeredClient(
  scope: Scope,
  integration: IntegrationRow,
  server: OauthServer,
  parts: CatalogParts,
): Promise<OauthClientRow> {
  const redirectUri = parts.oauthLinks.redirectUri()
  const id = `registered_${sha256(`${server.issuer ?? server.tokenEndpoint}\0${redirectUri}`).slice(0, 32)}`
  const now = parts.clock.now().toISOString()
  const known = await parts.store.oauthClients.get(scope, id)
  if (known !== null && (known.expiresAt === null || known.expiresAt > now)) return known
  const made = await registerClient(server, redirectUri, networkOf(readFacts(integration).literalUrls, parts))
  const row: OauthClientRow = {
    id,
    kind: "registered",
    name: `Executor at ${new URL(server.tokenEndpoint).host}`,
    clientId: made.clientId,
    authMethod: made.authMethod,
    server: JSON.stringify({ ...server, literalUrls: [] }),
    integration: null,
    redirectUri,
    authorizationParams: "{}",
    createdAt: now,
    expiresAt: made.expiresAtMs === null ? null : new Date(made.expiresAtMs).toISOString(),
  }
  return parts.store.transaction(async (store) => {
    const other = await store.oauthClients.get(scope, id)
    if (other !== null && other.clientId !== known?.clientId) return other
    await store.oauthClients.put(scope, row)
    const vault = parts.vaultOn(store)
    const ref = oauthClientSecretRef(id)
    await (made.secret === null ? vault.drop(scope, ref) : vault.put(scope, ref, { secret: made.secret }))
    return row
  })
}

export const networkOf = (literalUrls: readonly string[], parts: CatalogParts): ProviderNetwork => ({
  outbound: parts.network.outbound({ literalUrls }),
  limits: parts.limits,
})

const scopePattern = /^[\x21\x23-\x5B\x5D-\x7E]+$/

/** All that is known to be useful, and what makes a provider give a refresh token. */
function defaultScopes({ server, scopes }: Discovery, parts: CatalogParts): string[] {
  const offline = server.scopesSupported.includes("offline_access") ? ["offline_access"] : []
  const wanted = scopes.filter((scope) => scopePattern.test(scope))
  // A provider that speaks OpenID Connect gives `offline_access` together with `openid` only.
  const openid = offline.length > 0 && server.scopesSupported.includes("openid") ? ["openid"] : []
  return [...new Set([...openid, ...wanted, ...offline])].slice(0, parts.limits.oauthScopesMax)
}

function checkScopes(scopes: readonly string[], parts: CatalogParts): string[] {
  const wrong = scopes.find((scope) => !scopePattern.test(scope))
  if (wrong !== undefined) throw new ExecutorError("invalid_request", `scopes: ${JSON.stringify(wrong.slice(0, 80))} is not a valid scope`)
  if (scopes.length > parts.limits.oauthScopesMax)
    throw new ExecutorError("invalid_request", `scopes: at most ${parts.limits.oauthScopesMax} can be requested`)
  return [...new Set(scopes)]
}
