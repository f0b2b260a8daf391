// Writes the tools that a source gave, and the integration's row that points to them.
import type { Scope } from "../../core/principal.ts"
import type { IntegrationRow, Store } from "../../store/store.ts"
import { readFacts, writeFacts } from "./integration.ts"
import type { SyncedTools } from "./source-read.ts"

/** The integration's row after a sync, with everything it points to; to be called inside a transaction. */
export async function writeSyncedTools(
  scope: Scope,
  integration: IntegrationRow,
  synced: OwnedSyncedTools,
  store: Store,
): Promise<IntegrationRow> {
  const { listed, set, syncedAt, toolsPer } = synced
  await store.toolSets.put(scope, set)
  const row: IntegrationRow = {
    ...integration,
    documentHash: listed.document === null ? integration.documentHash : await store.documents.put(scope, listed.document),
    toolSetId: toolsPer === "integration" ? set.id : null,
    toolSetSyncedAt: syncedAt,
    facts: writeFacts({ ...listed.facts, literalUrls: readFacts(integration).literalUrls }),
  }
  await store.integrations.put(scope, row)
  return row
}

export type OwnedSyncedTools = SyncedTools & { readonly toolsPer: "integration" | "connection" }
