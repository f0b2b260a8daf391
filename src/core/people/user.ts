// A person or a service account of a tenant.
import type { PageRequest } from "../page.ts"
import type { PrincipalKind } from "../principal.ts"
import type { RoleGrant } from "./role.ts"

/** `disabled`: nothing acts in their name any more. */
export const userStatuses = ["active", "invited", "disabled"] as const
export type UserStatus = (typeof userStatuses)[number]

/** How they came: added by an admin, invited, or let in by a sign-in provider. */
export type UserSource = "local" | "invitation" | `sso:${string}`

export const userSources = ["local", "invitation", "sso"] as const

export type UserView = {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly status: UserStatus
  readonly roles: readonly RoleGrant[]
  /** A service account: it never signs in, and owns no `user` connections. */
  readonly service: boolean
  readonly source: UserSource
  readonly lastSeenAt: string | null
}

export type UserFilter = {
  readonly status?: UserStatus
  /** The id of a role that they have. */
  readonly role?: string
  readonly source?: (typeof userSources)[number]
  /** Only service accounts, or only people. */
  readonly service?: boolean
  /** Text in the id, the name or the e-mail address, ignoring case. */
  readonly query?: string
}
export type UserPageRequest = UserFilter & PageRequest

export type UserCreate = {
  /** By default made of the e-mail address or the name. */
  readonly id?: string
  readonly name: string
  readonly email?: string | null
  readonly roles: readonly string[]
  readonly service?: boolean
}

/** `roles` replaces those that were given by hand; those of a sign-in provider stay. */
export type UserUpdate = {
  readonly name?: string
  readonly email?: string | null
  readonly roles?: readonly string[]
  readonly status?: "active" | "disabled"
}

/** The acting user, and where each of their roles and rights comes from. */
export type Me = {
  readonly tenant: string
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly kind: PrincipalKind
  readonly roles: readonly RoleGrant[]
  /** `from`: the roles that give it. An agent has none. */
  readonly rights: readonly { readonly right: string; readonly from: readonly string[] }[]
  /** The token that this request came with. */
  readonly token: { readonly id: string; readonly name: string; readonly patterns: readonly string[] | null } | null
}
