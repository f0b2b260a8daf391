// Lists and removes integrations.
import type { IntegrationView } from "../../core/integration.ts"
import type { Page, PageRequest } from "../../core/page.ts"
import { requireRight } from "../../core/principal.ts"
import type { Principal, Scope } from "../../core/principal.ts"
import { endSessions } from "../source-adapters.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { readPage, viewPage } from "../../core/cursor.ts"
import { unknownIntegration, viewIntegration } from "./integration.ts"

export async function listIntegrations(scope: Scope, page: PageRequest, parts: CatalogParts): Promise<Page<IntegrationView>> {
  const rows = await readPage(
    page,
    parts.limits,
    (after) => parts.store.integrations.list(scope, after),
    ({ slug }) => slug,
  )
  return viewPage(rows, viewIntegration)
}

export async function removeIntegration(principal: Principal, slug: string, parts: CatalogParts): Promise<void> {
  requireRight(principal, "connections.org", "remove an integration")
  const removed = await parts.store.transaction(async (store) => {
    const wasThere = await store.integrations.remove(principal, slug)
    await store.toolSets.collectGarbage(principal)
    return wasThere
  })
  if (!removed) throw await unknownIntegration(principal, slug, parts)
  endSessions(principal, slug, parts)
}
