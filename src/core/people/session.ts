// A human's session in a browser, as its owner and admins see it.

/** `oidc:<provider>` names the provider. */
export type SignInMethod = "code" | "passkey" | `oidc:${string}`

export type SessionView = {
  readonly id: string
  readonly user: string
  readonly method: string
  readonly createdAt: string
  readonly lastSeenAt: string
  readonly expiresAt: string
  /** The network that it was opened from, e.g. `203.0.113.0/24`. */
  readonly address: string | null
  readonly userAgent: string | null
}
