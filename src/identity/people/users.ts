// Manages the people and service accounts of a tenant.
import { readPage, viewPage } from "../../core/cursor.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { RoleGrant } from "../../core/people/role.ts"
import type { UserCreate, UserFilter, UserPageRequest, UserSource, UserUpdate, UserView } from "../../core/people/user.ts"
import type { Page } from "../../core/page.ts"
import type { Principal, Scope } from "../../core/principal.ts"
import { requireRight } from "../../core/principal.ts"
import { executorCommandOnPages } from "../../io/executor-command.ts"
import type { ExecutionStore } from "../../store/execution-store.ts"
import { allRows, firstShown } from "../../store/all-rows.ts"
import type { After, Store, TokenRow, UserRow } from "../../store/store.ts"
import type { IdentityParts } from "../token-create.ts"
import { checkEmail, checkId, checkName, checkRoleIds, suggestId } from "./input.ts"
import { hasAdmin, noUser, peopleFor, requireAdminLeft, requireHuman, requireLocalAdmin, scopeOf, seesPeople } from "./people.ts"
import type { People } from "./people.ts"

export type PeopleParts = IdentityParts & { readonly executions: ExecutionStore }

export type UserChange = {
  readonly before: UserView
  readonly after: UserView
  /** Of service accounts: whoever goes takes the tokens along that they made. */
  readonly endedTokens: readonly string[]
}

export type UserRemoval = Pick<UserChange, "before" | "endedTokens">

export async function listUsers(principal: Principal, request: UserPageRequest, parts: IdentityParts): Promise<Page<UserView>> {
  requireHuman(principal, "list users")
  const fits = filterOf(request)
  if (!seesPeople(principal)) return { items: [await getUser(principal, principal.user, parts)].filter(fits), nextCursor: null }
  const list = (page: After<string>): Promise<UserRow[]> => parts.store.users.list(principal.tenant, page)
  const idOf = ({ id }: UserRow): string => id
  const page = await readPage(
    request,
    parts.limits,
    (after) => firstShown(after, list, idOf, (rows) => rows.filter((row) => fits(viewUser(row)))),
    idOf,
  )
  return viewPage(page, viewUser)
}

const filterOf = ({ status, role, source, service, query }: UserFilter) => {
  const text = query?.trim().toLowerCase() ?? ""
  return (user: UserView): boolean =>
    (status === undefined || user.status === status) &&
    (role === undefined || user.roles.some((grant) => grant.role === role)) &&
    (source === undefined || user.source.split(":", 1)[0] === source) &&
    (service === undefined || user.service === service) &&
    (text === "" || [user.id, user.name, user.email ?? ""].some((one) => one.toLowerCase().includes(text)))
}

export async function getUser(principal: Principal, id: string, parts: IdentityParts): Promise<UserView> {
  requireHuman(principal, "read users")
  const isSeen = id === principal.user || seesPeople(principal)
  const row = isSeen ? await parts.store.users.get({ tenant: principal.tenant, user: id }) : null
  if (row === null) throw noUser(id)
  return viewUser(row)
}

export async function createUser(principal: Principal, input: UserCreate, parts: PeopleParts): Promise<UserView> {
  requireRight(principal, "admin", "add users")
  const id = await freeId(principal, input, parts)
  return parts.store.transaction(async (store) => {
    const people = await peopleFor(principal, "admin", "add users", store)
    const row: UserRow = {
      ...newUser(people, { ...input, id, source: "local" }, parts),
      status: "active",
      roles: givenRoles(input.roles, people, parts),
    }
    await store.users.put(row)
    return viewUser(row)
  })
}

/** Without roles, and as somebody who was invited. `id`: found by `freeId`. */
export function newUser(
  people: People,
  input: Omit<UserCreate, "roles"> & { readonly id: string; readonly source: UserSource },
  parts: IdentityParts,
): UserRow {
  if (people.users.size >= parts.limits.usersMax)
    throw new ExecutorError("conflict", `A tenant has at most ${parts.limits.usersMax} users; remove some first`)
  const [name, email] = [checkName(input.name, parts.limits), checkEmail(input.email ?? null)]
  requireFreeEmail(email, null, people)
  if (people.users.has(input.id)) throw new ExecutorError("conflict", `There already is a user '${input.id}'; choose another id`)
  return {
    tenant: people.tenant,
    id: input.id,
    name,
    email,
    status: "invited",
    isService: input.service === true,
    roles: [],
    source: input.source,
    createdAt: parts.clock.now().toISOString(),
    lastSeenAt: null,
  }
}

/** Whoever takes the id of somebody who was removed would see what they did: executions are found by the user's id. */
export async function freeId(
  { tenant }: Principal,
  input: { readonly id?: string; readonly name: string; readonly email?: string | null },
  parts: PeopleParts,
): Promise<string> {
  const isUsed = async (user: string): Promise<boolean> => {
    const [who, page] = [
      { tenant, user, tokenId: null },
      { after: null, limit: 1 },
    ]
    const { executions, audit } = parts.executions
    return (await executions.list(who, {}, page)).length > 0 || (await audit.list(who, {}, page)).length > 0
  }
  if (input.id !== undefined) {
    if (!(await isUsed(checkId("user", input.id)))) return input.id
    if ((await parts.store.users.get({ tenant, user: input.id })) !== null) return input.id // refused by `newUser`, under the lock
    throw new ExecutorError("conflict", `The history still names an earlier user '${input.id}'; choose another id`)
  }
  const known = { name: checkName(input.name, parts.limits), email: checkEmail(input.email ?? null) }
  for (const taken = new Set<string>(); ;) {
    const id = suggestId(known, (one) => taken.has(one))
    if ((await parts.store.users.get({ tenant, user: id })) === null && !(await isUsed(id))) return id
    taken.add(id)
  }
}

export async function updateUser(principal: Principal, id: string, change: UserUpdate, parts: IdentityParts): Promise<UserChange> {
  return parts.store.transaction(async (store) => {
    const people = await peopleFor(principal, "admin", "change users", store)
    const before = people.users.get(id)
    if (before === undefined) throw noUser(id)
    const after = changed(before, change, people, parts)
    if (id === principal.user && after.status !== "active")
      throw new ExecutorError("conflict", `You cannot disable yourself; ${otherAdmin(people, id)}`)
    people.users.set(id, after)
    requireAdminLeft(people)
    requireLocalAdmin(people)
    await store.users.put(after)
    // Also when they are enabled again: a request that began earlier may have written credentials after they were disabled.
    const isEnded = after.status === "disabled" || before.status === "disabled"
    const endedTokens = isEnded ? await endCredentials(scopeOf(after), store) : []
    return { before: viewUser(before), after: viewUser(after), endedTokens }
  })
}

const otherAdmin = ({ users, ...people }: People, id: string): string =>
  hasAdmin({ ...people, users: new Map([...users].filter(([user]) => user !== id)) })
    ? "ask another admin"
    : "you are the only admin, so first give somebody else the role 'admin'"

/** For good. The tokens that they made for service accounts end too, because they have seen their secrets: these are returned. */
async function endCredentials(scope: Scope, store: Store): Promise<string[]> {
  await store.browserSessions.removeAll(scope)
  await store.agentGrants.removeAll(scope)
  const tokens = await allRows<TokenRow, string>(
    (page) => store.tokens.listAll(scope.tenant, page),
    ({ id }) => id,
  )
  const known = tokens.filter((token) => token.user === scope.user || token.createdBy === scope.user)
  for (const token of known) await store.tokens.remove(token, token.id)
  return known.filter(({ user }) => user !== scope.user).map(({ id }) => id)
}

function changed(before: UserRow, change: UserUpdate, people: People, parts: IdentityParts): UserRow {
  const email = change.email === undefined ? before.email : checkEmail(change.email)
  if (email !== before.email) requireFreeEmail(email, before.id, people)
  // What a sign-in provider said is replaced by what it says at the next sign-in, and by nobody else.
  const fromProviders = before.roles.filter(({ from }) => from !== "given")
  return {
    ...before,
    email,
    name: change.name === undefined ? before.name : checkName(change.name, parts.limits),
    status: change.status ?? before.status,
    roles: change.roles === undefined ? before.roles : [...givenRoles(change.roles, people, parts), ...fromProviders],
  }
}

const givenRoles = (ids: readonly string[], people: People, parts: IdentityParts): RoleGrant[] =>
  checkRoleIds(ids, people.roles, parts.limits).map((role) => ({ role, from: "given" }))

/** Tokens, sessions, own connections with their credentials, and own policies go; what the user did stays in the history. */
export async function removeUser(principal: Principal, id: string, parts: IdentityParts): Promise<UserRemoval> {
  return parts.store.transaction(async (store) => {
    const people = await peopleFor(principal, "admin", "remove users", store)
    const row = people.users.get(id)
    if (row === undefined) throw noUser(id)
    if (id === principal.user) throw new ExecutorError("conflict", `You cannot remove yourself; ${otherAdmin(people, id)}`)
    people.users.delete(id)
    requireAdminLeft(people)
    requireLocalAdmin(people)
    const endedTokens = await endCredentials(scopeOf(row), store)
    await store.users.remove(scopeOf(row))
    return { before: viewUser(row), endedTokens }
  })
}

function requireFreeEmail(email: string | null, self: string | null, people: People): void {
  const other = email === null ? undefined : [...people.users.values()].find((user) => user.email === email && user.id !== self)
  if (other === undefined) return
  const next =
    other.status === "invited"
      ? `, who is invited already; for a new link, an admin runs ${executorCommandOnPages} invitations create --user ${other.id}`
      : "; use another one"
  throw new ExecutorError("conflict", `The e-mail address ${email} is that of '${other.id}'${next}`)
}

export const viewUser = ({ id, name, email, status, roles, isService, source, lastSeenAt }: UserRow): UserView => ({
  id,
  name,
  email,
  status,
  roles,
  service: isService,
  source,
  lastSeenAt,
})

/** Throws where there is no such user. */
export async function userOf(scope: Scope, parts: Pick<IdentityParts, "store">): Promise<UserRow> {
  const row = await parts.store.users.get(scope)
  if (row === null) throw noUser(scope.user)
  return row
}
