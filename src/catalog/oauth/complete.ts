// Finishes a consent: exchanges the provider's code for tokens, and creates the connection with its tools.
//
// A flow is used up before its code is sent anywhere, so that an answer counts once whatever becomes of it. Who may
// finish it was checked before: the browser that began it, or the token that asked for it.
import { ConnectionName, IntegrationSlug } from "../../core/address.ts"
import type { ConnectionView } from "../../core/connection.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { OauthComplete, OauthServer } from "../../core/oauth.ts"
import type { Principal } from "../../core/principal.ts"
import { openClient, forgetClient, readClientServer, exchangeCode } from "../../credentials/oauth/oauth.ts"
import type { SecretValues } from "../../credentials/vault.ts"
import { sha256 } from "../../io/ids.ts"
import { oauthFlowSecretRef } from "../../store/oauth-store.ts"
import type { OauthClientRow, OauthFlowRow } from "../../store/oauth-store.ts"
import type { IntegrationRow } from "../../store/store.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { requireManager } from "../connections/connection.ts"
import { getIntegration, readFacts } from "../integrations/integration.ts"
import { bindGrant } from "./bind.ts"
import { networkOf } from "./provider.ts"

/** `noted`: does the work and notes it as the action of that human. */
export type ConsentParts = CatalogParts & {
  noted<T>(human: Principal, subject: string, work: () => Promise<T>): Promise<T>
}

/** For whoever has the provider's answer without a browser of this server: bound to the token that started. */
export async function completeOauth(principal: Principal, input: OauthComplete, parts: ConsentParts): Promise<ConnectionView> {
  if (principal.kind === "agent")
    throw new ExecutorError("forbidden", "An agent cannot complete a consent; only the human who gives it can")
  const answer = answerOf(input)
  const flow = await findFlow(answer, parts)
  const isOwn = flow.tenant === principal.tenant && flow.user === principal.user && flow.tokenId === principal.tokenId
  if (!isOwn) throw unknownFlow()
  return finishFlow(principal, flow, answer, parts)
}

export async function findFlow(answer: URLSearchParams, parts: CatalogParts): Promise<OauthFlowRow> {
  const state = answer.get("state") ?? ""
  const flow = state === "" ? null : await parts.store.oauthFlows.findByState(sha256(state))
  if (flow === null) throw unknownFlow()
  return flow
}

/** `principal`: the human whom the flow is for. */
export const finishFlow = (
  principal: Principal,
  flow: OauthFlowRow,
  answer: URLSearchParams,
  parts: ConsentParts,
): Promise<ConnectionView> =>
  parts.noted(principal, `${flow.integration}.${flow.owner}.${flow.name}`, () => finish(principal, flow, answer, parts))

async function finish(principal: Principal, flow: OauthFlowRow, answer: URLSearchParams, parts: CatalogParts): Promise<ConnectionView> {
  requireManager(principal, flow.owner, "connect an integration")
  requireOpen(flow, parts)
  const integration = await getIntegration(principal, flow.integration, parts)
  const client = await parts.store.oauthClients.get(principal, flow.oauthClientId)
  const secrets = await parts.vaultOn(parts.store).open(principal, oauthFlowSecretRef(flow.id))
  if (client === null || secrets === null) throw new ExecutorError("conflict", "The OAuth client has been removed; start again")
  if (!(await parts.store.oauthFlows.use(flow, parts.clock.now().toISOString()))) throw usedFlow()
  await parts.vaultOn(parts.store).drop(principal, oauthFlowSecretRef(flow.id))
  return exchange(principal, flow, { answer, client, secrets, integration }, parts).catch(async (error: unknown) => {
    // Whoever waits elsewhere for this consent is told.
    await parts.store.oauthFlows.fail(flow, error instanceof ExecutorError ? error.message : "The connection could not be made")
    throw error
  })
}

type Answered = {
  readonly answer: URLSearchParams
  readonly client: OauthClientRow
  readonly secrets: SecretValues
  readonly integration: IntegrationRow
}

async function exchange(
  principal: Principal,
  flow: OauthFlowRow,
  { answer, client, secrets, integration }: Answered,
  parts: CatalogParts,
): Promise<ConnectionView> {
  const server = JSON.parse(flow.server) as OauthServer // written from one
  const requestedAt = parts.clock.now()
  const code = { answer, state: secrets["state"] ?? "", verifier: secrets["verifier"] ?? "", redirectUri: flow.redirectUri }
  const network = networkOf([...readFacts(integration).literalUrls, ...readClientServer(client).literalUrls], parts)
  const target = { server, resource: flow.resource, client: await openClient(principal, client, parts) }
  const exchanged = await exchangeCode(code, target, network)
  if (exchanged.status === "unavailable") throw new ExecutorError("upstream_unreachable", `${exchanged.message}; start again`)
  if (exchanged.status === "refused" && exchanged.what === "client") await forgetClient(principal, client.id, parts)
  if (exchanged.status === "refused")
    throw new ExecutorError("forbidden", `The provider rejected the code (${exchanged.reason}); start again`)

  const ref = { integration: IntegrationSlug.make(flow.integration), owner: flow.owner, connection: ConnectionName.make(flow.name) }
  const terms = {
    grantType: "authorization_code",
    oauthClientId: client.id,
    server,
    scopes: JSON.parse(flow.scopes) as string[], // a JSON array of text
    resource: flow.resource,
    origins: JSON.parse(flow.origins) as string[], // as above
  } as const
  return bindGrant(principal, ref, terms, { tokens: exchanged.tokens, requestedAt }, parts)
}

export function requireOpen(flow: OauthFlowRow, parts: CatalogParts): void {
  if (flow.usedAt !== null) throw usedFlow()
  if (flow.expiresAt <= parts.clock.now().toISOString())
    throw new ExecutorError("conflict", "This connection request has expired; start again")
}

function answerOf(input: OauthComplete): URLSearchParams {
  if (!("callbackUrl" in input))
    return new URLSearchParams({ state: input.state, code: input.code, ...(input.iss === undefined ? {} : { iss: input.iss }) })
  const url = URL.parse(input.callbackUrl)
  if (url === null) throw new ExecutorError("invalid_request", "callbackUrl must be the full URL to which the provider sent the browser")
  return url.searchParams
}

const usedFlow = (): ExecutorError => new ExecutorError("conflict", "This connection request has already been used; start again")

export const unknownFlow = (): ExecutorError =>
  new ExecutorError("not_found", "This request to connect does not exist; it may have expired or belong to someone else. Start again")
