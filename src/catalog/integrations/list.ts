// Lists and removes integrations.
import { isHiddenIntegration } from "../../core/address.ts"
import type { IntegrationView } from "../../core/integration.ts"
import type { Page, PageRequest } from "../../core/page.ts"
import { requireRight } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import { firstShown } from "../../store/all-rows.ts"
import type { IntegrationRow } from "../../store/store.ts"
import { endSessions } from "../source-adapters.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { readPage } from "../../core/cursor.ts"
import { listedFor } from "../listed.ts"
import { unknownIntegration, viewIntegrationFor } from "./integration.ts"

export async function listIntegrations(principal: Principal, page: PageRequest, parts: CatalogParts): Promise<Page<IntegrationView>> {
  const listed = await listedFor(principal, parts)
  const slugOf = ({ slug }: IntegrationRow): string => slug
  const rows = await readPage(
    page,
    parts.limits,
    (next) =>
      firstShown(
        next,
        (step) => parts.store.integrations.list(principal, step),
        slugOf,
        (read) => read.filter(({ slug }) => listed.integration(slug)),
      ),
    slugOf,
  )
  return { items: await Promise.all(rows.items.map((row) => viewIntegrationFor(principal, row, parts))), nextCursor: rows.nextCursor }
}

export async function removeIntegration(principal: Principal, slug: string, parts: CatalogParts): Promise<void> {
  requireRight(principal, "connections.org", "remove an integration")
  // One that somebody added before its slug was reserved can be removed, and added under another one.
  if (isHiddenIntegration(slug) && (await parts.store.integrations.get(principal, slug))?.kind === slug)
    throw await unknownIntegration(principal, slug, parts)
  const removed = await parts.store.transaction(async (store) => {
    const wasThere = await store.integrations.remove(principal, slug)
    await store.toolSets.collectGarbage(principal)
    return wasThere
  })
  if (!removed) throw await unknownIntegration(principal, slug, parts)
  endSessions(principal, slug, parts)
}
