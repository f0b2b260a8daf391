// What one principal can do with the registry: a part of the surface that the SDK, the HTTP API and the client share.
import type { Page, PageRequest } from "../page.ts"
import type { ArtifactCreate, ArtifactUpdate, ArtifactVersionView, ArtifactView } from "./artifact.ts"
import type { TenantCredentialCreate, TenantCredentialUpdate, TenantCredentialView } from "./credential.ts"
import type { DefinitionDiff } from "./diff.ts"
import type {
  RegistryExport,
  RegistryImportResult,
  RegistryToolCreate,
  RegistryToolFilter,
  RegistryToolTest,
  RegistryToolUpdate,
  RegistryToolView,
  ToolVersionView,
} from "./tool.ts"

/** `id`: the id of a tool; the SDK and the command line look up a slug first. */
export interface RegistryApi {
  /** Drafts only for humans with `registry.write`. */
  list(filter?: RegistryToolFilter, page?: PageRequest): Promise<Page<RegistryToolView>>
  get(id: string): Promise<RegistryToolView>
  /** By slug; throws `not_found`. */
  find(slug: string): Promise<RegistryToolView>
  create(input: RegistryToolCreate): Promise<RegistryToolView>
  update(id: string, change: RegistryToolUpdate): Promise<RegistryToolView>
  /** Removes what was never published; anything else is disabled. */
  remove(id: string): Promise<RegistryToolView | null>
  publish(id: string, options?: { readonly reason?: string }): Promise<RegistryToolView>
  version(id: string, newVersion: string): Promise<RegistryToolView>
  versions(id: string, page?: PageRequest): Promise<Page<ToolVersionView>>
  versionOf(id: string, version: string): Promise<ToolVersionView>
  /** `from` and `to`: versions, or `working` for the working copy. By default from what is published to the working copy. */
  diff(id: string, between: { readonly from?: string; readonly to?: string }): Promise<DefinitionDiff>
  rollback(id: string, version: string): Promise<RegistryToolView>
  /** Runs the working copy in debug mode through the gate. */
  test(id: string, input: Readonly<Record<string, unknown>>): Promise<RegistryToolTest>
  builtins(): Promise<readonly RegistryToolView[]>
  export(): Promise<RegistryExport>
  import(file: unknown): Promise<RegistryImportResult>
}

export interface ArtifactsApi {
  list(page?: PageRequest): Promise<Page<ArtifactView>>
  get(id: string): Promise<ArtifactView>
  create(input: ArtifactCreate): Promise<ArtifactView>
  update(id: string, change: ArtifactUpdate): Promise<ArtifactView>
  versions(id: string, page?: PageRequest): Promise<Page<ArtifactVersionView>>
  /** Throws `conflict` with `tools` in its details where tools use it. */
  remove(id: string): Promise<void>
}

export interface TenantCredentialsApi {
  list(page?: PageRequest): Promise<Page<TenantCredentialView>>
  create(input: TenantCredentialCreate): Promise<TenantCredentialView>
  update(id: string, change: TenantCredentialUpdate): Promise<TenantCredentialView>
  remove(id: string): Promise<void>
}
