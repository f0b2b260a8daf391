// A catalog entry such as `github`: a slug, a source kind and its config.
import type { AuthOption } from "./auth.ts"
import type { IntegrationSlug } from "./address.ts"

export const sourceKinds = ["openapi", "graphql", "mcp", "plugin", "registry", "agents"] as const
export type SourceKind = (typeof sourceKinds)[number]

/** An error in a document, and its consequence. */
export type Warning = {
  /** A JSON pointer into the document, or another location that a reader can find. */
  readonly location: string
  readonly message: string
}

/** Facts about the integration from its source when it was last read. */
export type SourceFacts = {
  readonly title: string
  readonly version: string
  readonly description: string
  /** The origins that calls are sent to. They are shown before credentials are bound, and confirmed by binding them. */
  readonly origins: readonly string[]
  readonly auth: readonly AuthOption[]
  readonly warnings: readonly Warning[]
  readonly toolCount: number
}

/** The warnings that make the whole integration unusable, as sentences. */
export const seriousWarnings = ({ warnings }: Pick<SourceFacts, "warnings">): string[] =>
  warnings.filter(({ location }) => seriousPlace.test(location)).map(({ message }) => message)

/** Those about where calls are sent, which tell nothing about tools. */
export const warningsWithoutTools = (warnings: readonly Warning[]): Warning[] =>
  warnings.filter(({ location }) => serverPlace.test(location))

const serverPlace = /^#\/(?:servers(?:\/\d+)?|host)$/
const seriousPlace = /^(?:#\/paths|#\/servers(?:\/\d+)?|#\/host|config\.include)$/

export type IntegrationView = {
  readonly slug: IntegrationSlug
  readonly kind: SourceKind
  readonly name: string
  readonly description: string
  /** Secret values are shown as `***`. Empty for whoever sees only some of its tools and does not manage it. */
  readonly config: Record<string, unknown>
  /** The hash of the document that the tools were synced from; null if there is none. */
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

/** What was detected at a URL. */
export type Detection = {
  readonly kind: SourceKind
  readonly slug: string
  readonly name: string
  readonly config: Record<string, unknown>
  readonly auth: readonly AuthOption[]
}

/** What adding an integration would bring. */
export type IntegrationPreview = {
  readonly kind: SourceKind
  readonly facts: SourceFacts
  readonly tools: readonly { readonly name: string; readonly description: string; readonly requiresApproval: boolean }[]
}
