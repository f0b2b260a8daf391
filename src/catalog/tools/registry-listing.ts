// The port through which the list reads the tools that were made here.
import type { RegistryListFields, ToolView } from "../../core/tool.ts"
import type { Scope } from "../../core/principal.ts"
import type { RegistryRowFilter } from "../../store/registry-store.ts"
import type { After, ToolListRow } from "../../store/store.ts"

export interface RegistryListing {
  /** The working copies of every status, by slug. */
  page(scope: Scope, filter: RegistryRowFilter, page: After<string>): Promise<(MadeTool & { readonly row: ToolListRow })[]>
  /** Of these slugs, what production runs. */
  published(scope: Scope, slugs: readonly string[]): Promise<ReadonlyMap<string, MadeTool>>
}

export type MadeTool = Pick<ToolView, "toolType" | "implementationType" | "status" | "version"> & { readonly made: RegistryListFields }
