// A preset: a well-known API or MCP server that can be added by its name.
import type { AuthTemplate, Placement } from "../auth.ts"
import type { Page, PageRequest } from "../page.ts"

export const presetKinds = ["openapi", "graphql", "mcp"] as const
export type PresetKind = (typeof presetKinds)[number]

export const presetCategories = [
  "code",
  "cloud",
  "monitoring",
  "work",
  "communication",
  "payments",
  "ai",
  "design",
  "documentation",
  "open_data",
] as const
export type PresetCategory = (typeof presetCategories)[number]

/** A way to authenticate at it; the first is the one to prefer. */
export type PresetAuth = {
  readonly template: AuthTemplate
  /** What a connection must provide. */
  readonly values: readonly string[]
  /** Where the values go, to be sent as `auth.placements` of the connection; empty: where the template says. */
  readonly placements: readonly Placement[]
  /** Where a human gets the key. */
  readonly keyUrl: string | null
  readonly note: string
}

export type PresetView = {
  /** Also the slug of the integration. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly category: PresetCategory
  readonly kind: PresetKind
  /** Where its document or endpoint is. */
  readonly url: string
  /** What `POST /integrations` takes as `config`. */
  readonly config: Readonly<Record<string, unknown>>
  /** Where everybody has an address of their own, which has to be added as `config.baseUrl`. */
  readonly baseUrl: { readonly description: string; readonly example: string } | null
  readonly auth: readonly PresetAuth[]
  readonly docsUrl: string
}

export type PresetFilter = {
  /** Words of its id, name or description. */
  readonly query?: string
  readonly kind?: PresetKind
  readonly category?: PresetCategory
}

export interface PresetsApi {
  /** By id. */
  list(filter?: PresetFilter & PageRequest): Promise<Page<PresetView>>
  /** `not_found` names the ones with similar ids. */
  get(id: string): Promise<PresetView>
}
