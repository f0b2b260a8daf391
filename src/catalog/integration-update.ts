// Changes an integration's names or config; a new config makes its connections stale, and the next list produces their tools anew.
import { ExecutorError } from "../core/errors.ts"
import type { IntegrationUpdate, IntegrationView } from "../core/integration.ts"
import { requireAdmin } from "../core/principal.ts"
import type { Principal } from "../core/principal.ts"
import type { IntegrationRow } from "../store/store.ts"
import type { CatalogParts } from "./catalog-parts.ts"
import { adapterFor } from "./catalog-parts.ts"
import { keepMasked, restoreSecrets } from "./config-secrets.ts"
import { hideConfig, literalOrigins, putSecrets, statedOrigins } from "./integration-add.ts"
import { getIntegration, readConfig, readFacts, storedSecrets, viewIntegration, writeFacts } from "./integration-row.ts"

export async function updateIntegration(
  principal: Principal,
  slug: string,
  change: IntegrationUpdate,
  parts: CatalogParts,
): Promise<IntegrationView> {
  requireAdmin(principal, "change an integration")
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
  const parsed = adapter.parseConfig(withoutNulls({ ...previous, ...document, ...keepMasked(change, previous) }))
  const { shown, secrets } = hideConfig(parsed, parts)
  const literalUrls = literalOrigins(parsed)
  return parts.store.transaction(async (store) => {
    const row: IntegrationRow = {
      ...before,
      config: JSON.stringify(shown),
      configRevisedAt: revisedAfter(parts.clock.now(), before),
      // A document that came inside the config and is in it no more is not what its source is described by.
      documentHash:
        parsed.document !== null ? await store.documents.put(principal, parsed.document) : isInline ? null : before.documentHash,
      facts: writeFacts({ ...readFacts(before), ...statedOrigins(adapter, literalUrls), literalUrls }),
    }
    await putSecrets(principal, before.slug, secrets, store, parts)
    await store.integrations.put(principal, row)
    return viewIntegration(row)
  })
}

/** After every time stamp that is there, so that two changes in one millisecond are both noticed. */
export function revisedAfter(now: Date, before: IntegrationRow): string {
  const last = [before.configRevisedAt, before.toolSetSyncedAt ?? ""].toSorted().at(-1) ?? ""
  const next = last === "" ? 0 : Date.parse(last) + 1
  return new Date(Math.max(now.getTime(), next)).toISOString()
}

const withoutNulls = (config: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null))
