// Finds a tool of the registry, and brings the catalog up to date after it changed.
import { ExecutorError } from "../core/errors.ts"
import { hasRight } from "../core/principal.ts"
import type { Principal, Scope } from "../core/principal.ts"
import type { RegistryToolView } from "../core/registry/tool.ts"
import type { RegistryToolRow, ToolVersionRow } from "../store/registry-store.ts"
import type { Store } from "../store/store.ts"
import { isResolved, publishToCatalog, toCatalogTool } from "./catalog.ts"
import { readSnapshot } from "./definition.ts"
import type { RegistryParts } from "./parts.ts"

/** As the audit tells it. */
export type ToolChange = { readonly before: RegistryToolView | null; readonly after: RegistryToolView | null }

/** Who may see drafts, versions and what differs between them. */
export const isEditor = (principal: Principal): boolean => hasRight(principal, "registry.write") || hasRight(principal, "registry.publish")

export function requireEditor(principal: Principal, action: string): void {
  if (isEditor(principal)) return
  if (principal.kind === "agent")
    throw new ExecutorError("forbidden", `An agent may not ${action}: rights of roles are for humans alone; ask a human`)
  throw new ExecutorError("forbidden", `To ${action} you need the right 'registry.write' or 'registry.publish'; ask an admin for it`)
}

/** Inside a transaction it holds the tenant's lock from here on. */
export async function findTool(scope: Scope, id: string, store: Store): Promise<RegistryToolRow> {
  const row = await store.registryTools.get(scope, id)
  if (row === null) throw noTool(id)
  return row
}

export const noTool = (id: string): ExecutorError =>
  new ExecutorError(
    "not_found",
    `There is no tool '${id.slice(0, 80)}' in the registry; an id begins with tool_, and GET /tools lists them`,
  )

export async function findVersion(scope: Scope, tool: RegistryToolRow, version: string, store: Store): Promise<ToolVersionRow> {
  const row = await store.toolVersions.get(scope, tool.id, version)
  if (row === null)
    throw new ExecutorError(
      "not_found",
      `The tool '${tool.slug}' has no version '${version.slice(0, 40)}'; GET /tools/${tool.id}/versions lists them`,
    )
  return row
}

/** To be called inside the transaction that changed the row. */
export async function updateCatalog(
  scope: Scope,
  before: RegistryToolRow | null,
  after: RegistryToolRow,
  store: Store,
  parts: RegistryParts,
): Promise<void> {
  const now = parts.clock.now()
  if (!isResolved(after)) {
    if (before !== null && isResolved(before)) await publishToCatalog(scope, { put: [], drop: [before.slug] }, store, now)
    return
  }
  const version = await findVersion(scope, after, after.publishedVersion ?? "", store)
  const tool = toCatalogTool(after, { snapshot: readSnapshot(version), publishedBy: version.by }, parts)
  await publishToCatalog(scope, { put: [tool], drop: [] }, store, now)
}
