// Writes the tools and artifacts of a tenant in the format that an import reads: with `***` instead of secrets, and slugs instead of ids.
import { requireRight } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import type { ArtifactInput } from "../../core/registry/binding.ts"
import type { ExportedArtifact, RegistryExport } from "../../core/registry/tool.ts"
import { allRows } from "../../store/all-rows.ts"
import type { ArtifactRow, RegistryToolRow } from "../../store/registry-store.ts"
import { isResolved } from "../catalog.ts"
import { readSnapshot, readWorkingCopy, typeOf } from "../definition.ts"
import type { Snapshot } from "../definition.ts"
import type { RegistryParts } from "../parts.ts"
import { snapshotOf } from "../publish.ts"
import { maskSecrets } from "../secrets.ts"
import { findVersion } from "../tool.ts"

export async function exportRegistry(principal: Principal, parts: RegistryParts): Promise<RegistryExport> {
  requireRight(principal, "registry.write", "export the registry")
  const rows = await allRows<RegistryToolRow, string>(
    (page) => parts.store.registryTools.list(principal, {}, page),
    ({ slug }) => slug,
  )
  const artifacts = await allRows<ArtifactRow, string>(
    (page) => parts.store.artifacts.list(principal, page),
    ({ id }) => id,
  )
  const latest = new Map(artifacts.map((row) => [row.id, row]))
  const used = new Map(artifacts.map(({ id, version }) => [id, new Set([version])]))
  const tools: Record<string, unknown>[] = []
  for (const row of rows) {
    const content = await contentOf(principal, row, parts)
    const { artifactId, artifactVersion } = content
    if (artifactId !== null && artifactVersion !== null) used.get(artifactId)?.add(artifactVersion)
    tools.push(toEntry(row, content, artifactId === null ? null : (latest.get(artifactId)?.slug ?? null)))
  }
  const exported: ExportedArtifact[] = []
  for (const row of artifacts) exported.push(await toArtifact(principal, row, used.get(row.id) ?? new Set(), parts))
  return { format: "executor.registry/1", tools, artifacts: exported }
}

/** What production runs; of anything else, the working copy. */
async function contentOf(principal: Principal, row: RegistryToolRow, parts: RegistryParts): Promise<Snapshot> {
  if (isResolved(row)) return readSnapshot(await findVersion(principal, row, row.publishedVersion ?? "", parts.store))
  const { artifactVersion } = row
  const content = await snapshotOf(principal, readWorkingCopy(row), parts.store, parts).catch(() => ({
    ...readWorkingCopy(row),
    artifact: null,
  }))
  // What follows the latest version still does so elsewhere.
  return { ...content, artifactVersion }
}

async function toArtifact(
  principal: Principal,
  { id, slug, name }: ArtifactRow,
  versions: ReadonlySet<string>,
  { store }: RegistryParts,
): Promise<ExportedArtifact> {
  const written: ExportedArtifact["versions"][number][] = []
  for (const version of [...versions].toSorted((one, other) => Number(one) - Number(other))) {
    const row = await store.artifacts.get(principal, id, version)
    if (row !== null) written.push({ version, inputs: JSON.parse(row.inputs) as ArtifactInput[], code: row.code }) // written by `artifacts.ts` only
  }
  return { slug, name, versions: written }
}

/** In the seed's names. Without its artifact, a tool has the code in itself. */
function toEntry(row: RegistryToolRow, content: Snapshot, artifactSlug: string | null): Record<string, unknown> {
  const { implementation, execution } = content.configSchema
  const isOrphan = content.artifactId !== null && artifactSlug === null
  const config = isOrphan && content.artifact !== null ? { ...implementation, ...content.artifact } : implementation
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
    ...(artifactSlug === null ? {} : { artifact_slug: artifactSlug, artifact_version: content.artifactVersion }),
    published_at: row.publishedAt,
    is_active: row.isActive,
    is_system: false,
    builtin_key: null,
    replaced_by: row.replacedBy,
  }
}
