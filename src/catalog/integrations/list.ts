// Lists and removes integrations.
import type { IntegrationView } from "../../core/integration.ts"
import type { Page, PageRequest } from "../../core/page.ts"
import { requireAdmin } from "../../core/principal.ts"
import type { Principal, Scope } from "../../core/principal.ts"
import { endSessions } from "../source-adapters.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { decodeCursor, pageSize, toPage } from "../../core/cursor.ts"
import { unknownIntegration, viewIntegration } from "./integration.ts"

export async function listIntegrations(scope: Scope, page: PageRequest, parts: CatalogParts): Promise<Page<IntegrationView>> {
  const size = pageSize(page, parts.limits)
  const after = decodeCursor(page.cursor, 1)?.[0] ?? null
  const rows = await parts.store.integrations.list(scope, { after, limit: size + 1 })
  return toPage(rows, size, (row) => [row.slug], viewIntegration)
}

export async function removeIntegration(principal: Principal, slug: string, parts: CatalogParts): Promise<void> {
  requireAdmin(principal, "remove an integration")
  const removed = await parts.store.transaction(async (store) => {
    const wasThere = await store.integrations.remove(principal, slug)
    await store.toolSets.collectGarbage(principal)
    return wasThere
  })
  if (!removed) throw await unknownIntegration(principal, slug, parts)
  endSessions(principal, slug, parts)
}
