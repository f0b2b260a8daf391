// Stores a connection's grant with its tokens in one transaction, and syncs its tools.
import type { ConnectionRef } from "../../core/address.ts"
import type { ConnectionView } from "../../core/connection.ts"
import type { OauthGrantType, OauthServer } from "../../core/oauth.ts"
import type { Principal } from "../../core/principal.ts"
import { putTokens, withTokens } from "../../credentials/oauth/oauth.ts"
import type { Tokens } from "../../credentials/oauth/oauth.ts"
import { bindAuth } from "../../credentials/placement.ts"
import type { OauthGrantRow } from "../../store/oauth-store.ts"
import type { ConnectionRow } from "../../store/store.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { newConnection, viewConnection } from "../connections/connection.ts"
import { syncTools } from "../connections/tool-sync.ts"

export type GrantTerms = {
  readonly grantType: OauthGrantType
  readonly oauthClientId: string
  readonly server: OauthServer
  readonly scopes: readonly string[]
  readonly resource: string | null
  /** Where a new connection's token may be sent; one that exists keeps what was confirmed for it. */
  readonly origins: readonly string[]
}

export type Granted = { readonly tokens: Tokens; readonly requestedAt: Date }

export async function bindGrant(
  principal: Principal,
  ref: ConnectionRef,
  terms: GrantTerms,
  granted: Granted,
  parts: CatalogParts,
): Promise<ConnectionView> {
  const row = await parts.store.transaction(async (store) => {
    const connection = withOauth(
      (await store.connections.get(principal, ref)) ??
        newConnection(ref, { template: "oauth2", placements: "[]", bound: "[]" }, terms.origins, parts),
    )
    const before = await store.oauthGrants.get(principal, ref)
    const grant = newGrant(principal, ref, terms, (before?.version ?? 0) + 1)
    const vault = parts.vaultOn(store)
    await store.connections.put(principal, connection)
    await store.oauthGrants.put(principal, ref, withTokens(grant, granted.tokens, granted.requestedAt, parts.limits))
    await putTokens(principal, ref, granted.tokens, vault)
    return connection
  })
  return viewConnection(principal, await syncTools(principal, row, "stored", parts), parts)
}

const withOauth = (row: ConnectionRow): ConnectionRow => ({
  ...row,
  template: "oauth2",
  placements: JSON.stringify(bindAuth({ template: "oauth2" }, []).placements),
  bound: JSON.stringify(["token"]),
  status: "ready",
  error: null,
})

const newGrant = (principal: Principal, ref: ConnectionRef, terms: GrantTerms, version: number): OauthGrantRow => ({
  ...ref,
  grantType: terms.grantType,
  oauthClientId: terms.oauthClientId,
  server: JSON.stringify(terms.server),
  scopes: JSON.stringify(terms.scopes),
  grantedScopes: null,
  resource: terms.resource,
  grantedBy: principal.user,
  version,
  renewable: terms.grantType === "client_credentials",
  issuedAt: null,
  renewAt: null,
  expiresAt: null,
  lapsedAt: null,
  lapsedReason: null,
  leaseOwner: null,
  leaseUntil: null,
})
