// The store port of the registry: tools that people make, their versions, artifacts and the tenant's credentials.
import type { ToolStatus, RegistryToolFilter } from "../core/registry/tool.ts"
import type { Scope } from "../core/principal.ts"
import type { JsonText } from "../core/tool.ts"
import type { After, ToolWrite } from "./store.ts"

export interface RegistryStore {
  readonly registryTools: RegistryToolRows
  readonly toolVersions: ToolVersionRows
  readonly artifacts: ArtifactRows
  readonly tenantCredentials: TenantCredentialRows
  readonly toolConsents: ToolConsentRows
}

export interface RegistryToolRows {
  get(scope: Scope, id: string): Promise<RegistryToolRow | null>
  findBySlug(scope: Scope, slug: string): Promise<RegistryToolRow | null>
  /** By slug. What is a tenant's clone of a built-in is left out. */
  list(scope: Scope, filter: RegistryRowFilter, page: After<string>): Promise<RegistryToolRow[]>
  /** How many there are of each kind, clones left out. */
  counts(scope: Scope): Promise<RegistryCount[]>
  /** Inserts or replaces; a slug that another tool has is a `conflict`. */
  put(scope: Scope, row: RegistryToolRow): Promise<void>
  /** Its versions go with it. */
  remove(scope: Scope, id: string): Promise<boolean>
}

export type RegistryRowFilter = RegistryToolFilter & { readonly slugs?: readonly string[] }

export type RegistryCount = {
  readonly status: ToolStatus
  readonly implementationType: string
  readonly isSystem: boolean
  readonly hasBuiltinKey: boolean
  readonly hasArtifact: boolean
  readonly count: number
}

/** The working copy of a tool, and where it stands in its lifecycle. */
export type RegistryToolRow = {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly description: string
  /** `ToolSchemas` */
  readonly schema: JsonText
  /** `ConfigSchema`, with references instead of secret values. */
  readonly configSchema: JsonText
  readonly status: ToolStatus
  /** The latest one that was written, or the one that the first publish will have. */
  readonly version: string
  readonly implementationType: string
  readonly publishedAt: string | null
  /** The version that production runs; null: none. It stays when the tool is disabled. */
  readonly publishedVersion: string | null
  readonly artifactId: string | null
  readonly artifactVersion: string | null
  readonly builtinKey: string | null
  readonly isActive: boolean
  readonly isSystem: boolean
  readonly replacedBy: string | null
  /** The URLs in the config that an admin wrote, as a JSON array. */
  readonly literalUrls: JsonText
  /** Of the working copy. */
  readonly contentHash: string
  /** Of the version that production runs; what differs from it waits to be published. */
  readonly publishedHash: string | null
  /** Who wrote the implementation of the working copy; empty: nobody knows. */
  readonly writtenBy: string
  readonly createdBy: string
  readonly createdAt: string
  readonly updatedAt: string
  /** Kept for imports; nothing reads them. */
  readonly builtinTemplateId: string | null
  readonly isBuiltinTemplate: boolean
}

/** Immutable snapshots: written once, never changed. */
export interface ToolVersionRows {
  get(scope: Scope, toolId: string, version: string): Promise<ToolVersionRow | null>
  /** Of these tools the versions that production runs; those without one are left out. */
  published(scope: Scope, toolIds: readonly string[]): Promise<ToolVersionRow[]>
  /** Newest first; `after`: a position. */
  list(scope: Scope, toolId: string, page: After<number>): Promise<ToolVersionRow[]>
  /** A version that exists is a `conflict`. Answers its position. */
  add(scope: Scope, row: Omit<ToolVersionRow, "position">): Promise<number>
}

/** Of a tool or an agent: an immutable snapshot, written once. */
export type VersionRow = {
  readonly version: string
  /** Counts the versions, from 1. */
  readonly position: number
  /** JSON of the definition, with references instead of secret values. */
  readonly snapshot: JsonText
  /** The hash of the snapshot. */
  readonly hash: string
  readonly by: string
  readonly at: string
  readonly reason: string | null
}

export type ToolVersionRow = VersionRow & { readonly toolId: string }

export interface ArtifactRows {
  /** In its latest version, or in this one. */
  get(scope: Scope, id: string, version?: string): Promise<ArtifactRow | null>
  findBySlug(scope: Scope, slug: string): Promise<ArtifactRow | null>
  /** In their latest versions, by id. */
  list(scope: Scope, page: After<string>): Promise<ArtifactRow[]>
  /** Newest first; `after`: a version. */
  versions(scope: Scope, id: string, page: After<string>): Promise<ArtifactRow[]>
  /** Adds an artifact with version 1, or the next version of it. `row.version` must be the next one, else it is a `conflict`. */
  put(scope: Scope, row: ArtifactRow): Promise<void>
  /** The slugs of tools whose working copy or published version is made of it. */
  users(scope: Scope, id: string): Promise<string[]>
  /** Its versions go with it. */
  remove(scope: Scope, id: string): Promise<boolean>
}

/** `version` counts from 1; `madeBy` and `madeAt` are those of the version. */
export type ArtifactRow = {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly version: string
  /** `ArtifactInput[]` */
  readonly inputs: JsonText
  readonly code: string
  readonly madeBy: string
  readonly madeAt: string
  readonly createdAt: string
}

/** Their values are in the vault, see `tenantCredentialRef`. */
export interface TenantCredentialRows {
  get(scope: Scope, id: string): Promise<TenantCredentialRow | null>
  /** The oldest one of this kind; `providerVariant` null: any. */
  find(scope: Scope, kind: TenantCredentialKind): Promise<TenantCredentialRow | null>
  /** By id. */
  list(scope: Scope, page: After<string>): Promise<TenantCredentialRow[]>
  put(scope: Scope, row: TenantCredentialRow): Promise<void>
  remove(scope: Scope, id: string): Promise<boolean>
}

export type TenantCredentialKind = {
  readonly category: string
  readonly providerKey: string
  readonly providerVariant: string | null
}

export type TenantCredentialRow = TenantCredentialKind & {
  readonly id: string
  readonly label: string
  /** The names of its values, as a JSON array. */
  readonly valueNames: JsonText
  readonly endpoint: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** Which versions of others' tools a user lets reach their own connections. */
export interface ToolConsentRows {
  has(scope: Scope, toolId: string, version: string): Promise<boolean>
  put(scope: Scope, toolId: string, version: string, at: string): Promise<void>
}

export const tenantCredentialRef = (id: string): string => `credential:${id}`

/** How the tools of the registry change: the set that follows the one before. */
export type ToolSetDerive = {
  readonly id: string
  /** Null: of none. */
  readonly from: string | null
  readonly put: readonly ToolWrite[]
  readonly drop: readonly string[]
}
