// A bearer token as its owner sees it; the secret itself is shown only once and stored as a hash.
import type { PrincipalKind } from "./principal.ts"

export const elicitationModes = ["browser", "native", "model"] as const
export type ElicitationMode = (typeof elicitationModes)[number]

/** A token that came out of a consent works at `/mcp` only. */
export type TokenSurface = "mcp"

export type TokenView = {
  readonly id: string
  readonly name: string
  readonly kind: PrincipalKind
  readonly user: string
  readonly elicitation: readonly ElicitationMode[]
  readonly createdAt: string
  /** It sees only those tools of its user that these match; null: all of them. */
  readonly patterns: readonly string[] | null
  /** Null: never. */
  readonly expiresAt: string | null
  /** Who made it, where that is not its user. */
  readonly createdBy: string | null
  /** The client that a human gave it to by consent. */
  readonly client: string | null
  /** Its agent may run executions in debug mode. */
  readonly debug: boolean
}

export type TokenCreate = {
  readonly name: string
  readonly kind: PrincipalKind
  readonly elicitation?: readonly ElicitationMode[]
  /** Narrows an agent's token to the tools that these match, of those that its user sees. */
  readonly patterns?: readonly string[]
  /** A timestamp; by default never. */
  readonly expiresAt?: string
  /** A service account, for which admins make agents' tokens. By default the acting user. */
  readonly user?: string
  /** Lets an agent run executions in debug mode; for humans with the right `registry.write`. */
  readonly debug?: boolean
}
export type TokenCreated = { readonly id: string; readonly token: string }

/** Works once, within a few minutes. */
export type SignInCode = { readonly code: string; readonly expiresAt: string }
