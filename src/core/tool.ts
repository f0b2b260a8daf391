// One callable operation: the facts that its source states, and the views that users see.
import type { ConnectionName, IntegrationSlug, Owner, ToolAddress, ToolName } from "./address.ts"
import type { PolicyAction } from "./policy.ts"

/** JSON that was serialised once and is passed on as text. */
export type JsonText = string
export type JsonSchema = Record<string, unknown>

export type Effect = "read" | "write" | "destroy"

/** Facts of a tool, stated by its source; policy decides what follows from them. */
export type ToolFacts = {
  readonly name: ToolName
  readonly title: string
  readonly summary: string
  readonly description: string
  readonly effect: Effect
  readonly requiresApproval: boolean
  readonly approvalDescription: string | null
  readonly mayElicit: boolean
  readonly deprecated: boolean
  readonly tags: readonly string[]
}

/** A row of `GET /tools`. */
export type ToolView = {
  readonly address: ToolAddress
  readonly owner: Owner
  readonly integration: IntegrationSlug
  readonly connection: ConnectionName
  readonly name: ToolName
  readonly title: string
  readonly pluginId: string
  readonly description: string
  readonly static: boolean
  readonly policy: PolicyAction
  /** The tool differs from the version that a human accepted when connecting its source. */
  readonly changed?: true
  readonly mayElicit?: boolean
  readonly requiresApproval?: boolean
  readonly approvalDescription?: string | null
}

export type ToolFilter = {
  readonly integration?: string
  readonly owner?: Owner
  readonly connection?: string
  readonly query?: string
  readonly includeAnnotations?: boolean
  readonly includeBlocked?: boolean
}

/** The result of `tools.schema`. */
export type ToolSchemaView = {
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema | null
  readonly schemaDefinitions: Record<string, JsonSchema>
  readonly inputTypeScript: string
  readonly outputTypeScript: string
  readonly typeScriptDefinitions: Record<string, string>
  /** Only for a tool that differs from the version a human accepted. */
  readonly change?: ToolChange
}

/** The parts of a tool that a human accepts. */
export type PinnedTool = {
  readonly title: string
  readonly description: string
  readonly effect: Effect
  readonly requiresApproval: boolean
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema | null
}

/** `accepted` is null if the tool was added later. */
export type ToolChange = {
  readonly fields: readonly (keyof PinnedTool)[]
  readonly accepted: PinnedTool | null
  readonly current: PinnedTool
}
