// Publishes the tools of a source in the catalog.
//
// Order of events: the source is read first and without any lock, because it may take a minute; then, in one
// transaction, the set is written, the integration and the connection are pointed to it, what changed of its tools is
// recorded, and what nobody points to any more is dropped. A reader sees the old set or the new one. When the source fails nothing is written but the
// error on the connection. A config that changed in between makes the result stale by its time stamp, and the next
// list syncs again.
import { noCredential } from "../../core/auth.ts"
import type { ConnectionStatus } from "../../core/connection.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Scope } from "../../core/principal.ts"
import { executorCommandOnPages } from "../../io/executor-command.ts"
import { lapsedMessage } from "../../credentials/oauth/oauth.ts"
import { refOf } from "../../store/store.ts"
import type { ConnectionRow, IntegrationRow, Store } from "../../store/store.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { hasCredentials, openConnection, readOrigins } from "./connection.ts"
import { openIntegration, readFacts } from "../integrations/integration.ts"
import { isSynced, readSource } from "../integrations/source-read.ts"
import type { Freshness } from "../integrations/source-read.ts"
import { writeSyncedTools } from "../integrations/tools-write.ts"
import type { OwnedSyncedTools } from "../integrations/tools-write.ts"
import { recordChanges } from "./tool-changes.ts"
import { comparePins } from "./tool-pins.ts"

/** Makes the connection's tools what its source says now. A failure is kept on the row, and the tools before it stay. */
export async function syncTools(
  scope: Scope,
  connection: ConnectionRow,
  freshness: Freshness,
  parts: CatalogParts,
): Promise<ConnectionRow> {
  const integration = await parts.store.integrations.get(scope, connection.integration)
  if (integration === null) throw gone(connection)
  if (!hasCredentials(connection)) return save(scope, connection, () => withoutTools(connection, integration), parts)
  if (freshness === "stored" && isSynced(integration) && integration.toolSetId !== null) {
    return save(
      scope,
      connection,
      (rows) => pointTo(rows.connection, rows.integration, rows.integration.toolSetId, syncedAtOf(rows.integration)),
      parts,
    )
  }
  try {
    const synced = await readFor(scope, integration, connection, freshness, parts)
    return await save(scope, connection, (rows, store) => applySyncedTools(scope, rows, synced, store), parts)
  } catch (error) {
    return saveFailure(scope, connection, error, parts)
  }
}

type ConnectionSyncedTools = OwnedSyncedTools & { readonly pinsTools: boolean }

type Rows = { readonly integration: IntegrationRow; readonly connection: ConnectionRow }

async function readFor(
  scope: Scope,
  integration: IntegrationRow,
  connection: ConnectionRow,
  freshness: Freshness,
  parts: CatalogParts,
): Promise<ConnectionSyncedTools> {
  const open = await openIntegration(scope, integration, parts)
  const { toolsPer, pinsTools = false } = open.adapter
  const credential = toolsPer === "connection" ? await openConnection(scope, connection, parts) : noCredential
  return {
    ...(await readSource(open, freshness, { credential, connection: { scope, ref: refOf(connection) } }, parts)),
    toolsPer,
    pinsTools,
  }
}

async function applySyncedTools(scope: Scope, rows: Rows, synced: ConnectionSyncedTools, store: Store): Promise<ConnectionRow> {
  const written = await writeSyncedTools(scope, rows.integration, synced, store)
  const changedTools = synced.pinsTools ? await comparePins(scope, rows.connection, synced.set.tools, store) : "[]"
  return { ...pointTo(rows.connection, written, synced.set.id, synced.syncedAt), changedTools }
}

/** The rows are read again inside the transaction: they may have changed, or gone, while the source was being read. */
async function save(
  scope: Scope,
  before: ConnectionRow,
  change: (rows: Rows, store: Store) => ConnectionRow | Promise<ConnectionRow>,
  parts: CatalogParts,
): Promise<ConnectionRow> {
  return parts.store.transaction(async (store) => {
    const integration = await store.integrations.get(scope, before.integration)
    const connection = await store.connections.get(scope, refOf(before))
    if (integration === null || connection === null) throw gone(before)
    const saved = await withGrantState(scope, await change({ integration, connection }, store), store)
    await store.connections.put(scope, saved)
    await recordChanges(scope, { before: connection, after: saved }, store, parts)
    await store.toolSets.collectGarbage(scope)
    return saved
  })
}

/** A consent that has ended stays ended, however well the tools could be synced. */
async function withGrantState(scope: Scope, row: ConnectionRow, store: Store): Promise<ConnectionRow> {
  const grant = row.template === "oauth2" ? await store.oauthGrants.get(scope, refOf(row)) : null
  if (grant === null || grant.lapsedAt === null) return row
  return { ...row, status: "needs_credentials", error: lapsedMessage(grant, grant.lapsedReason) }
}

async function saveFailure(scope: Scope, connection: ConnectionRow, error: unknown, parts: CatalogParts): Promise<ConnectionRow> {
  const isOurs = error instanceof ExecutorError
  if (isOurs && error.code === "not_found") throw error
  const message = isOurs ? error.message : "The source could not be read; see the server's log for the reason"
  parts.log.warn(
    { integration: connection.integration, connection: connection.name, error: String(error) },
    "Reading the tools failed; the previous tools are kept",
  )
  return save(scope, connection, (rows) => ({ ...rows.connection, status: "error", error: message }), parts)
}

function pointTo(connection: ConnectionRow, integration: IntegrationRow, toolSetId: string | null, syncedAt: string): ConnectionRow {
  const confirmed = readOrigins(connection)
  const unknown = readFacts(integration).origins.filter((origin) => !confirmed.includes(origin))
  const status: ConnectionStatus = unknown.length === 0 ? "ready" : "needs_review"
  const error =
    unknown.length === 0
      ? null
      : `The source now names unconfirmed origins: ${unknown.join(", ")}. Nothing is sent there until they are confirmed: ${executorCommandOnPages} connections update ${connection.integration}.${connection.owner}.${connection.name} --confirm-origins, or confirmOrigins in the API`
  return { ...connection, toolSetId, toolsSyncedAt: syncedAt, status, error }
}

const withoutTools = (connection: ConnectionRow, integration: IntegrationRow): ConnectionRow => ({
  ...connection,
  toolSetId: null,
  toolsSyncedAt: integration.configRevisedAt,
  status: "needs_credentials",
  error: "This connection has no credential yet, and no tools until it has one",
})

const syncedAtOf = (row: IntegrationRow): string => row.toolSetSyncedAt ?? row.configRevisedAt

const gone = (row: ConnectionRow): ExecutorError =>
  new ExecutorError("not_found", `The connection '${row.name}' of '${row.integration}' has been removed`)
