// Who somebody is at this moment: their roles and rights, and the tools they can see.
//
// Everything that authenticates asks here, and so does the gate before every call. Nothing is frozen in a session, a
// token or an execution: what is known is kept only while the store's revision stands, so that a change of people, roles
// or tokens binds at the next call, on every node.
import { ExecutorError } from "../core/errors.ts"
import type { Principal, PrincipalKind } from "../core/principal.ts"
import { builtinRoles } from "../core/people/role.ts"
import type { Right, Role } from "../core/people/role.ts"
import type { ElicitationMode, TokenSurface } from "../core/token.ts"
import type { Clock } from "../io/clock.ts"
import { sha256 } from "../io/ids.ts"
import { narrowedReach, reachOf, seesAll } from "../policy/visible.ts"
import type { IsVisible, Reach } from "../policy/visible.ts"
import { createRevisionCache } from "../store/revision-cache.ts"
import { createChosenNames } from "./chosen-names.ts"
import type { ChosenNames } from "./chosen-names.ts"
import type { ChooseNames, Store, TokenRow, UserRow } from "../store/store.ts"

/** `tokenId` null: a human in a browser, or the one of this process; a principal that is an agent stays one. */
export type Actor = Pick<Principal, "tenant" | "user" | "tokenId"> & { readonly kind?: string }

export type Access = {
  readonly principal: Principal
  /** Whether a tool exists for them, by its subject. */
  readonly isVisible: IsVisible
  /** Nobody is behind it who could be asked. */
  readonly isService: boolean
  readonly reach: Reach
  /** Whether it does by their roles, so that only the token hides it. */
  readonly isVisibleByRoles: IsVisible
  /** Whoever has the same one sees the same as long as the store's revision stands: what is kept for them is kept by it. */
  readonly viewKey: string
  /** Of a tool set those that are visible; null: all of every set. */
  readonly choose: ChooseNames | null
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
  const chosenNames = createChosenNames()
  const tenants = createRevisionCache<ReadonlyMap<string, Role>>(store, tenantsMax)
  const roles = (tenant: string): Promise<ReadonlyMap<string, Role>> => tenants(tenant, () => readRoles(tenant, store))
  const isOver = ({ token }: Access): boolean => token?.expiresAt != null && token.expiresAt <= clock.now().toISOString()
  return {
    roles,
    async of(actor) {
      const { tenant, user, tokenId } = actor
      const key = JSON.stringify([tenant, user, tokenId, kindWithoutToken(actor)])
      const access = await actors(key, () => readAccess(actor, roles, chosenNames, store))
      return access === null || isOver(access) ? null : access
    },
  }
}

/** Throws where nothing acts in their name any more. */
export async function currentAccess(actor: Actor, { access }: { readonly access: AccessReader }): Promise<Access> {
  const found = await access.of(actor)
  if (found === null) throw new ExecutorError("unauthorized", noLonger)
  return found
}

export const noLonger = "The user is disabled, or the token was revoked or has expired; sign in again or use another token"

async function readRoles(tenant: string, store: Store): Promise<ReadonlyMap<string, Role>> {
  return new Map([...builtinRoles, ...(await store.roles.list(tenant))].map((role) => [role.id, role]))
}

async function readAccess(actor: Actor, roles: AccessReader["roles"], chosenNames: ChosenNames, store: Store): Promise<Access | null> {
  const user = await store.users.get(actor)
  if (user === null || user.status !== "active") return null
  const token = actor.tokenId === null ? null : await store.tokens.get(actor, actor.tokenId)
  if (token === null && actor.tokenId !== null) return null
  const held = rolesOf(user, await roles(actor.tenant))
  const kind = token?.kind ?? kindWithoutToken(actor)
  const patterns = held.flatMap((role) => role.patterns)
  const ofRoles = reachOf(patterns)
  const narrowed = token?.patterns == null ? null : (JSON.parse(token.patterns) as string[]) // checked before it was written
  const reach = narrowedReach(ofRoles, narrowed)
  return {
    principal: {
      tenant: actor.tenant,
      user: actor.user,
      roles: held.map(({ id }) => id),
      rights: kind === "agent" ? [] : rightsOf(held),
      kind,
      tokenId: actor.tokenId,
    },
    isService: user.isService,
    isVisible: reach.isVisible,
    reach,
    isVisibleByRoles: ofRoles.isVisible,
    // Of what never changes about them: their roles are the same for all who have the same user.
    viewKey: sha256(JSON.stringify([actor.tenant, actor.user, kind, token?.patterns ?? null])),
    choose: reach.isVisible === seesAll ? null : chosenNames(actor.tenant, reach, [patterns, narrowed]),
    token: token === null ? null : toTokenAccess(token),
  }
}

const kindWithoutToken = ({ kind }: Actor): PrincipalKind => (kind === "agent" ? "agent" : "human")

/** A role that is gone gives nothing. */
export const rolesOf = (user: Pick<UserRow, "roles">, roles: ReadonlyMap<string, Role>): Role[] =>
  [...new Set(user.roles.map(({ role }) => role))].flatMap((id) => roles.get(id) ?? [])

export const rightsOf = (roles: readonly Role[]): Right[] => [...new Set(roles.flatMap(({ rights }) => rights))]

const toTokenAccess = (row: TokenRow): TokenAccess => ({
  elicitation: JSON.parse(row.elicitation) as ElicitationMode[], // written by `newToken`
  surface: row.surface,
  expiresAt: row.expiresAt,
  createdBy: row.createdBy,
})
