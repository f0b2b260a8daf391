// Manages the roles of a tenant: named sets of patterns and rights.
import { decodeCursor, pageSize, toPage } from "../../core/cursor.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Page, PageRequest } from "../../core/page.ts"
import { adminRole, builtinRoles } from "../../core/people/role.ts"
import type { Role, RoleCreate, RoleUpdate, RoleView } from "../../core/people/role.ts"
import type { SignInRule } from "../../core/people/sign-in.ts"
import type { ApprovalBy } from "../../core/policy.ts"
import type { Principal } from "../../core/principal.ts"
import { hasRight } from "../../core/principal.ts"
import { executorCommandOnPages } from "../../io/executor-command.ts"
import { allRows, eachPage } from "../../store/all-rows.ts"
import type { InvitationRow } from "../../store/session-store.ts"
import type { SignInProviderRow } from "../../store/sign-in-store.ts"
import type { After, PolicyRow, Store, UserRow } from "../../store/store.ts"
import type { AccessReader } from "../access.ts"
import type { IdentityParts } from "../token-create.ts"
import { checkDescription, checkId, checkName, checkPatterns, checkRights } from "./input.ts"
import { peopleFor, requireAdminLeft, requireHuman, requireLocalAdmin, seesPeople } from "./people.ts"
import type { People } from "./people.ts"

export type RoleParts = IdentityParts & { readonly access: AccessReader }

export type RoleChange = { readonly before: Role; readonly after: Role }

/** By id. Whoever gives no roles to others sees their own. */
export async function listRoles(principal: Principal, request: PageRequest, parts: RoleParts): Promise<Page<RoleView>> {
  const after = decodeCursor(request.cursor, 1)?.[0] ?? ""
  const size = pageSize(request, parts.limits)
  const rest = (await visibleRoles(principal, parts)).filter(({ id }) => id > after)
  const count = await peopleCounter(principal, parts)
  return toPage(
    rest.slice(0, size + 1),
    size,
    ({ id }) => [id],
    (role) => ({ ...role, people: count(role) }),
  )
}

export async function getRole(principal: Principal, id: string, parts: RoleParts): Promise<RoleView> {
  const role = (await visibleRoles(principal, parts)).find((one) => one.id === id)
  if (role === undefined) throw noRole(id)
  return { ...role, people: (await peopleCounter(principal, parts))(role) }
}

/** Only whoever sees people is told how many have a role. */
async function peopleCounter(principal: Principal, { store }: RoleParts): Promise<(role: Role) => number | null> {
  if (!seesPeople(principal)) return () => null
  const counts = new Map<string, number>()
  const list = (page: After<string>): Promise<UserRow[]> => store.users.list(principal.tenant, page)
  for await (const users of eachPage(list, ({ id }) => id))
    for (const { roles } of users)
      for (const role of new Set(roles.map((grant) => grant.role))) counts.set(role, (counts.get(role) ?? 0) + 1)
  return ({ id }) => counts.get(id) ?? 0
}

async function visibleRoles(principal: Principal, parts: RoleParts): Promise<Role[]> {
  requireHuman(principal, "read roles")
  const all = [...(await parts.access.roles(principal.tenant)).values()].map(viewRole).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return seesPeople(principal) || hasRight(principal, "policies.edit") ? all : all.filter(({ id }) => principal.roles.includes(id))
}

export async function createRole(principal: Principal, input: RoleCreate, parts: IdentityParts): Promise<Role> {
  return parts.store.transaction(async (store) => {
    const people = await peopleFor(principal, "admin", "add roles", store)
    const id = checkId("role", input.id)
    if (people.roles.has(id))
      throw new ExecutorError(
        "conflict",
        `There already is a role '${id}'; change it with ${executorCommandOnPages} roles update ${id}, or choose another id`,
      )
    if (people.roles.size >= parts.limits.rolesMax)
      throw new ExecutorError("conflict", `A tenant has at most ${parts.limits.rolesMax} roles; remove some first`)
    const empty: Role = { id, name: "", description: "", patterns: [], rights: [] }
    const role = changed(empty, input, parts)
    await store.roles.put(principal.tenant, { ...role, createdAt: parts.clock.now().toISOString() })
    return role
  })
}

export async function updateRole(principal: Principal, id: string, change: RoleUpdate, parts: IdentityParts): Promise<RoleChange> {
  return parts.store.transaction(async (store) => {
    const people = await peopleFor(principal, "admin", "change roles", store)
    const before = people.roles.get(id)
    if (before === undefined) throw noRole(id)
    if (id === adminRole) throw new ExecutorError("conflict", `The role '${adminRole}' cannot be changed; make another role`)
    const after = changed(before, change, parts)
    people.roles.set(id, after)
    requireAdminLeft(people)
    requireLocalAdmin(people)
    await store.roles.put(principal.tenant, { ...after, createdAt: parts.clock.now().toISOString() })
    return { before: viewRole(before), after }
  })
}

const changed = (before: Role, change: RoleUpdate, parts: IdentityParts): Role => ({
  id: before.id,
  name: checkName(change.name ?? before.name, parts.limits),
  description: checkDescription(change.description ?? before.description, parts.limits),
  patterns: change.patterns === undefined ? before.patterns : checkPatterns(change.patterns, parts.limits),
  rights: change.rights === undefined ? before.rights : checkRights(change.rights, parts.limits),
})

export async function removeRole(principal: Principal, id: string, parts: IdentityParts): Promise<Role> {
  return parts.store.transaction(async (store) => {
    const people = await peopleFor(principal, "admin", "remove roles", store)
    const role = people.roles.get(id)
    if (role === undefined) throw noRole(id)
    if (builtinRoles.some((one) => one.id === id)) throw new ExecutorError("conflict", `The role '${id}' is built in and cannot be removed`)
    await requireUnused(id, people, store)
    await store.roles.remove(principal.tenant, id)
    return viewRole(role)
  })
}

const namedMax = 10

async function requireUnused(id: string, people: People, store: Store): Promise<void> {
  const users = [...people.users.values()].filter(({ roles }) => roles.some(({ role }) => role === id)).map((user) => user.id)
  const open = await allRows<InvitationRow, string>(
    (page) => store.invitations.list(people.tenant, page),
    (row) => row.id,
  )
  const invitations = open.filter(({ roles }) => roles.includes(id)).map((row) => row.id)
  const providers = (await store.signInProviders.list(people.tenant)).filter((row) => namesRole(row, id)).map((row) => row.id)
  const policies = (await store.policies.listWithRoles(people.tenant)).filter((row) => isAboutRole(row, id)).map((row) => row.id)
  const uses = [
    ...users.map((one) => ({ named: one, command: `users update ${one} --role <all other roles>` })),
    ...invitations.map((one) => ({ named: `the invitation ${one}`, command: `invitations revoke ${one}` })),
    ...providers.map((one) => ({ named: `the sign-in provider ${one}`, command: `signin update ${one}` })),
    ...policies.map((one) => ({ named: `the policy ${one}`, command: `policies remove ${one}` })),
  ]
  if (uses.length === 0) return
  const shown = uses.slice(0, namedMax).map(({ named }) => named)
  const named = `${shown.join(", ")}${uses.length > namedMax ? ` and ${uses.length - namedMax} more` : ""}`
  const commands = [...new Map(uses.map(({ command }) => [command.split(" ")[0], command])).values()]
  const next = `take it from them first, with ${commands.map((one) => `${executorCommandOnPages} ${one}`).join(", ")}`
  throw new ExecutorError("conflict", `The role '${id}' is in use by ${named}; ${next}`, {
    users,
    invitations,
    providers,
    policies,
  })
}

/** Both are written by this server alone, checked. */
const namesRole = ({ rules, defaultRole }: SignInProviderRow, id: string): boolean =>
  defaultRole === id || (JSON.parse(rules) as SignInRule[]).some(({ roles }) => roles.includes(id))

/** `role` and `by.role`. */
export const isAboutRole = ({ role, by }: PolicyRow, id: string): boolean =>
  role === id || (by !== null && (JSON.parse(by) as ApprovalBy).role === id)

/** Rows also have the time they were made. */
const viewRole = ({ id, name, description, patterns, rights }: Role): Role => ({ id, name, description, patterns, rights })

const noRole = (id: string): ExecutorError => new ExecutorError("not_found", `There is no role '${id.slice(0, 80)}'`)
