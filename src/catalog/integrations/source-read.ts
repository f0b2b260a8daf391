// Reads the tools of a source; nothing is written.
import { noCredential } from "../../core/auth.ts"
import type { Credential } from "../../core/auth.ts"
import { ExecutorError } from "../../core/errors.ts"
import { redactError } from "../../credentials/redact.ts"
import { sha256Of } from "../../io/ids.ts"
import { writeJson } from "../../io/json-write.ts"
import type { ConnectionIdentity, ListedTools } from "../../sources/source-adapter.ts"
import type { IntegrationRow, ToolSetWrite } from "../../store/store.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import type { OpenIntegration } from "./integration.ts"
import { cleanListing } from "./listing-clean.ts"

/** `stored`: from the document we have, where it still fits the config. `upstream`: fetch it anew. */
export type Freshness = "stored" | "upstream"

/** What the source said, ready to be written. */
export type SyncedTools = { readonly listed: ListedTools; readonly set: ToolSetWrite; readonly syncedAt: string }

type Access = { readonly credential: Credential; readonly connection: ConnectionIdentity | null }

/** Before there is a connection. */
export const noConnection: Access = { credential: noCredential, connection: null }

/** Throws what its adapter throws, without the secrets that an upstream may have repeated. */
export async function readSource(open: OpenIntegration, freshness: Freshness, access: Access, parts: CatalogParts): Promise<SyncedTools> {
  const startedAt = parts.clock.now().toISOString()
  const listed = await listTools(open, await storedDocument(open, freshness, parts), access, parts)
  const most = parts.limits.toolsPerConnectionMax
  if (listed.tools.length > most) {
    throw new ExecutorError(
      "payload_too_large",
      `The source has ${listed.tools.length} tools; the maximum is ${most}. Choose some with include or exclude`,
    )
  }
  const syncedAt = startedAt > open.row.configRevisedAt ? startedAt : open.row.configRevisedAt
  return { listed, set: await toSet(listed), syncedAt }
}

/** Listings and errors quote the upstream, are kept in rows and are shown; what it was sent must not be in them. */
async function listTools(open: OpenIntegration, document: string | null, access: Access, parts: CatalogParts): Promise<ListedTools> {
  const secrets = [...access.credential.secrets, ...open.secrets]
  try {
    const listed = await open.adapter.listTools({
      config: open.config,
      document,
      ...access,
      outbound: open.outbound,
      limits: parts.limits,
      signal: AbortSignal.timeout(2 * parts.limits.documentCompileMs),
      log: parts.log,
    })
    return await cleanListing(listed, secrets)
  } catch (error) {
    throw redactError(error, secrets)
  }
}

/** Whether what was synced for the integration still follows from its config. */
export const isSynced = (row: IntegrationRow): boolean => row.toolSetSyncedAt !== null && row.toolSetSyncedAt >= row.configRevisedAt

/** A document that came inside the config is the only one there is; a fetched one is kept until the config changes. */
async function storedDocument(open: OpenIntegration, freshness: Freshness, parts: CatalogParts): Promise<string | null> {
  const { row, adapter, scope } = open
  if (open.document !== null || row.documentHash === null) return open.document
  const isInline = adapter.documentField !== null && !hasValue(open.config, adapter.documentField)
  const isUsable = isInline || (freshness === "stored" && isSynced(row))
  return isUsable ? parts.store.documents.get(scope, row.documentHash) : null
}

const hasValue = (config: unknown, field: string): boolean =>
  new Map(Object.entries(typeof config === "object" && config !== null ? config : {})).get(field) != null

const toSet = async ({ tools, definitions }: ListedTools): Promise<ToolSetWrite> => ({
  id: await sha256Of(writeJson([tools, [...definitions]])),
  tools,
  definitions,
})
