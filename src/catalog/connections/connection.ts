// Reads a connection's row: its view for users, and its credential for one call.
import { ConnectionAddress, ConnectionName, IntegrationSlug, isOwner } from "../../core/address.ts"
import type { ConnectionRef, Owner } from "../../core/address.ts"
import type { Credential, Placement } from "../../core/auth.ts"
import type { ConnectionConsent, ConnectionView } from "../../core/connection.ts"
import type { OauthServer } from "../../core/oauth.ts"
import { ExecutorError } from "../../core/errors.ts"
import { seriousWarnings, warningsWithoutTools } from "../../core/integration.ts"
import { requireRight } from "../../core/principal.ts"
import type { Principal, Scope } from "../../core/principal.ts"
import type { PlainRight } from "../../core/people/role.ts"
import { openCredential } from "../../credentials/open.ts"
import { isBound } from "../../credentials/placement.ts"
import { roleSubject } from "../../policy/visible.ts"
import { connectionSecretRef, refOf } from "../../store/store.ts"
import type { OauthGrantRow } from "../../store/oauth-store.ts"
import type { ConnectionRow } from "../../store/store.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { includedNames, readFacts } from "../integrations/integration.ts"
import { listedFor } from "../listed.ts"
import { currentAccess } from "../../identity/access.ts"

export type ConnectionKey = { readonly integration: string; readonly owner: Owner; readonly name: string }

/** Throws where a part is missing, as in what programs without types pass. */
export function toRef(key: ConnectionKey): ConnectionRef {
  const { integration, owner, name }: Partial<Record<keyof ConnectionKey, unknown>> = key
  if (typeof integration !== "string" || typeof owner !== "string" || !isOwner(owner) || typeof name !== "string")
    throw new ExecutorError("invalid_request", "A connection is identified by integration, owner ('org' or 'user') and name")
  return { integration: IntegrationSlug.make(integration), owner, connection: ConnectionName.make(name) }
}

export const newConnection = (
  ref: ConnectionRef,
  auth: Pick<ConnectionRow, "template" | "placements" | "bound">,
  origins: readonly string[],
  parts: CatalogParts,
): ConnectionRow => ({
  integration: ref.integration,
  owner: ref.owner,
  name: ref.connection,
  ...auth,
  origins: JSON.stringify(origins),
  status: "syncing",
  error: null,
  toolSetId: null,
  toolsSyncedAt: null,
  changedTools: "[]",
  createdAt: parts.clock.now().toISOString(),
})

export async function getConnection(principal: Principal, key: ConnectionKey, parts: CatalogParts): Promise<ConnectionRow> {
  const row = await parts.store.connections.get(principal, toRef(key))
  if (row === null || !(await listedFor(principal, parts)).connection(row))
    throw new ExecutorError("not_found", `There is no connection '${key.name}' of '${key.integration}' owned by ${key.owner}`)
  return row
}

/** What is shared in the tenant needs a right; what a member owns is their own. */
export function requireManager(principal: Principal, owner: Owner, action: string, right: PlainRight = "connections.org"): void {
  if (owner === "org") return requireRight(principal, right, action)
  if (principal.kind === "agent") throw new ExecutorError("forbidden", `An agent may not ${action}; ask a human`)
}

// These columns are written by this folder alone, in exactly these shapes.
export const readPlacements = (row: ConnectionRow): Placement[] => JSON.parse(row.placements) as Placement[]
export const readOrigins = (row: ConnectionRow): string[] => JSON.parse(row.origins) as string[]
export const readBound = (row: ConnectionRow): string[] => JSON.parse(row.bound) as string[]

export const hasCredentials = (row: ConnectionRow): boolean => row.template === "none" || isBound(readPlacements(row), readBound(row))

export async function openConnection(scope: Scope, row: ConnectionRow, parts: CatalogParts): Promise<Credential> {
  const source = { ref: connectionSecretRef(scope, refOf(row)), placements: readPlacements(row), origins: readOrigins(row) }
  const granted = row.template === "oauth2" ? await parts.grants.open(scope, refOf(row), source) : null
  if (granted !== null) return granted
  const credential = hasCredentials(row) ? await openCredential(scope, source, parts.vaultOn(parts.store), parts.env) : null
  if (credential === null)
    throw new ExecutorError("auth_required", `The connection '${row.name}' of '${row.integration}' has no credential; add one to use it`)
  return credential
}

export async function viewConnection(principal: Principal, row: ConnectionRow, parts: CatalogParts): Promise<ConnectionView> {
  const integration = await parts.store.integrations.get(principal, row.integration)
  const { isVisible, reach, choose } = await currentAccess(principal, parts)
  const isIncluded = (tool: string): boolean => isVisible(roleSubject(row.integration, tool))
  const filter = { integration: row.integration, owner: row.owner, name: row.name }
  const isNarrowed = choose !== null && reach.coverage(row.integration) !== "all"
  const included =
    isNarrowed && row.toolSetId !== null ? await includedNames(principal, row.integration, row.toolSetId, choose, parts.store) : []
  const facts = integration === null ? { warnings: [] } : readFacts(integration)
  return {
    address: ConnectionAddress.format(refOf(row)),
    integration: row.integration,
    owner: row.owner,
    name: row.name,
    auth: { template: row.template, placements: readPlacements(row), bound: readBound(row) },
    status: row.status,
    error: row.error,
    origins: readOrigins(row),
    unconfirmedOrigins: integration === null ? [] : readFacts(integration).origins.filter((origin) => !readOrigins(row).includes(origin)),
    consent: row.template === "oauth2" ? viewConsent(await parts.store.oauthGrants.get(principal, refOf(row))) : null,
    // Of hidden tools also the number is hidden.
    toolCount: isNarrowed ? included.length : await parts.store.tools.count(principal, filter),
    toolsSyncedAt: row.toolsSyncedAt,
    warnings: seriousWarnings(isNarrowed ? { warnings: warningsWithoutTools(facts.warnings) } : facts),
    changedTools: (JSON.parse(row.changedTools) as string[]).filter(isIncluded), // written by the catalog only
    createdAt: row.createdAt,
  }
}

function viewConsent(grant: OauthGrantRow | null): ConnectionConsent | null {
  if (grant === null) return null
  const server = JSON.parse(grant.server) as OauthServer // written from one
  return {
    grant: grant.grantType,
    provider: new URL(server.authorizationEndpoint ?? server.tokenEndpoint).host,
    client: grant.oauthClientId,
    scopes: JSON.parse(grant.scopes) as string[], // a JSON array of text
    grantedScopes: grant.grantedScopes === null ? null : (JSON.parse(grant.grantedScopes) as string[]), // as above
    resource: grant.resource,
    grantedBy: grant.grantedBy,
    grantedAt: grant.issuedAt,
    expiresAt: grant.expiresAt,
    renewable: grant.renewable,
    ended: grant.lapsedAt === null ? null : (grant.lapsedReason ?? "unknown"),
  }
}
