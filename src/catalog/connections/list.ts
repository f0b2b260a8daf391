// Lists, refreshes, checks and removes connections.
import type { Owner } from "../../core/address.ts"
import type { ConnectionHealth, ConnectionView } from "../../core/connection.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Page, PageRequest } from "../../core/page.ts"
import type { Principal, Scope } from "../../core/principal.ts"
import type { ConnectionIdentity } from "../../sources/source-adapter.ts"
import { firstShown } from "../../store/all-rows.ts"
import { refOf } from "../../store/store.ts"
import type { ConnectionRow } from "../../store/store.ts"
import { adapterFor, endSessions } from "../source-adapters.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { getConnection, openConnection, requireManager, toRef, viewConnection } from "./connection.ts"
import type { ConnectionKey } from "./connection.ts"
import { decodeCursor, pageSize, toPage } from "../../core/cursor.ts"
import { getIntegration } from "../integrations/integration.ts"
import { listedFor } from "../listed.ts"
import { syncTools } from "./tool-sync.ts"

export type ConnectionQuery = { readonly integration?: string; readonly owner?: Owner } & PageRequest

export async function listConnections(principal: Principal, query: ConnectionQuery, parts: CatalogParts): Promise<Page<ConnectionView>> {
  const size = pageSize(query, parts.limits)
  const [integration, owner, name] = decodeCursor(query.cursor, 3) ?? []
  const after = integration !== undefined && isOwnerText(owner) && name !== undefined ? toRef({ integration, owner, name }) : null
  const filter = {
    ...(query.integration === undefined ? {} : { integration: query.integration }),
    ...(query.owner === undefined ? {} : { owner: query.owner }),
  }
  const listed = await listedFor(principal, parts)
  const rows = await firstShown(
    { after, limit: size + 1 },
    (step) => parts.store.connections.list(principal, filter, step),
    refOf,
    (read) => read.filter(listed.connection),
  )
  const page = toPage(
    rows,
    size,
    (row) => [row.integration, row.owner, row.name],
    (row) => row,
  )
  return { items: await Promise.all(page.items.map((row) => viewConnection(principal, row, parts))), nextCursor: page.nextCursor }
}

/** Reads the source anew. When it fails the tools stay, and the answer carries the error. */
export async function refreshConnection(principal: Principal, key: ConnectionKey, parts: CatalogParts): Promise<ConnectionView> {
  requireManager(principal, key.owner, "refresh a connection")
  const row = await getConnection(principal, key, parts)
  const integration = await getIntegration(principal, row.integration, parts)
  adapterFor(integration.kind, parts).renew?.({ scope: principal, ref: refOf(row) })
  return viewConnection(principal, await syncTools(principal, row, "upstream", parts), parts)
}

/** Reads the source anew because it said that its tools changed; a connection that is gone in the meantime is nobody's concern. */
export async function resyncConnection({ scope, ref }: ConnectionIdentity, parts: CatalogParts): Promise<void> {
  const row = await parts.store.connections.get(scope, ref)
  if (row !== null) await syncTools(scope, row, "upstream", parts)
}

/** Whether a call could be made now: the credential opens, and the last sync succeeded. */
export async function checkConnection(principal: Principal, key: ConnectionKey, parts: CatalogParts): Promise<ConnectionHealth> {
  const row = await getConnection(principal, key, parts)
  const message = row.error ?? (await credentialProblem(principal, row, parts))
  return { ok: message === null && row.status === "ready", status: row.status, message: message ?? "Ready" }
}

export async function removeConnection(principal: Principal, key: ConnectionKey, parts: CatalogParts): Promise<void> {
  requireManager(principal, key.owner, "remove a connection")
  const row = await getConnection(principal, key, parts)
  await parts.store.transaction(async (store) => {
    await store.connections.remove(principal, refOf(row))
    await store.toolSets.collectGarbage(principal)
  })
  endSessions(principal, row.integration, parts)
}

async function credentialProblem(scope: Scope, row: ConnectionRow, parts: CatalogParts): Promise<string | null> {
  try {
    await openConnection(scope, row, parts)
    return null
  } catch (error) {
    if (error instanceof ExecutorError) return error.message
    throw error
  }
}

const isOwnerText = (text: string | undefined): text is Owner => text === "org" || text === "user"
