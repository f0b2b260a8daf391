// A tool that people make inside Executor: its working copy, its lifecycle, and how both are shown.
import type { LogLine } from "../execution.ts"
import type { ArtifactInput } from "./binding.ts"
import type { JsonSchema } from "../tool.ts"

export const implementationTypes = ["internal", "http", "rag_retrieval", "agent_call", "function", "custom", "artifact", "mcp"] as const
export type ImplementationType = (typeof implementationTypes)[number]

export const toolStatuses = ["draft", "published", "deprecated", "disabled"] as const
export type ToolStatus = (typeof toolStatuses)[number]

export type ToolSchemas = { readonly input: JsonSchema; readonly output?: JsonSchema }

/** As it is stored: secret values are references, see `secret.ts`. */
export type ConfigSchema = {
  readonly implementation: Readonly<Record<string, unknown>>
  readonly execution: Readonly<Record<string, unknown>>
}

/** Everything that a version is a snapshot of. */
export type ToolDefinition = {
  readonly name: string
  readonly description: string
  readonly schema: ToolSchemas
  readonly configSchema: ConfigSchema
  /** Of an import it may be one that this version does not know. */
  readonly implementationType: string
  readonly artifactId: string | null
  readonly artifactVersion: string | null
}

/** `configSchema`: secrets read as `***`. */
export type RegistryToolView = ToolDefinition & {
  readonly id: string
  readonly slug: string
  readonly address: string
  /** `global`: a built-in. */
  readonly scope: "tenant" | "global"
  readonly toolType: string
  readonly status: ToolStatus
  readonly version: string
  readonly isActive: boolean
  readonly isSystem: boolean
  readonly builtinKey: string | null
  readonly replacedBy: string | null
  readonly publishedAt: string | null
  /** What production runs; null where that is nothing. */
  readonly publishedVersion: string | null
  readonly hasUnpublishedChanges: boolean
  readonly createdBy: string
  readonly createdAt: string
  readonly updatedAt: string
}

export type RegistryToolCreate = {
  readonly name: string
  /** By default made of the name. */
  readonly slug?: string
  readonly description: string
  /** By default what an artifact or a built-in takes; other types need it. */
  readonly schema?: ToolSchemas
  readonly implementationType: string
  readonly implementationConfig?: Readonly<Record<string, unknown>>
  readonly executionConfig?: Readonly<Record<string, unknown>>
  readonly artifactId?: string
  readonly artifactVersion?: string
  readonly scope?: string
  readonly status?: string
}

export type RegistryToolUpdate = Omit<Partial<RegistryToolCreate>, "artifactId" | "artifactVersion"> & {
  readonly artifactId?: string | null
  /** Null: the latest one, which the next publish pins. */
  readonly artifactVersion?: string | null
  readonly isActive?: boolean
  /** The slug or id of the tool to use instead; null: none. */
  readonly replacedBy?: string | null
  /** Refused, with the reason. */
  readonly isSystem?: unknown
  readonly builtinKey?: unknown
}

export type ToolVersionView = {
  readonly version: string
  readonly schemaSnapshot: ToolSnapshotView
  readonly by: string
  readonly at: string
  readonly reason: string | null
  /** It is what production runs. */
  readonly isPublished: boolean
}

export type ToolSnapshotView = Pick<ToolDefinition, "schema" | "configSchema" | "implementationType"> & Partial<ToolDefinition>

/** What a test of the working copy answered, what its code logged, and the execution in which it ran. */
export type RegistryToolTest = { readonly executionId: string; readonly logs: readonly LogLine[] } & RegistryToolAnswer

/** While it waits for a human, the error is `approval_required` with the approval in its details. */
export type RegistryToolAnswer =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string; readonly details?: unknown } }

export type RegistryToolFilter = {
  readonly status?: ToolStatus
  readonly implementationType?: string
  /** Case-insensitive substring of name, slug or description. */
  readonly query?: string
}

/** The integration and the connection under which registry tools are in the catalog. */
export const registrySlug = "registry"

export const registryAddress = (slug: string): string => `tools.${registrySlug}.org.main.${slug}`

/** What `registry export` writes and `registry import` reads; secrets are left out. */
export type RegistryExport = {
  readonly format: "executor.registry/1"
  readonly tools: readonly Readonly<Record<string, unknown>>[]
  /** Each with the versions that the tools use, and its latest one; the oldest first. */
  readonly artifacts: readonly ExportedArtifact[]
}

export type ExportedArtifact = {
  readonly slug: string
  readonly name: string
  readonly versions: readonly { readonly version: string; readonly inputs: readonly ArtifactInput[]; readonly code: string }[]
}

export type RegistryImportResult = {
  /** The slugs of artifacts that were added. */
  readonly artifacts: readonly string[]
  readonly created: readonly string[]
  readonly skipped: readonly string[]
  readonly warnings: readonly string[]
}
