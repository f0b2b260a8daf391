// The steps that humans take in their browser: review the request, go to the provider, and come back.
//
// A link alone proves nothing, since anybody may have sent it, and an agent that asked for it knows it as well. So the
// browser must be signed in as the human whom it is for. They see who asks for what, and it takes a click on our own
// page to go on; that click binds the flow to this one browser by a cookie, and only this browser can bring the
// provider's answer, signed in as the same human.
import { ConnectionName, IntegrationSlug } from "../../core/address.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { OauthBrowser, OauthOffer, OauthPages, OauthServer } from "../../core/oauth.ts"
import type { Principal, Scope } from "../../core/principal.ts"
import { newSecret, sha256 } from "../../io/ids.ts"
import { oauthFlowSecretRef } from "../../store/oauth-store.ts"
import type { OauthFlowRow, OauthGrantRow } from "../../store/oauth-store.ts"
import type { ConnectionRow } from "../../store/store.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { readBound } from "../connections/connection.ts"
import { findFlow, finishFlow, requireOpen, unknownFlow } from "./complete.ts"
import type { ConsentParts } from "./complete.ts"
import { humanOf } from "./human.ts"

export const createOauthPages = (parts: ConsentParts): OauthPages => ({
  async show(flowId, browser) {
    return offerOf(await openFlow(flowId, browser, parts), parts)
  },

  async startConsent(flowId, browser) {
    const flow = await openFlow(flowId, browser, parts)
    const name = cookieName(flow)
    const value = browser.cookie(name) ?? newSecret("browser")
    if (!(await parts.store.oauthFlows.bind(flow, sha256(value))))
      throw new ExecutorError("conflict", "This connection request was started in another browser; continue there, or start again")
    const secrets = await parts.vaultOn(parts.store).open(flow, oauthFlowSecretRef(flow.id))
    if (secrets?.["url"] === undefined) throw unknownFlow()
    return { providerUrl: secrets["url"], cookie: { name, value } }
  },

  async finish(answer, browser) {
    const flow = await findFlow(answer, parts)
    const cookie = browser.cookie(cookieName(flow))
    if (cookie === undefined || flow.browserHash === null || sha256(cookie) !== flow.browserHash)
      throw new ExecutorError("forbidden", "This response belongs to a connection request from another browser; start again in this one")
    requireSelf(flow, browser.viewer)
    const human = await humanOf(flow, parts)
    const connection = await finishFlow(human, flow, answer, parts)
    return { connection, redirectTo: flow.redirectTo, cookieName: cookieName(flow) }
  },
})

function requireSelf(owner: { readonly tenant: string; readonly user: string }, viewer: Principal): void {
  if (viewer.tenant !== owner.tenant || viewer.user !== owner.user)
    throw new ExecutorError("forbidden", `This connection request is for ${owner.user}, but you are signed in as ${viewer.user}`)
}

async function openFlow(id: string, browser: OauthBrowser, parts: CatalogParts): Promise<OauthFlowRow> {
  const flow = await parts.store.oauthFlows.findById(id)
  if (flow === null) throw unknownFlow()
  requireSelf(flow, browser.viewer)
  requireOpen(flow, parts)
  return flow
}

async function offerOf(flow: OauthFlowRow, parts: CatalogParts): Promise<OauthOffer> {
  const { integration, owner, name, scopes, server, resource, oauthClientId } = flow
  const ref = { integration: IntegrationSlug.make(integration), owner, connection: ConnectionName.make(name) }
  const connection = await parts.store.connections.get(flow, ref)
  return {
    ...(await termsOf(flow, { scopes, server, resource, oauthClientId }, connection, parts)),
    connection: `${integration}.${owner}.${name}`,
    user: flow.user,
    askedBy: flow.principalKind,
    origins: JSON.parse(flow.origins) as string[], // a JSON array of text
  }
}

type Terms = Pick<OauthGrantRow, "server" | "scopes" | "resource" | "oauthClientId">

async function termsOf(scope: Scope, terms: Terms, connection: ConnectionRow | null, parts: CatalogParts) {
  const server = JSON.parse(terms.server) as OauthServer // written from one
  const client = await parts.store.oauthClients.get(scope, terms.oauthClientId)
  return {
    provider: new URL(server.authorizationEndpoint ?? server.tokenEndpoint).host,
    scopes: JSON.parse(terms.scopes) as string[], // a JSON array of text
    resource: terms.resource,
    client: client === null ? null : `${client.name} (${client.clientId})`,
    replaces: connection !== null && readBound(connection).length > 0 ? connection.template : null,
  }
}

/** One cookie a flow, so that several can be under way in one browser. */
const cookieName = (flow: OauthFlowRow): string => `executor_oauth_${sha256(flow.id).slice(0, 16)}`
