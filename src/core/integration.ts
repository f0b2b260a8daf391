// A catalog entry such as `github`: a slug, a source kind and its config.
import type { AuthOption } from "./auth.ts"
import type { IntegrationSlug } from "./address.ts"

export const sourceKinds = ["openapi", "graphql", "mcp", "plugin"] as const
export type SourceKind = (typeof sourceKinds)[number]

/** Something a document gets wrong, and what it cost. */
export type Warning = {
  /** A JSON pointer into the document, or another place a reader can find. */
  readonly location: string
  readonly message: string
}

/** What its source said about the integration when it was last read. */
export type SourceFacts = {
  readonly title: string
  readonly version: string
  readonly description: string
  /** Where calls would go: these are shown before credentials are bound, and confirmed by binding them. */
  readonly origins: readonly string[]
  readonly auth: readonly AuthOption[]
  readonly warnings: readonly Warning[]
  readonly toolCount: number
}

/** Of the warnings those that make the whole of it useless, as sentences. */
export const seriousWarnings = ({ warnings }: Pick<SourceFacts, "warnings">): string[] =>
  warnings.filter(({ location }) => seriousPlace.test(location)).map(({ message }) => message)

const seriousPlace = /^(?:#\/paths|#\/servers(?:\/\d+)?|#\/host|config\.include)$/

export type IntegrationView = {
  readonly slug: IntegrationSlug
  readonly kind: SourceKind
  readonly name: string
  readonly description: string
  /** Secret values are shown as `***`. */
  readonly config: Record<string, unknown>
  /** Of the document its tools were made of; null where there is none. */
  readonly documentHash: string | null
  readonly configRevisedAt: string
  readonly createdAt: string
  readonly facts: SourceFacts
}

export type IntegrationAdd = {
  readonly slug: string
  readonly kind: string
  readonly name?: string
  readonly description?: string
  readonly config: unknown
}

export type IntegrationUpdate = { readonly name?: string; readonly description?: string; readonly config?: unknown }

/** What is at a URL. */
export type Detection = {
  readonly kind: SourceKind
  readonly slug: string
  readonly name: string
  readonly config: Record<string, unknown>
  readonly auth: readonly AuthOption[]
}

/** What adding an integration would give. */
export type IntegrationPreview = {
  readonly kind: SourceKind
  readonly facts: SourceFacts
  readonly tools: readonly { readonly name: string; readonly description: string; readonly requiresApproval: boolean }[]
}
