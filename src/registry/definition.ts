// The content of a registry tool: its working copy in a row, its snapshot in a version, and the hash that tells them apart.
import { canonicalJson } from "../core/json/canonical.ts"
import type { ArtifactCode } from "../core/registry/binding.ts"
import type { ToolDefinition } from "../core/registry/tool.ts"
import { sha256 } from "../io/ids.ts"
import type { RegistryToolRow, ToolVersionRow } from "../store/registry-store.ts"

export type WorkingCopy = ToolDefinition & {
  /** The origins in the config that an admin wrote. */
  readonly literalUrls: readonly string[]
  /** Who wrote the implementation, whoever published it. */
  readonly writtenBy: string
}

/** With everything that a call needs, whatever happens to what it was made of. */
export type Snapshot = WorkingCopy & { readonly artifact: ArtifactCode | null }

// These columns are written by this folder alone, in exactly these shapes.
export const readWorkingCopy = (row: RegistryToolRow): WorkingCopy => ({
  name: row.name,
  description: row.description,
  schema: JSON.parse(row.schema) as WorkingCopy["schema"],
  configSchema: JSON.parse(row.configSchema) as WorkingCopy["configSchema"],
  implementationType: row.implementationType,
  artifactId: row.artifactId,
  artifactVersion: row.artifactVersion,
  literalUrls: JSON.parse(row.literalUrls) as string[],
  writtenBy: row.writtenBy,
})

/** Older ones do not say who wrote them. */
export const readSnapshot = ({ snapshot }: Pick<ToolVersionRow, "snapshot">): Snapshot => ({
  writtenBy: "",
  ...(JSON.parse(snapshot) as Omit<Snapshot, "writtenBy">),
})

type ContentColumns = Pick<
  RegistryToolRow,
  | "name"
  | "description"
  | "schema"
  | "configSchema"
  | "implementationType"
  | "artifactId"
  | "artifactVersion"
  | "literalUrls"
  | "contentHash"
  | "writtenBy"
>

export const contentColumns = (copy: WorkingCopy): ContentColumns => ({
  name: copy.name,
  description: copy.description,
  schema: JSON.stringify(copy.schema),
  configSchema: JSON.stringify(copy.configSchema),
  implementationType: copy.implementationType,
  artifactId: copy.artifactId,
  artifactVersion: copy.artifactVersion,
  literalUrls: JSON.stringify(copy.literalUrls),
  contentHash: contentHash(copy),
  writtenBy: copy.writtenBy,
})

/** A pinned artifact's code follows from its version. */
export const contentHash = ({ name, description, schema, configSchema, implementationType, ...rest }: WorkingCopy): string => {
  const { artifactId, artifactVersion, literalUrls } = rest
  return sha256(canonicalJson({ name, description, schema, configSchema, implementationType, artifactId, artifactVersion, literalUrls }))
}

/** The column counts; what an older system has left empty is in the config. */
export function typeOf({ implementationType, configSchema }: Pick<ToolDefinition, "implementationType" | "configSchema">): string {
  const { type } = configSchema.implementation
  return implementationType || (typeof type === "string" ? type : "")
}
