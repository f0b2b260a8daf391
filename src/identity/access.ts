// Who somebody is at this moment: their roles and rights, and the tools they can see.
//
// Everything that authenticates asks here, and so does the gate before every call. Nothing is frozen in a session, a
// token or an execution: what is known is kept only while the store's revision stands, so that a change of people, roles
// or tokens binds at the next call, on every node.
import { ExecutorError } from "../core/errors.ts"
import { hasRight } from "../core/principal.ts"
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
export type Actor = Pick<Principal, "tenant" | "user" | "tokenId" | "own"> & { readonly kind?: string }

export type Access = {
  readonly principal: Principal
  /** Whether a tool exists for them, by its subject. */
  readonly isVisible: IsVisible
  /** A service account: there is no human to ask. */
  readonly isService: boolean
  readonly reach: Reach
  /** The same without the token's patterns: where only this one is true, the token hides the tool. */
  readonly isVisibleByRoles: IsVisible
  /** A cache key: principals with the same one see the same tools until the store's revision changes. */
  readonly viewKey: string
  /** Chooses the visible tools of a tool set; null: all tools are visible. */
  readonly choose: ChooseNames | null
  /** Whether they may run working copies of registry tools: humans who may edit them, and their agents with a token for it. */
  readonly mayDebug: boolean
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
      const key = JSON.stringify([tenant, user, tokenId, kindWithoutToken(actor), actor.own])
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

export async function readRoles(tenant: string, store: Store): Promise<ReadonlyMap<string, Role>> {
  return new Map([...builtinRoles, ...(await store.roles.list(tenant))].map((role) => [role.id, role]))
}

async function readAccess(actor: Actor, roles: AccessReader["roles"], chosenNames: ChosenNames, store: Store): Promise<Access | null> {
  const user = await store.users.get(actor)
  if (user === null || user.status !== "active") return null
  const token = actor.tokenId === null ? null : await store.tokens.get(actor, actor.tokenId)
  if (token === null && actor.tokenId !== null) return null
  const held = rolesOf(user, await roles(actor.tenant))
  // What acts as an agent stays one, also in the name of a human's token.
  const kind = kindWithoutToken(actor) === "agent" ? "agent" : (token?.kind ?? "human")
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
      ...(actor.own === undefined ? {} : { own: actor.own }),
    },
    isService: user.isService,
    isVisible: reach.isVisible,
    reach,
    isVisibleByRoles: ofRoles.isVisible,
    // Roles need not be in it: they belong to the user, and a change of them changes the revision.
    viewKey: sha256(JSON.stringify([actor.tenant, actor.user, kind, token?.patterns ?? null, actor.own])),
    choose: reach.isVisible === seesAll ? null : chosenNames(actor.tenant, reach, [patterns, narrowed]),
    mayDebug: (kind === "human" || token?.debug === true) && hasRight({ kind: "human", rights: rightsOf(held) }, "registry.write"),
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
