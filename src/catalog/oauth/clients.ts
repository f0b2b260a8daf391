// Creates, lists and removes the OAuth clients of a tenant.
import { readPage, viewPage } from "../../core/cursor.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { OauthClientCreate, OauthClientView, OauthServer } from "../../core/oauth.ts"
import type { Page, PageRequest } from "../../core/page.ts"
import { requireRight } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import { authMethodFor, readClientServer, secureUrl, discoverServer } from "../../credentials/oauth/oauth.ts"
import type { ClientServer } from "../../credentials/oauth/oauth.ts"
import { checkEnvReferences } from "../../credentials/env/reference.ts"
import { newId } from "../../io/ids.ts"
import { oauthClientSecretRef } from "../../store/oauth-store.ts"
import type { OauthClientRow } from "../../store/oauth-store.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { adminOrigins, refuseEnvReferences, refusePrivateUrls } from "../integrations/admin-text.ts"
import { getIntegration } from "../integrations/integration.ts"
import { discover, networkOf } from "./provider.ts"

export async function createOauthClient(principal: Principal, input: OauthClientCreate, parts: CatalogParts): Promise<OauthClientView> {
  requireRight(principal, "connections.org", "create an OAuth client")
  const integration = input.integration === undefined ? null : await getIntegration(principal, input.integration, parts)
  const written = [input.issuer, input.tokenEndpoint, input.authorizationEndpoint].filter((url) => url !== undefined)
  refusePrivateUrls(principal, written)
  refuseEnvReferences(principal, [input.clientSecret ?? "", input.clientId])
  const server = await serverFor(principal, input, parts)
  const secret = input.clientSecret ?? null
  if (secret !== null) checkEnvReferences(secret, parts.env)
  const row: OauthClientRow = {
    id: newId("oac"),
    kind: "manual",
    name: input.name ?? `${input.clientId.slice(0, 40)} at ${new URL(server.tokenEndpoint).host}`,
    clientId: input.clientId,
    authMethod: input.authMethod ?? (secret === null ? "none" : authMethodFor(server, "secret")),
    server: JSON.stringify(server),
    integration: integration?.slug ?? null,
    redirectUri: null,
    authorizationParams: JSON.stringify(checkParams(input.authorizationParams ?? {})),
    createdAt: parts.clock.now().toISOString(),
    expiresAt: null,
  }
  if ((secret === null) !== (row.authMethod === "none"))
    throw new ExecutorError(
      "invalid_request",
      `authMethod: '${row.authMethod}' ${secret === null ? "requires a clientSecret" : "does not take a clientSecret"}`,
    )
  await parts.store.transaction(async (store) => {
    await store.oauthClients.put(principal, row)
    if (secret !== null) await parts.vaultOn(store).put(principal, oauthClientSecretRef(row.id), { secret })
  })
  return viewClient(row, parts)
}

export async function listOauthClients(principal: Principal, page: PageRequest, parts: CatalogParts): Promise<Page<OauthClientView>> {
  requireRight(principal, "connections.org", "list OAuth clients")
  const rows = await readPage(
    page,
    parts.limits,
    (after) => parts.store.oauthClients.list(principal, after),
    ({ id }) => id,
  )
  return viewPage(rows, (row) => viewClient(row, parts))
}

/** Connections that were granted to it work until their token is to be renewed. */
export async function removeOauthClient(principal: Principal, id: string, parts: CatalogParts): Promise<void> {
  requireRight(principal, "connections.org", "remove an OAuth client")
  if (!(await parts.store.oauthClients.remove(principal, id)))
    throw new ExecutorError("not_found", `There is no OAuth client '${id.slice(0, 80)}'`)
}

/** Endpoints as written; else from the issuer's metadata; else what the integration says, shown in the answer and thereby confirmed. */
async function serverFor(principal: Principal, input: OauthClientCreate, parts: CatalogParts): Promise<ClientServer> {
  if (input.tokenEndpoint !== undefined) return writtenServer(principal, input.tokenEndpoint, input)
  if (input.authorizationEndpoint !== undefined)
    throw new ExecutorError("invalid_request", "tokenEndpoint is missing: an authorizationEndpoint alone does not issue tokens")
  if (input.issuer !== undefined) {
    const literalUrls = adminOrigins(principal, [input.issuer])
    return { ...(await discoverServer(input.issuer, networkOf(literalUrls, parts))), literalUrls }
  }
  if (input.integration === undefined)
    throw new ExecutorError(
      "invalid_request",
      "Specify the provider's issuer, its authorizationEndpoint and tokenEndpoint, or an integration that names the provider",
    )
  const found = await discover(principal, await getIntegration(principal, input.integration, parts), parts)
  return { ...found.server, literalUrls: [] }
}

function writtenServer(principal: Principal, tokenEndpoint: string, input: OauthClientCreate): ClientServer {
  const authorizationEndpoint = input.authorizationEndpoint ?? null
  const server: OauthServer = {
    issuer: input.issuer === undefined ? null : secureUrl(input.issuer, "issuer"),
    authorizationEndpoint: authorizationEndpoint === null ? null : secureUrl(authorizationEndpoint, "authorizationEndpoint"),
    tokenEndpoint: secureUrl(tokenEndpoint, "tokenEndpoint"),
    registrationEndpoint: null,
    scopesSupported: [],
    authMethods: [],
    sendsIssuer: false,
  }
  const written = authorizationEndpoint === null ? [tokenEndpoint] : [tokenEndpoint, authorizationEndpoint]
  return { ...server, literalUrls: adminOrigins(principal, written) }
}

const ownParams = ["response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method", "resource"]

function checkParams(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const taken = Object.keys(params).find((name) => ownParams.includes(name))
  if (taken !== undefined) throw new ExecutorError("invalid_request", `authorizationParams: '${taken}' is set by Executor itself`)
  return params
}

function viewClient(row: OauthClientRow, parts: CatalogParts): OauthClientView {
  const { issuer, authorizationEndpoint, tokenEndpoint } = readClientServer(row)
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    clientId: row.clientId,
    hasSecret: row.authMethod !== "none",
    authMethod: row.authMethod,
    integration: row.integration,
    issuer,
    authorizationEndpoint,
    tokenEndpoint,
    redirectUri: row.redirectUri ?? parts.oauthLinks.redirectUri(),
    createdAt: row.createdAt,
  }
}
