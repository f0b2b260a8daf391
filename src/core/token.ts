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
}

export type TokenCreate = { readonly name: string; readonly kind: PrincipalKind; readonly elicitation?: readonly ElicitationMode[] }
export type TokenCreated = { readonly id: string; readonly token: string }

/** Works once, within a few minutes. */
export type SignInCode = { readonly code: string; readonly expiresAt: string }
