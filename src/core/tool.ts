// One callable operation: the facts that its source states, and the views that users see.
import type { ConnectionName, IntegrationSlug, Owner, ToolAddress, ToolName } from "./address.ts"
import type { PageRequest } from "./page.ts"
import type { PolicyAction } from "./policy.ts"
import type { RegistryToolView, ToolStatus } from "./registry/tool.ts"
import type { ToolBucket } from "./tool-types.ts"

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

/** A row of `GET /tools`; the last fields are those of tools that were made here. */
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
  /** What its calls do at most: those of some tools do less, by their arguments. */
  readonly effect?: Effect
  readonly mayElicit?: boolean
  readonly requiresApproval?: boolean
  readonly approvalDescription?: string | null
  /** Derived from how it is performed and where it comes from. */
  readonly toolType: ToolBucket
  readonly implementationType: string
  readonly status: ToolStatus
  /** Of an imported tool a number that counts the changes of its definition. */
  readonly version: string
} & Partial<RegistryListFields>

export type RegistryListFields = Pick<RegistryToolView, (typeof registryListFields)[number]>

export const registryListFields = [
  "configSchema",
  "id",
  "slug",
  "scope",
  "isActive",
  "isSystem",
  "builtinKey",
  "artifactId",
  "artifactVersion",
  "publishedAt",
  "hasUnpublishedChanges",
] as const

/** `skip`: so many of the first are left out; not together with a cursor. */
export type ToolPageRequest = PageRequest & { readonly skip?: number }

/** How many tools there are, by what they are. */
export type ToolSummary = {
  readonly total: number
  readonly buckets: Readonly<Record<ToolBucket, number>>
  /** By implementation type; an import may bring one that this version does not know. */
  readonly subtypes: Readonly<Record<string, number>>
  readonly statuses: Readonly<Record<ToolStatus, number>>
}

export type ToolFilter = {
  readonly integration?: string
  readonly owner?: Owner
  readonly connection?: string
  readonly query?: string
  readonly includeAnnotations?: boolean
  readonly includeBlocked?: boolean
  /** Other ones than `published` and `deprecated` only for humans with `registry.write`. */
  readonly status?: ToolStatus
  readonly implementationType?: string
  readonly toolType?: ToolBucket
  /** Only the tool of this address; a short one (`github.issues.create`) may be that of several connections. */
  readonly address?: string
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
