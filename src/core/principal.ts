// Who acts, and what their rights allow.
import { ExecutorError } from "./errors.ts"
import { adminRole } from "./people/role.ts"
import type { PlainRight, Right } from "./people/role.ts"
import type { ElicitationMode, TokenSurface } from "./token.ts"

export type PrincipalKind = "human" | "agent"

/** Limits every query below the surfaces to one tenant's rows, and among `user`-owned rows to this user's. */
export type Scope = { readonly tenant: string; readonly user: string }

export type Principal = Scope & {
  readonly roles: readonly string[]
  /** Of all its roles; an agent has none, whoever it acts for. */
  readonly rights: readonly Right[]
  readonly kind: PrincipalKind
  /** The token it came with; null for the in-process local human. */
  readonly tokenId: string | null
  /** Acting through somebody else's code: of the user's own connections only tools that these patterns match. Absent: all. */
  readonly own?: readonly string[]
  /** Of the execution that it acts in: the workspace whose tools it has. */
  readonly workspace?: string
}

/** The narrower of two reaches; where both name some, nothing is sure to be in both. */
export function narrowOwn({ own: before }: Pick<Principal, "own">, own: "all" | readonly string[]): Pick<Principal, "own"> {
  if (own === "all") return before === undefined ? {} : { own: before }
  return { own: before === undefined ? own : [] }
}

/** Whose rows are looked at: without own connections, those of the tenant alone. */
export const scopeOf = ({ tenant, user, own }: Pick<Principal, "tenant" | "user" | "own">): Scope => ({
  tenant,
  user: own?.length === 0 ? "" : user,
})

/** Who acted, as views show it. */
export type Caller = {
  readonly user: string
  readonly kind: PrincipalKind
  readonly tokenId: string | null
  /** Kept even after the token was revoked; null without a token. */
  readonly tokenName: string | null
}

/** The name to show: the token's name for an agent, because all agents of one human share their user. */
export const callerName = ({ user, kind, tokenName }: Pick<Caller, "user" | "kind" | "tokenName">): string =>
  kind === "human" ? user : (tokenName ?? `an agent of ${user}`)

/** A principal read from its token, with the ways in which this client may ask its human. */
export type TokenPrincipal = Principal & {
  readonly elicitation: readonly ElicitationMode[]
  /** Where alone the token works; null: everywhere. */
  readonly surface: TokenSurface | null
}

export const localTenant = "default"
export const localUser = "local"
/** The actor of what nobody signed in for; no user may be named so. */
export const anonymousUser = "anonymous"

export const localHuman: Principal = {
  tenant: localTenant,
  user: localUser,
  roles: [adminRole],
  rights: ["admin"],
  kind: "human",
  tokenId: null,
}

/** An agent never administers, whoever asked; `admin` implies every other right. */
export const hasRight = ({ kind, rights }: Pick<Principal, "kind" | "rights">, right: PlainRight): boolean =>
  kind === "human" && (rights.includes(right) || rights.includes("admin"))

export const isAdmin = (principal: Pick<Principal, "kind" | "rights">): boolean => hasRight(principal, "admin")

export function requireRight(principal: Principal, right: PlainRight, action: string): void {
  if (hasRight(principal, right)) return
  if (principal.kind === "agent")
    throw new ExecutorError(
      "forbidden",
      `An agent may not ${action}: rights of roles are for humans alone, also those of a service account's; ask an admin`,
    )
  const message = right === "admin" ? `Only an admin may ${action}` : `To ${action} you need the right '${right}'; ask an admin for it`
  throw new ExecutorError("forbidden", message)
}

export const requireAdmin = (principal: Principal, action: string): void => requireRight(principal, "admin", action)
