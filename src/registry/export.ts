// Writes the tools of a tenant in the format that an import reads: with `***` instead of secrets, and without references to this tenant.
import { requireRight } from "../core/principal.ts"
import type { Principal } from "../core/principal.ts"
import type { RegistryExport } from "../core/registry/tool.ts"
import { allRows } from "../store/all-rows.ts"
import type { RegistryToolRow } from "../store/registry-store.ts"
import { isResolved } from "./catalog.ts"
import { readSnapshot, readWorkingCopy, typeOf } from "./definition.ts"
import type { Snapshot } from "./definition.ts"
import type { RegistryParts } from "./parts.ts"
import { snapshotOf } from "./publish.ts"
import { maskSecrets } from "./secrets.ts"
import { findVersion } from "./tool.ts"

export async function exportRegistry(principal: Principal, parts: RegistryParts): Promise<RegistryExport> {
  requireRight(principal, "registry.write", "export the registry")
  const rows = await allRows<RegistryToolRow, string>(
    (page) => parts.store.registryTools.list(principal, {}, page),
    ({ slug }) => slug,
  )
  const tools: Record<string, unknown>[] = []
  for (const row of rows) tools.push(toEntry(row, await contentOf(principal, row, parts)))
  return { format: "executor.registry/1", tools }
}

/** What production runs; of anything else, the working copy. */
async function contentOf(principal: Principal, row: RegistryToolRow, parts: RegistryParts): Promise<Snapshot> {
  if (isResolved(row)) return readSnapshot(await findVersion(principal, row, row.publishedVersion ?? "", parts.store))
  return snapshotOf(principal, readWorkingCopy(row), parts.store, parts).catch(() => ({ ...readWorkingCopy(row), artifact: null }))
}

/** In the seed's names. An artifact's code travels with the tool. */
function toEntry(row: RegistryToolRow, content: Snapshot): Record<string, unknown> {
  const { implementation, execution } = content.configSchema
  const config = content.artifactId === null || content.artifact === null ? implementation : { ...implementation, ...content.artifact }
  return {
    slug: row.slug,
    name: content.name,
    description: content.description,
    scope: "tenant",
    schema: content.schema,
    config_schema: { implementation: maskSecrets(config), execution },
    status: row.status,
    version: isResolved(row) ? row.publishedVersion : row.version,
    implementation_type: typeOf(content),
    published_at: row.publishedAt,
    is_active: row.isActive,
    is_system: false,
    builtin_key: null,
    replaced_by: row.replacedBy,
  }
}
