// Changes an integration's names or config.
//
// A new config makes its connections stale, and the next list syncs their tools again. Where tools are the same for
// every connection the source is read at once, so that the answer tells what the new config gives; a source that cannot
// be read now keeps nobody from mending its config, and what it said before stays until it can.
import { ExecutorError } from "../../core/errors.ts"
import type { IntegrationUpdate, IntegrationView } from "../../core/integration.ts"
import { requireRight } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import type { IntegrationRow } from "../../store/store.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { adapterFor } from "../source-adapters.ts"
import { adminOrigins, requireAdminConfig } from "./admin-text.ts"
import { withDocumentText } from "./config-document.ts"
import { keepMasked, restoreSecrets } from "./config-secrets.ts"
import { hideConfig, literalOrigins, putSecrets, statedOrigins } from "./add.ts"
import { getIntegration, openConfig, readConfig, readFacts, storedSecrets, viewIntegration, writeFacts } from "./integration.ts"
import type { OpenIntegration } from "./integration.ts"
import { noConnection, readSource } from "./source-read.ts"
import type { SyncedTools } from "./source-read.ts"
import { writeSyncedTools } from "./tools-write.ts"

export async function updateIntegration(
  principal: Principal,
  slug: string,
  change: IntegrationUpdate,
  parts: CatalogParts,
): Promise<IntegrationView> {
  requireRight(principal, "connections.org", "change an integration")
  const before = await getIntegration(principal, slug, parts)
  const named = { ...before, name: change.name ?? before.name, description: change.description ?? before.description }
  if (change.config === undefined) {
    await parts.store.integrations.put(principal, named)
    return viewIntegration(named)
  }
  if (typeof change.config !== "object" || change.config === null || Array.isArray(change.config))
    throw new ExecutorError("invalid_request", "config must be an object")
  return updateConfig(principal, named, { ...change.config }, parts)
}

async function updateConfig(
  principal: Principal,
  before: IntegrationRow,
  change: Record<string, unknown>,
  parts: CatalogParts,
): Promise<IntegrationView> {
  const adapter = adapterFor(before.kind, parts)
  const previous = restoreSecrets(readConfig(before), await storedSecrets(principal, before, parts))
  const field = adapter.documentField
  const isInline = field !== null && previous[field] == null && before.documentHash !== null
  const document = isInline ? { [field]: await parts.store.documents.get(principal, before.documentHash ?? "") } : {}
  const merged = withoutNulls({ ...previous, ...document, ...keepMasked(change, previous) })
  const parsed = await adapter.parseConfig(await withDocumentText(merged, field))
  const { shown, secrets } = hideConfig(parsed, parts)
  // What an admin wrote stays theirs: whoever else moves the config may not take its references along.
  requireAdminConfig(principal, parsed.config, parsed.urls, Object.values(secrets))
  const origins = literalOrigins(parsed)
  const literalUrls = adminOrigins(principal, origins, readFacts(before).literalUrls)
  const revised: IntegrationRow = {
    ...before,
    config: JSON.stringify(shown),
    configRevisedAt: revisedAfter(parts.clock.now(), before),
    // A document that came inside the config and is in it no more is not what its source is described by.
    documentHash: isInline ? null : before.documentHash,
    facts: writeFacts({ ...readFacts(before), ...statedOrigins(adapter, origins), literalUrls }),
  }
  const outbound = parts.network.outbound({ literalUrls })
  const open = { scope: principal, row: revised, adapter, outbound, document: parsed.document, ...openConfig(shown, secrets, parts) }
  const synced = adapter.toolsPer === "integration" ? await readIfPossible(open, parts) : null
  return parts.store.transaction(async (store) => {
    const documentHash = parsed.document === null ? revised.documentHash : await store.documents.put(principal, parsed.document)
    const row = { ...revised, documentHash }
    await putSecrets(principal, before.slug, secrets, store, parts)
    if (synced !== null) return viewIntegration(await writeSyncedTools(principal, row, { ...synced, toolsPer: "integration" }, store))
    await store.integrations.put(principal, row)
    return viewIntegration(row)
  })
}

async function readIfPossible(open: OpenIntegration, parts: CatalogParts): Promise<SyncedTools | null> {
  try {
    return await readSource(open, "upstream", noConnection, parts)
  } catch (error) {
    parts.log.warn(
      { integration: open.row.slug, error: String(error) },
      "The source of a changed config could not be read; its connections show the reason",
    )
    return null
  }
}

/** After every time stamp that is there, so that two changes in one millisecond are both noticed. */
export function revisedAfter(now: Date, before: IntegrationRow): string {
  const last = [before.configRevisedAt, before.toolSetSyncedAt ?? ""].toSorted().at(-1) ?? ""
  const next = last === "" ? 0 : Date.parse(last) + 1
  return new Date(Math.max(now.getTime(), next)).toISOString()
}

const withoutNulls = (config: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null))
