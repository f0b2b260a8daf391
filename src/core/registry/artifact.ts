// Code that tools are made of, kept in immutable versions.
import type { ArtifactInput } from "./binding.ts"

export type ArtifactView = {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** The latest one; a counter, as text. */
  readonly version: string
  readonly inputs: readonly ArtifactInput[]
  readonly code: string
  readonly createdAt: string
  readonly updatedAt: string
}

export type ArtifactCreate = {
  readonly name: string
  readonly slug?: string
  readonly inputs?: readonly ArtifactInput[]
  readonly code: string
}

export type ArtifactUpdate = Partial<Omit<ArtifactCreate, "slug">>

export type ArtifactVersionView = Pick<ArtifactView, "version" | "inputs" | "code"> & { readonly by: string; readonly at: string }
