// What humans do in their browser: see what is asked, go to the provider, and come back.
//
// A link alone proves nothing, since anybody may have sent it. So a human first sees who asks for what, and it takes a
// click on our own page to go on; that click binds the flow to this one browser by a cookie, and only this browser can
// bring the provider's answer. Whoever is signed in here as somebody else is turned away.
import { ExecutorError } from "../core/errors.ts"
import type { OauthBrowser, OauthOffer, OauthPages, OauthServer } from "../core/oauth.ts"
import type { Principal } from "../core/principal.ts"
import { newSecret, sha256 } from "../io/ids.ts"
import { oauthFlowSecretRef } from "../store/oauth-store.ts"
import type { OauthFlowRow, OauthGrantRow } from "../store/oauth-store.ts"
import type { CatalogParts } from "./catalog-parts.ts"
import { findFlow, finishFlow, requireOpen, unknownFlow } from "./oauth-complete.ts"
import type { ConsentParts } from "./oauth-complete.ts"
import { startOauth } from "./oauth-start.ts"

export const createOauthPages = (parts: ConsentParts): OauthPages => ({
  async show(link, browser) {
    if (link.kind === "connect") return offerAgain(await findGrant(link.key, browser, parts), parts)
    const flow = await openFlow(link.id, browser, parts)
    return offerOf(flow, JSON.parse(flow.server) as OauthServer) // written from one
  },

  async leave(link, browser) {
    const flow =
      link.kind === "flow"
        ? await openFlow(link.id, browser, parts)
        : await restart(await findGrant(link.key, browser, parts), browser, parts)
    const name = cookieName(flow)
    const value = browser.cookie(name) ?? newSecret("browser")
    if (!(await parts.store.oauthFlows.bind(flow, sha256(value))))
      throw new ExecutorError("conflict", "This request to connect was begun in another browser; go on there, or start again")
    const secrets = await parts.vaultOn(parts.store).open(flow, oauthFlowSecretRef(flow.id))
    if (secrets?.["url"] === undefined) throw unknownFlow()
    return { providerUrl: secrets["url"], cookie: { name, value } }
  },

  async finish(answer, browser) {
    const flow = await findFlow(answer, parts)
    const cookie = browser.cookie(cookieName(flow))
    if (cookie === undefined || flow.browserHash === null || sha256(cookie) !== flow.browserHash)
      throw new ExecutorError("forbidden", "This answer belongs to a request that was begun in another browser; start again in this one")
    requireSelf(flow, browser)
    const human = await humanOf(flow, parts)
    const connection = await finishFlow(human, flow, answer, parts)
    return { connection, redirectTo: flow.redirectTo, cookieName: cookieName(flow) }
  },
})

function requireSelf(owner: { readonly tenant: string; readonly user: string }, { viewer }: OauthBrowser): void {
  if (viewer !== null && (viewer.tenant !== owner.tenant || viewer.user !== owner.user))
    throw new ExecutorError("forbidden", `This request to connect is for ${owner.user}, and you are signed in as ${viewer.user}`)
}

async function openFlow(id: string, browser: OauthBrowser, parts: CatalogParts): Promise<OauthFlowRow> {
  const flow = await parts.store.oauthFlows.find({ id })
  if (flow === null) throw unknownFlow()
  requireSelf(flow, browser)
  requireOpen(flow, parts)
  return flow
}

type FoundGrant = { readonly tenant: string; readonly grant: OauthGrantRow }

async function findGrant(key: string, browser: OauthBrowser, parts: CatalogParts): Promise<FoundGrant> {
  const found = await parts.store.oauthGrants.findByConnectKey(key)
  if (found === null) throw new ExecutorError("not_found", "This link leads nowhere any more: the connection was made again, or removed")
  requireSelf({ tenant: found.tenant, user: found.grant.grantedBy }, browser)
  return found
}

/** The same consent once more, for the human who gave it before. */
async function restart({ tenant, grant }: FoundGrant, browser: OauthBrowser, parts: CatalogParts): Promise<OauthFlowRow> {
  const human = await humanOf({ tenant, user: grant.grantedBy }, parts)
  const client = await parts.store.oauthClients.get(human, grant.oauthClientId)
  const started = await startOauth(
    human,
    {
      integration: grant.integration,
      owner: grant.owner,
      name: grant.connection,
      ...(client === null ? {} : { client: client.id }),
      scopes: JSON.parse(grant.scopes) as string[], // a JSON array of text
      ...(grant.resource === null ? {} : { resource: grant.resource }),
    },
    parts,
  )
  if (started.status === "connected") throw unknownFlow()
  return openFlow(started.flowId, browser, parts)
}

/** With the roles that the user has now. */
async function humanOf(scope: { readonly tenant: string; readonly user: string }, parts: CatalogParts): Promise<Principal> {
  const user = await parts.store.tenants.user({ tenant: scope.tenant, user: scope.user })
  if (user === null) throw new ExecutorError("forbidden", "The user who asked for this does not exist any more")
  return { tenant: scope.tenant, user: scope.user, roles: user.roles, kind: "human", tokenId: null }
}

const offerOf = (flow: OauthFlowRow, server: OauthServer): OauthOffer => ({
  connection: `${flow.integration}.${flow.owner}.${flow.name}`,
  user: flow.user,
  askedBy: flow.principalKind,
  provider: new URL(server.authorizationEndpoint ?? server.tokenEndpoint).host,
  scopes: JSON.parse(flow.scopes) as string[], // a JSON array of text
  origins: JSON.parse(flow.origins) as string[], // as above
})

async function offerAgain({ tenant, grant }: FoundGrant, parts: CatalogParts): Promise<OauthOffer> {
  const server = JSON.parse(grant.server) as OauthServer // written from one
  const connection = await parts.store.connections.get({ tenant, user: grant.grantedBy }, grant)
  return {
    connection: `${grant.integration}.${grant.owner}.${grant.connection}`,
    user: grant.grantedBy,
    askedBy: "human",
    provider: new URL(server.authorizationEndpoint ?? server.tokenEndpoint).host,
    scopes: JSON.parse(grant.scopes) as string[], // a JSON array of text
    origins: JSON.parse(connection?.origins ?? "[]") as string[], // as above
  }
}

/** One cookie a flow, so that several can be under way in one browser. */
const cookieName = (flow: OauthFlowRow): string => `executor_oauth_${sha256(flow.id).slice(0, 16)}`
