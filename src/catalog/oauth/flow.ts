// What has become of a consent, for whoever started it and cannot see the window in which it is given.
import { ConnectionName, IntegrationSlug } from "../../core/address.ts"
import type { OauthFlowView } from "../../core/oauth.ts"
import type { Principal } from "../../core/principal.ts"
import type { OauthFlowRow } from "../../store/oauth-store.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { viewConnection } from "../connections/connection.ts"
import { unknownFlow } from "./complete.ts"

export async function viewFlow(principal: Principal, id: string, parts: CatalogParts): Promise<OauthFlowView> {
  const flow = await parts.store.oauthFlows.findById(id)
  if (flow === null || flow.tenant !== principal.tenant || flow.user !== principal.user) throw unknownFlow()
  if (flow.error !== null) return { status: "failed", error: flow.error }
  const connection = flow.usedAt === null ? null : await madeBy(principal, flow, flow.usedAt, parts)
  if (connection !== null) return { status: "connected", connection: await viewConnection(principal, connection, parts) }
  // Used, and nothing came of it yet: the code is being exchanged.
  return flow.expiresAt > parts.clock.now().toISOString() ? { status: "waiting", expiresAt: flow.expiresAt } : { status: "expired" }
}

async function madeBy(principal: Principal, flow: OauthFlowRow, usedAt: string, { store }: CatalogParts) {
  const ref = { integration: IntegrationSlug.make(flow.integration), owner: flow.owner, connection: ConnectionName.make(flow.name) }
  const grant = await store.oauthGrants.get(principal, ref)
  if (grant === null || grant.issuedAt === null || grant.issuedAt < usedAt) return null
  return store.connections.get(principal, ref)
}
