// Lists what a principal can call: metadata only, never a schema.
import { ConnectionName, IntegrationSlug, ToolAddress, ToolName, isOwner } from "../core/address.ts"
import { ExecutorError } from "../core/errors.ts"
import type { Page, PageRequest } from "../core/page.ts"
import type { Scope } from "../core/principal.ts"
import type { ToolFilter, ToolView } from "../core/tool.ts"
import type { ToolKey, ToolListRow, ToolRowFilter } from "../store/store.ts"
import type { CatalogParts } from "./catalog-parts.ts"
import { decodeCursor, pageSize, toPage } from "../core/cursor.ts"
import type { StaleSync } from "./stale-sync.ts"

const batchRows = 2000

export type ToolListParts = CatalogParts & { readonly staleSync: StaleSync }

export async function pageTools(scope: Scope, filter: ToolFilter, page: PageRequest, parts: ToolListParts): Promise<Page<ToolView>> {
  await parts.staleSync.run(scope)
  const size = pageSize(page, parts.limits)
  const rows = await parts.store.tools.list(scope, rowFilter(filter), { after: toKey(decodeCursor(page.cursor, 4)), limit: size + 1 })
  return toPage(
    rows,
    size,
    (row) => [row.integration, row.owner, row.connection, row.name],
    (row) => viewTool(row, filter),
  )
}

export async function listTools(scope: Scope, filter: ToolFilter, parts: ToolListParts): Promise<ToolView[]> {
  await parts.staleSync.run(scope)
  const views: ToolView[] = []
  for (let after: ToolKey | null = null; ;) {
    const rows: ToolListRow[] = await parts.store.tools.list(scope, rowFilter(filter), { after, limit: batchRows })
    for (const row of rows) views.push(viewTool(row, filter))
    const last = rows.at(-1)
    if (rows.length < batchRows || last === undefined) return views
    after = { integration: last.integration, owner: last.owner, connection: last.connection, tool: last.name }
  }
}

const viewTool = (row: ToolListRow, filter: ToolFilter): ToolView => ({
  address: ToolAddress.format({ integration: row.integration, owner: row.owner, connection: row.connection, tool: row.name }),
  owner: row.owner,
  integration: row.integration,
  connection: row.connection,
  name: row.name,
  title: row.title,
  pluginId: row.kind,
  description: row.description,
  static: false,
  policy: row.requiresApproval ? "require_approval" : "allow",
  ...(filter.includeAnnotations === true
    ? { mayElicit: row.mayElicit, requiresApproval: row.requiresApproval, approvalDescription: row.approvalDescription }
    : {}),
})

const rowFilter = (filter: ToolFilter): ToolRowFilter => ({
  ...(filter.integration === undefined ? {} : { integration: filter.integration }),
  ...(filter.owner === undefined ? {} : { owner: filter.owner }),
  ...(filter.connection === undefined ? {} : { name: filter.connection }),
  ...(filter.query === undefined || filter.query === "" ? {} : { query: filter.query }),
})

function toKey(parts: readonly string[] | null): ToolKey | null {
  if (parts === null) return null
  const [integration = "", owner = "", connection = "", tool = ""] = parts
  if (!isOwner(owner)) throw new ExecutorError("invalid_request", "The cursor is not one that this list gave; start again without it")
  return { integration: IntegrationSlug.make(integration), owner, connection: ConnectionName.make(connection), tool: ToolName.make(tool) }
}
