// What changed between two definitions of a tool, as users see it: first what it means, then the JSON.
import type { Effect, JsonSchema } from "../tool.ts"

/**
 * The worst of its changes. `breaking`: a call, or a reader of its answer, that was right before may be wrong now; what
 * cannot be judged counts as that. `implementation`: the same calls are right, and may do something else. `widening`: whatever was right before still is. `text`: only texts differ.
 */
export const diffKinds = ["breaking", "implementation", "widening", "text", "none"] as const
export type DiffKind = (typeof diffKinds)[number]

export type DefinitionChange = {
  readonly kind: Exclude<DiffKind, "none">
  /** E.g. `inputSchema.properties.city`, or `inputSchema.$defs.Place` for a shared definition. */
  readonly path: string
  readonly message: string
  /** Long values are cut; a secret is `***`. */
  readonly before?: unknown
  readonly after?: unknown
}

/** `path` is a JSON Pointer. */
export type JsonChange = {
  readonly op: "add" | "remove" | "replace"
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

export type DefinitionDiff = {
  readonly kind: DiffKind
  readonly effectChanged: boolean
  /** The worst first. */
  readonly changes: readonly DefinitionChange[]
  readonly json: readonly JsonChange[]
  /** There are more changes than are listed; `kind` counts them. */
  readonly truncated: boolean
}

/** What is compared of a tool. `implementation` and `execution`: of tools that were made here. */
export type ToolDefinition = {
  readonly title: string
  readonly description: string
  readonly effect: Effect
  readonly requiresApproval: boolean
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema | null
  readonly implementation?: { readonly type: string; readonly config: unknown }
  readonly execution?: Readonly<Record<string, unknown>>
}
