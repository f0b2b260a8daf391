// An invitation: a link by which one person becomes a user, with the roles that the inviter chose.

export type InvitationView = {
  readonly id: string
  /** The user that it is for. */
  readonly user: string
  readonly email: string | null
  readonly roles: readonly string[]
  readonly invitedBy: string
  readonly createdAt: string
  readonly expiresAt: string
}

export type InvitationCreate = {
  readonly roles: readonly string[]
  readonly name?: string
  /** Whom it is for: a provider must vouch for it; with a passkey the link alone counts, unless a provider lists its domain. */
  readonly email?: string
  /** A user who exists and has to sign in anew; for admins. By default a new user is made. */
  readonly user?: string
}

/** The link is shown once and stored as a hash. */
export type InvitationCreated = InvitationView & { readonly link: string; readonly token: string }
