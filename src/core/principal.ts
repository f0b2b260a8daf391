// Who acts, and what being a human admin allows.
import { ExecutorError } from "./errors.ts"
import type { ElicitationMode } from "./token.ts"

export type PrincipalKind = "human" | "agent"

/** Limits every query below the surfaces to one tenant's rows, and among `user`-owned rows to this user's. */
export type Scope = { readonly tenant: string; readonly user: string }

export type Principal = Scope & {
  readonly roles: readonly string[]
  readonly kind: PrincipalKind
  /** The token it came with; null for the in-process local human. */
  readonly tokenId: string | null
}

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
export type TokenPrincipal = Principal & { readonly elicitation: readonly ElicitationMode[] }

export const localTenant = "default"
export const localUser = "local"
/** The actor of what nobody signed in for; no user may be named so. */
export const anonymousUser = "anonymous"
export const adminRole = "admin"

export const localHuman: Principal = { tenant: localTenant, user: localUser, roles: [adminRole], kind: "human", tokenId: null }

export const isAdmin = (principal: Principal): boolean => principal.kind === "human" && principal.roles.includes(adminRole)

/** An agent never administers, whoever asked. */
export function requireAdmin(principal: Principal, action: string): void {
  if (principal.kind === "agent") throw new ExecutorError("forbidden", `An agent may not ${action}; ask an admin`)
  if (!isAdmin(principal)) throw new ExecutorError("forbidden", `Only an admin may ${action}`)
}
