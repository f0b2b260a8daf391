// How a registry tool is performed: the published snapshot of its implementation, as its tool set keeps it.
import type { ToolNotice } from "../result.ts"
import type { JsonText } from "../tool.ts"

export type RegistryBinding = {
  readonly toolId: string
  readonly slug: string
  readonly version: string
  /** As it was published: what this version does not know is an error of the call. */
  readonly type: string
  /** Secret values are `{ "$secret": ref }`. */
  readonly implementation: Readonly<Record<string, unknown>>
  /** As stored, in the seed's names. */
  readonly execution: Readonly<Record<string, unknown>>
  /** The code that the tool runs, pinned when it was published. */
  readonly artifact: ArtifactCode | null
  /** URLs that an admin wrote: their private hosts are thereby allowed on a server that listens on loopback only. */
  readonly literalUrls: readonly string[]
  readonly publishedBy: string
  /** Who wrote the implementation; empty: nobody knows. */
  readonly writtenBy: string
  /** Said with every answer of a deprecated tool. */
  readonly deprecation: ToolNotice | null
}

export type ArtifactCode = { readonly code: string; readonly inputs: readonly ArtifactInput[] }

export type ArtifactInput = {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly default?: unknown
}

/** Where a secret value stood. */
export type SecretReference = { readonly $secret: string }

/** Under which name the vault keeps the value of a reference. */
export const secretValueName = "value"

export const isSecretReference = (value: unknown): value is SecretReference =>
  typeof value === "object" && value !== null && typeof (value as { $secret?: unknown }).$secret === "string"

export const readBinding = (text: JsonText): RegistryBinding => JSON.parse(text) as RegistryBinding // written by `registry/catalog.ts` only
