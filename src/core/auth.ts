// How a connection proves who it is: the templates, and where their values are put in a request.

export const authTemplates = ["none", "bearer", "api_key", "basic", "oauth2", "custom"] as const
export type AuthTemplate = (typeof authTemplates)[number]

export type Placement = {
  readonly in: "header" | "query" | "cookie"
  readonly name: string
  /** Text with `${value}` references, e.g. `Token ${key}`. */
  readonly value: string
}

/** A way of authenticating that a source offers. */
export type AuthOption = {
  readonly template: AuthTemplate
  /** The name that the source gives it. */
  readonly name: string
  readonly description: string
  /** Which values a connection must bring. */
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
  /** Where it may be sent; anything else gets a request without it. */
  readonly origins: readonly string[]
  /** Every text that must be replaced in what comes back. */
  readonly secrets: readonly string[]
  /** After an upstream refused it: another one. Throws where a human must connect again. */
  readonly renew?: () => Promise<Credential>
  /** Where a human connects again, for what lives on a consent. */
  readonly connectUrl?: string
}

export const noCredential: Credential = { placements: [], origins: [], secrets: [] }
