// The people of a tenant, read for a change together with the rules that every change must keep.
//
// The first read of the transaction locks the tenant: of two admins who remove each other at the same time, the second
// is told that they are no longer an admin.
import { ExecutorError } from "../../core/errors.ts"
import type { PlainRight, Right, Role } from "../../core/people/role.ts"
import { adminRole } from "../../core/people/role.ts"
import type { Principal, Scope } from "../../core/principal.ts"
import { hasRight, localTenant, localUser, requireRight } from "../../core/principal.ts"
import { allRows } from "../../store/all-rows.ts"
import type { Store, UserRow } from "../../store/store.ts"
import { readRoles, rightsOf, rolesOf } from "../access.ts"

export type People = { readonly tenant: string; readonly users: Map<string, UserRow>; readonly roles: Map<string, Role> }

/** `store`: of the transaction. */
export async function readPeople(tenant: string, store: Store): Promise<People> {
  const roles = new Map(await readRoles(tenant, store))
  const users = await allRows<UserRow, string>(
    (page) => store.users.list(tenant, page),
    ({ id }) => id,
  )
  return { tenant, users: new Map(users.map((user) => [user.id, user])), roles }
}

/** Checks the right again inside the transaction, because they may have just been disabled or lost it. */
export async function peopleFor(principal: Principal, right: PlainRight, action: string, store: Store): Promise<People> {
  requireRight(principal, right, action)
  const people = await readPeople(principal.tenant, store)
  requireRight({ ...principal, rights: rightsNow(people, principal.user) }, right, action)
  return people
}

/** Those of somebody who is active. */
export function rightsNow(people: People, id: string): readonly Right[] {
  const user = people.users.get(id)
  return user === undefined || user.status !== "active" ? [] : rightsOf(rolesOf(user, people.roles))
}

/** A service account never signs in, so that it administers nothing. */
const isAdminNow = (people: People, user: UserRow): boolean =>
  !user.isService && hasRight({ kind: "human", rights: rightsNow(people, user.id) }, "admin")

export const hasAdmin = (people: People): boolean => [...people.users.values()].some((user) => isAdminNow(people, user))

/** Call it with the people as they will be. */
export function requireAdminLeft(people: People): void {
  if (hasAdmin(people)) return
  throw new ExecutorError("conflict", "This would leave the tenant without an admin; give somebody else the role 'admin' first")
}

/** The operator can always sign in with the token in the data directory, whatever else is configured. */
export function requireLocalAdmin(people: People): void {
  if (people.tenant !== localTenant) return
  const local = people.users.get(localUser)
  if (local !== undefined && local.status === "active" && local.roles.some(({ role, from }) => role === adminRole && from === "given"))
    return
  throw new ExecutorError(
    "conflict",
    `'${localUser}' is the operator of this server and must stay an active admin; change another user instead`,
  )
}

export const noUser = (id: string): ExecutorError => new ExecutorError("not_found", `There is no user '${id.slice(0, 80)}'`)

/** Whoever changes people, audits them or invites sees all; everybody else themselves. */
export const seesPeople = (principal: Principal): boolean => hasRight(principal, "auditor") || hasRight(principal, "people.invite")

export function requireHuman(principal: Principal, action: string): void {
  if (principal.kind === "agent") throw new ExecutorError("forbidden", `An agent may not ${action}; ask a human`)
}

export const scopeOf = (user: UserRow): Scope => ({ tenant: user.tenant, user: user.id })
