// Shows a registry tool: whoever edits sees the working copy, everybody else what production runs; secrets are masked.
import type { ConfigSchema, RegistryToolView, ToolSnapshotView, ToolVersionView } from "../core/registry/tool.ts"
import { registryAddress } from "../core/registry/tool.ts"
import { getToolBucket } from "../core/tool-types.ts"
import type { RegistryToolRow, ToolVersionRow } from "../store/registry-store.ts"
import { readSnapshot, readWorkingCopy, typeOf } from "./definition.ts"
import type { WorkingCopy } from "./definition.ts"
import { maskSecrets } from "./secrets.ts"

export const viewTool = (row: RegistryToolRow): RegistryToolView => viewAs(row, readWorkingCopy(row))

/** For readers who do not edit: nothing of the working copy. */
export const viewPublished = (row: RegistryToolRow, version: ToolVersionRow): RegistryToolView => ({
  ...viewAs(row, readSnapshot(version)),
  version: version.version,
  hasUnpublishedChanges: false,
})

const viewAs = (row: RegistryToolRow, copy: WorkingCopy): RegistryToolView => ({
  id: row.id,
  slug: row.slug,
  name: copy.name,
  description: copy.description,
  address: registryAddress(row.slug),
  scope: "tenant",
  toolType: getToolBucket({ ...copy, isSystem: row.isSystem, builtinKey: row.builtinKey }),
  implementationType: copy.implementationType,
  schema: copy.schema,
  configSchema: showConfig(copy.configSchema),
  artifactId: copy.artifactId,
  artifactVersion: copy.artifactVersion,
  status: row.status,
  version: row.version,
  isActive: row.isActive,
  isSystem: row.isSystem,
  builtinKey: row.builtinKey,
  replacedBy: row.replacedBy,
  publishedAt: row.publishedAt,
  publishedVersion: row.publishedVersion,
  hasUnpublishedChanges: row.contentHash !== row.publishedHash,
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

export const showConfig = ({ implementation, execution }: ConfigSchema): ConfigSchema => ({
  implementation: maskSecrets(implementation),
  execution: maskSecrets(execution),
})

export function viewVersion(version: ToolVersionRow, tool: RegistryToolRow): ToolVersionView {
  const { literalUrls: _urls, writtenBy: _writer, artifact: _artifact, ...definition } = readSnapshot(version)
  const schemaSnapshot: ToolSnapshotView = {
    ...definition,
    configSchema: showConfig(definition.configSchema),
    implementationType: typeOf(definition),
  }
  return {
    version: version.version,
    schemaSnapshot,
    by: version.by,
    at: version.at,
    reason: version.reason,
    isPublished: tool.publishedVersion === version.version,
  }
}
