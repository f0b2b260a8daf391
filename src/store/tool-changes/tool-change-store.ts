// The store port for the history of imported tools: what each sync changed of a connection's tools, and how sets differ.
//
// A tool that never changed has no row: it is at version 1 since its connection was made. Rows belong to the connection,
// because calls are made through one, and one that syncs late changes late; they go with it.
import type { ConnectionRef } from "../../core/address.ts"
import type { Scope } from "../../core/principal.ts"
import type { ToolChangeKind } from "../../core/registry/tool-version.ts"
import type { Effect, JsonText } from "../../core/tool.ts"
import type { After, ToolKey } from "../store.ts"

export interface ToolChangeStore {
  readonly toolChanges: ToolChangeRows
}

export interface ToolChangeRows {
  /** Which tools of a set are not those of the set before it. */
  compare(scope: Scope, before: string, after: string): Promise<SetDifferences>
  /** What is compared of a set's tools, by name. `names`: only these. */
  defined(scope: Scope, toolSetId: string, names: readonly string[] | null, page: After<string>): Promise<DefinedTool[]>
  /** Each becomes the next version of its tool; what is too much of the history goes. */
  add(scope: Scope, ref: ConnectionRef, changes: readonly ToolChangeWrite[], kept: KeptChanges): Promise<void>
  /** Of one tool, the latest first. */
  list(scope: Scope, key: ToolKey, page: After<number>): Promise<ToolChangeRow[]>
  /** The versions that these tools of a connection are at, by name; those at version 1 are left out. */
  versions(scope: Scope, ref: ConnectionRef, names: readonly string[]): Promise<ReadonlyMap<string, number>>
}

/** `versionsMax`: of one tool, the last ones. `removedToolsMax`: tools that are gone, those that went last. */
export type KeptChanges = { readonly versionsMax: number; readonly removedToolsMax: number }

export type SetDifferences = {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** By what they themselves say. */
  readonly changed: readonly string[]
  /** Some shared definition differs, so that tools that say the same may mean something else. */
  readonly hasOtherDefinitions: boolean
}

export type DefinedTool = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly effect: Effect
  readonly requiresApproval: boolean
  readonly inputSchema: JsonText
  readonly outputSchema: JsonText | null
}

export type ToolChangeWrite = {
  readonly tool: string
  readonly at: string
  readonly change: ToolChangeKind
  /** A `DefinitionDiff`; null where there is nothing to compare with. */
  readonly diff: JsonText | null
}

export type ToolChangeRow = ToolChangeWrite & { readonly version: number }
