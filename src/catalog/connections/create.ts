// Creates a connection: binds credentials, confirms where they may be sent, and syncs the tools.
import { ConnectionName } from "../../core/address.ts"
import type { ConnectionRef } from "../../core/address.ts"
import type { ConnectionAuth } from "../../core/auth.ts"
import type { ConnectionCreate, ConnectionUpdate, ConnectionView } from "../../core/connection.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Principal, Scope } from "../../core/principal.ts"
import { checkEnvReferences } from "../../credentials/env/reference.ts"
import { bindAuth } from "../../credentials/placement.ts"
import type { BoundAuth } from "../../credentials/placement.ts"
import { connectionSecretRef, refOf } from "../../store/store.ts"
import type { ConnectionRow, IntegrationRow, Store } from "../../store/store.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { getConnection, newConnection, readOrigins, requireManager, viewConnection } from "./connection.ts"
import type { ConnectionKey } from "./connection.ts"
import { refuseEnvReferences } from "../integrations/admin-text.ts"
import { getIntegration, readFacts } from "../integrations/integration.ts"
import { acceptTools } from "./tool-pins.ts"
import { syncTools } from "./tool-sync.ts"

export async function createConnection(principal: Principal, input: ConnectionCreate, parts: CatalogParts): Promise<ConnectionView> {
  const owner = input.owner ?? "org"
  requireManager(principal, owner, "create a connection")
  const integration = await getIntegration(principal, input.integration, parts)
  const ref: ConnectionRef = { integration: integration.slug, owner, connection: ConnectionName.make(input.name ?? "main") }
  const auth = bind(principal, input.auth ?? { template: "none" }, integration, parts)
  const row = newConnection(ref, authColumns(auth), readFacts(integration).origins, parts)
  await parts.store.transaction(async (store) => {
    if ((await store.connections.get(principal, ref)) !== null) throw taken(ref)
    await store.connections.put(principal, row)
    await putValues(principal, ref, auth, store, parts)
  })
  return viewConnection(principal, await syncTools(principal, row, "stored", parts), parts)
}

/** New credentials, the confirmation of origins that the source has named since, or the acceptance of tools that changed. */
export async function updateConnection(
  principal: Principal,
  key: ConnectionKey,
  change: ConnectionUpdate,
  parts: CatalogParts,
): Promise<ConnectionView> {
  requireManager(principal, key.owner, "change a connection")
  const found = await getConnection(principal, key, parts)
  const before = change.acceptTools === undefined ? found : await acceptTools(principal, found, change.acceptTools, parts.store)
  // What a human has accepted is what they saw; reading the source again could bring something else.
  if (change.auth === undefined && change.confirmOrigins === undefined) return viewConnection(principal, before, parts)
  const integration = await getIntegration(principal, before.integration, parts)
  const auth = change.auth === undefined ? null : bind(principal, change.auth, integration, parts)
  const named = readFacts(integration).origins
  const foreign = change.confirmOrigins?.find((origin) => !named.includes(origin))
  if (foreign !== undefined)
    throw new ExecutorError("invalid_request", `confirmOrigins: the source does not use ${foreign}; it uses ${named.join(", ") || "none"}`)
  // What an admin let it read of the environment goes where an admin has seen that it goes.
  if (change.confirmOrigins !== undefined && auth === null) refuseEnvReferences(principal, await storedValues(principal, before, parts))
  // A new credential confirms nothing: only whoever names an origin has seen it.
  const origins = change.confirmOrigins ?? readOrigins(before)
  const row: ConnectionRow = { ...before, ...(auth === null ? {} : authColumns(auth)), origins: JSON.stringify(origins) }
  await parts.store.transaction(async (store) => {
    await store.connections.put(principal, row)
    if (auth === null) return
    await putValues(principal, refOf(row), auth, store, parts)
    // What was bound by hand replaces what a provider granted.
    await store.oauthGrants.put(principal, refOf(row), null)
  })
  return viewConnection(principal, await syncTools(principal, row, "stored", parts), parts)
}

function bind(principal: Principal, auth: ConnectionAuth, integration: IntegrationRow, parts: CatalogParts): BoundAuth {
  const bound = bindAuth(auth, readFacts(integration).auth)
  refuseEnvReferences(principal, [...Object.values(bound.values), ...bound.placements.map(({ value }) => value)])
  for (const value of Object.values(bound.values)) checkEnvReferences(value, parts.env)
  return bound
}

async function storedValues(scope: Scope, row: ConnectionRow, parts: CatalogParts): Promise<string[]> {
  return Object.values((await parts.vaultOn(parts.store).open(scope, connectionSecretRef(scope, refOf(row)))) ?? {})
}

const authColumns = (auth: BoundAuth): Pick<ConnectionRow, "template" | "placements" | "bound"> => ({
  template: auth.template,
  placements: JSON.stringify(auth.placements),
  bound: JSON.stringify(Object.keys(auth.values)),
})

async function putValues(scope: Scope, ref: ConnectionRef, auth: BoundAuth, store: Store, parts: CatalogParts): Promise<void> {
  const vault = parts.vaultOn(store)
  const secretRef = connectionSecretRef(scope, ref)
  await (Object.keys(auth.values).length === 0 ? vault.drop(scope, secretRef) : vault.put(scope, secretRef, auth.values))
}

const taken = (ref: ConnectionRef): ExecutorError =>
  new ExecutorError(
    "conflict",
    `The connection '${ref.connection}' of '${ref.integration}' already exists; choose another name, or change that one`,
  )
