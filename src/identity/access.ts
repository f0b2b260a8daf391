// Who somebody is at this moment: their roles and rights, and the tools they can see.
//
// Everything that authenticates asks here, and so does the gate before every call. Nothing is frozen in a session, a
// token or an execution: what is known is kept only while the store's revision stands, so that a change of people, roles
// or tokens binds at the next call, on every node.
import type { Principal } from "../core/principal.ts"
import { builtinRoles } from "../core/people/role.ts"
import type { Right, Role } from "../core/people/role.ts"
import type { ElicitationMode, TokenSurface } from "../core/token.ts"
import type { Clock } from "../io/clock.ts"
import { seesAll, visibleBy, visibleByBoth } from "../policy/visible.ts"
import type { IsVisible } from "../policy/visible.ts"
import { createRevisionCache } from "../store/revision-cache.ts"
import type { Store, TokenRow, UserRow } from "../store/store.ts"

/** `tokenId` null: a human in a browser, or the one of this process. */
export type Actor = Pick<Principal, "tenant" | "user" | "tokenId">

export type Access = {
  readonly principal: Principal
  /** Whether a tool exists for them, by its subject. */
  readonly isVisible: IsVisible
  /** Nobody is behind it who could be asked. */
  readonly isService: boolean
  /** What only tokens have; null for a human without one. */
  readonly token: TokenAccess | null
}

export type TokenAccess = {
  readonly elicitation: readonly ElicitationMode[]
  readonly surface: TokenSurface | null
  readonly expiresAt: string | null
  /** Who made it, where that is not its user. */
  readonly createdBy: string | null
}

export type AccessReader = {
  /** Null: nothing acts in their name any more. The user is gone or disabled, the token revoked or expired. */
  of(actor: Actor): Promise<Access | null>
  /** The roles of the tenant, built-in ones included, by id. */
  roles(tenant: string): Promise<ReadonlyMap<string, Role>>
}

const actorsMax = 2000
const tenantsMax = 200

export function createAccess(store: Store, clock: Clock): AccessReader {
  const actors = createRevisionCache<Access | null>(store, actorsMax)
  const tenants = createRevisionCache<ReadonlyMap<string, Role>>(store, tenantsMax)
  const roles = (tenant: string): Promise<ReadonlyMap<string, Role>> => tenants(tenant, () => readRoles(tenant, store))
  const isOver = ({ token }: Access): boolean => token?.expiresAt != null && token.expiresAt <= clock.now().toISOString()
  return {
    roles,
    async of(actor) {
      const { tenant, user, tokenId } = actor
      const access = await actors(JSON.stringify([tenant, user, tokenId]), () => readAccess(actor, roles, store))
      return access === null || isOver(access) ? null : access
    },
  }
}

async function readRoles(tenant: string, store: Store): Promise<ReadonlyMap<string, Role>> {
  return new Map([...builtinRoles, ...(await store.roles.list(tenant))].map((role) => [role.id, role]))
}

async function readAccess(actor: Actor, roles: AccessReader["roles"], store: Store): Promise<Access | null> {
  const user = await store.users.get(actor)
  if (user === null || user.status !== "active") return null
  const token = actor.tokenId === null ? null : await store.tokens.get(actor, actor.tokenId)
  if (token === null && actor.tokenId !== null) return null
  const held = rolesOf(user, await roles(actor.tenant))
  const kind = token?.kind ?? "human"
  const seen = visibleBy(held.flatMap((role) => role.patterns))
  return {
    principal: {
      tenant: actor.tenant,
      user: actor.user,
      roles: held.map(({ id }) => id),
      rights: kind === "agent" ? [] : rightsOf(held),
      kind,
      tokenId: actor.tokenId,
    },
    isVisible: visibleByBoth(seen, patternsOf(token)),
    isService: user.isService,
    token: token === null ? null : toTokenAccess(token),
  }
}

/** A role that is gone gives nothing. */
export const rolesOf = (user: Pick<UserRow, "roles">, roles: ReadonlyMap<string, Role>): Role[] =>
  [...new Set(user.roles.map(({ role }) => role))].flatMap((id) => roles.get(id) ?? [])

export const rightsOf = (roles: readonly Role[]): Right[] => [...new Set(roles.flatMap(({ rights }) => rights))]

const patternsOf = (token: TokenRow | null): IsVisible =>
  token?.patterns == null ? seesAll : visibleBy(JSON.parse(token.patterns) as string[]) // checked before it was written

const toTokenAccess = (row: TokenRow): TokenAccess => ({
  elicitation: JSON.parse(row.elicitation) as ElicitationMode[], // written by `newToken`
  surface: row.surface,
  expiresAt: row.expiresAt,
  createdBy: row.createdBy,
})
