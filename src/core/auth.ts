// How a connection authenticates: the templates, and where their values are put in a request.

export const authTemplates = ["none", "bearer", "api_key", "basic", "oauth2", "custom"] as const
export type AuthTemplate = (typeof authTemplates)[number]

export type Placement = {
  readonly in: "header" | "query" | "cookie"
  readonly name: string
  /** Text with `${value}` references, e.g. `Token ${key}`. */
  readonly value: string
}

/** A way to authenticate that a source offers. */
export type AuthOption = {
  readonly template: AuthTemplate
  /** Its name in the source. */
  readonly name: string
  readonly description: string
  /** The values that a connection must provide. */
  readonly values: readonly string[]
  readonly placements: readonly Placement[]
  /** The flows of an OAuth2 scheme as the document states them. */
  readonly oauth?: Record<string, unknown>
}

export type ConnectionAuth = {
  readonly template: AuthTemplate
  readonly values?: Record<string, string>
  readonly placements?: readonly Placement[]
}

/** A credential ready for one call. Its values exist in memory for that call only. */
export type Credential = {
  readonly placements: readonly Placement[]
  /** The origins it may be sent to; requests to any other are sent without it. */
  readonly origins: readonly string[]
  /** Every text that must be redacted from responses. */
  readonly secrets: readonly string[]
  /** Returns a new credential after an upstream rejected this one. Throws if a human must connect again. */
  readonly renew?: () => Promise<Credential>
  /** Where a human connects again, for credentials that come from a consent. */
  readonly connectUrl?: string
}

export const noCredential: Credential = { placements: [], origins: [], secrets: [] }
