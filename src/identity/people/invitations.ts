// Invitations: links that make one person a user each, with no more than their inviter has at that moment.
//
// The sign-in flows open and accept them. `acceptInvitation` creates the user in one transaction with what the flow
// stores about them, such as a passkey.
import { readPage, viewPage } from "../../core/cursor.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { InvitationCreate, InvitationCreated, InvitationView } from "../../core/people/invitation.ts"
import type { RoleGrant } from "../../core/people/role.ts"
import type { UserView } from "../../core/people/user.ts"
import type { Page, PageRequest } from "../../core/page.ts"
import type { Principal, Scope } from "../../core/principal.ts"
import { isAdmin, localTenant, localUser, requireAdmin, requireRight } from "../../core/principal.ts"
import { executorCommandOnPages } from "../../io/executor-command.ts"
import { newId, newSecret, sha256 } from "../../io/ids.ts"
import { missingIn } from "../../policy/contain.ts"
import type { Reach } from "../../policy/contain.ts"
import type { InvitationRow } from "../../store/session-store.ts"
import type { Store, UserRow } from "../../store/store.ts"
import { rightsOf, rolesOf } from "../access.ts"
import type { IdentityParts } from "../token-create.ts"
import { checkEmail, checkName, checkRoleIds } from "./input.ts"
import { dropExpired, dropPlaceholder, openRows, openRowsOf, refuseSecond, requireRoom } from "./invitation-rows.ts"
import { noUser, peopleFor, readPeople, rightsNow } from "./people.ts"
import type { People } from "./people.ts"
import { isAboutRole } from "./roles.ts"
import { freeId, newUser, viewUser } from "./users.ts"
import type { PeopleParts } from "./users.ts"

const secretCharsMax = 256

export async function listInvitations(principal: Principal, request: PageRequest, parts: IdentityParts): Promise<Page<InvitationView>> {
  requireRight(principal, "people.invite", "list invitations")
  const now = parts.clock.now().toISOString()
  const page = await readPage(
    request,
    parts.limits,
    (after) => parts.store.invitations.list(principal.tenant, after),
    ({ id }) => id,
  )
  return viewPage({ ...page, items: page.items.filter(({ expiresAt }) => expiresAt > now) }, viewInvitation)
}

/** `linkTo`: the address under which the link's token is opened. */
export async function createInvitation(
  principal: Principal,
  input: InvitationCreate,
  linkTo: (token: string) => string,
  parts: PeopleParts,
): Promise<InvitationCreated> {
  requireRight(principal, "people.invite", "invite people")
  if (input.user !== undefined) requireAdmin(principal, "invite somebody who is a user already")
  const email = checkEmail(input.email ?? null)
  const name = input.name === undefined ? (email ?? "Invited") : checkName(input.name, parts.limits)
  const id = input.user ?? (await freeId(principal, { name, email }, parts))
  const token = newSecret("exi")
  const row = await parts.store.transaction(async (store) => {
    const people = await peopleFor(principal, "people.invite", "invite people", store)
    await dropExpired(people, email, store, parts)
    await requireRoom(people, store, parts)
    if (input.user === undefined && (input.name !== undefined || email !== null)) await refuseSecond({ name, email }, people, store, parts)
    const replaced = input.user === undefined ? [] : await openRowsOf(input.user, people, store)
    const wanted = input.roles.length === 0 ? replaced.flatMap((old) => old.roles) : input.roles
    const roles = checkRoleIds([...new Set(wanted)], people.roles, parts.limits)
    await requireContained(principal.user, roles, people, store)
    const user =
      input.user === undefined
        ? newUser(people, { id, name, email, source: "invitation" }, parts)
        : invitable(principal, input.user, people)
    if (input.user === undefined) await store.users.put(user)
    for (const old of replaced) await store.invitations.remove(old.tenant, old.id)
    const made = newInvitation({ user: user.id, email: email ?? user.email, roles }, sha256(token), principal, parts)
    await store.invitations.put(made)
    return made
  })
  return { ...viewInvitation(row), token, link: linkTo(token) }
}

/** A user who was only invited goes with the invitation, unless there is another one. */
export async function removeInvitation(principal: Principal, id: string, parts: IdentityParts): Promise<InvitationView> {
  return parts.store.transaction(async (store) => {
    const people = await peopleFor(principal, "people.invite", "revoke invitations", store)
    const row = await store.invitations.get(principal.tenant, id)
    const isTheirs = row !== null && (row.invitedBy === principal.user || isAdmin(principal))
    if (!isTheirs || row.acceptedAt !== null) throw noInvitation(id)
    await store.invitations.remove(row.tenant, id)
    await dropPlaceholder(row, people, store)
    return viewInvitation(row)
  })
}

/** Throws what the page tells: unknown, used, expired, or no longer covered by what the inviter may give. */
export async function openInvitation(token: string, parts: IdentityParts): Promise<OpenInvitation> {
  return parts.store.transaction(async (store) => {
    const { row, user } = await findOpen(token, store, parts)
    const roles = [...new Set(withRoles(user, row.roles).map(({ role }) => role))]
    return { tenant: row.tenant, name: user.name, ...viewInvitation(row), roles }
  })
}
/** `roles`: with those that the user has already. */
export type OpenInvitation = InvitationView & { readonly tenant: string; readonly name: string }

/** Who accepts: somebody new, with what a provider vouches for or they say of themselves, or a user of the tenant. */
export type Accepting =
  | { readonly kind: "new"; readonly name?: string; /** Verified. */ readonly email?: string }
  | { readonly kind: "user"; readonly scope: Scope }

/** `work` is done in the same transaction, so that a user without a way to sign in never exists. */
export async function acceptInvitation(
  token: string,
  accepting: Accepting,
  parts: IdentityParts,
  work: (user: UserRow, store: Store) => Promise<void> = async () => {},
): Promise<AcceptedInvitation> {
  return parts.store.transaction(async (store) => {
    const found = await findOpen(token, store, parts)
    const user = await acceptIn(found, accepting, store, parts)
    await work(user, store)
    return { invitation: viewInvitation(found.row), tenant: user.tenant, user: viewUser(user) }
  })
}

/**
 * For a flow that has a transaction of its own, and knows of somebody new what a provider verified: the invitation of
 * the link, or else an open one to the same address. Null: there is none.
 */
export async function acceptInvited(
  { tenant, link, email }: { readonly tenant: string; readonly link: string | null; readonly email: string | null },
  store: Store,
  parts: IdentityParts,
): Promise<UserRow | null> {
  const accepting: Accepting = { kind: "new", ...(email === null ? {} : { email }) }
  if (link !== null) {
    const found = await findOpen(link, store, parts)
    if (found.row.tenant !== tenant) throw unknown()
    return acceptIn(found, accepting, store, parts)
  }
  const now = parts.clock.now().toISOString()
  const row =
    email === null ? undefined : (await openRows(tenant, store)).find((one) => one.email === email.toLowerCase() && one.expiresAt > now)
  return row === undefined ? null : acceptIn(await checkOpen(row, store, parts), accepting, store, parts)
}

async function acceptIn({ row, user: invited, people }: Found, accepting: Accepting, store: Store, parts: IdentityParts): Promise<UserRow> {
  const before = accepting.kind === "new" ? invited : signedIn(accepting.scope, row, people)
  requireAddress(row, accepting, before)
  if (!(await store.invitations.accept(row.tenant, row.id, { user: before.id, at: parts.clock.now().toISOString() }))) throw used()
  const user = { ...before, ...knownOf(accepting, before, people, parts), status: "active", roles: withRoles(before, row.roles) } as const
  await store.users.put(user)
  if (user.id !== invited.id) await dropPlaceholder(row, people, store)
  return user
}
export type AcceptedInvitation = { readonly invitation: InvitationView; readonly tenant: string; readonly user: UserView }

type Found = { readonly row: InvitationRow; readonly user: UserRow; readonly people: People }

/** The tenant is locked once it is known, and the invitation read again. */
async function findOpen(token: string, store: Store, parts: IdentityParts): Promise<Found> {
  const hash = token === "" || token.length > secretCharsMax ? null : sha256(token)
  const found = hash === null ? null : await store.invitations.findByHash(hash)
  if (found === null) throw unknown()
  return checkOpen(found, store, parts)
}

async function checkOpen(found: InvitationRow, store: Store, parts: IdentityParts): Promise<Found> {
  const people = await readPeople(found.tenant, store)
  const row = await store.invitations.get(found.tenant, found.id)
  const user = people.users.get(found.user)
  if (row !== null && row.acceptedAt !== null) throw used()
  if (row === null || user === undefined) throw unknown()
  if (row.expiresAt <= parts.clock.now().toISOString())
    throw new ExecutorError("conflict", `This invitation has expired; ask '${row.invitedBy}' for a new one`)
  if (user.status === "disabled") throw new ExecutorError("forbidden", "The user of this invitation is disabled; ask an admin")
  checkRoleIds(row.roles, people.roles, parts.limits)
  await requireContained(row.invitedBy, row.roles, people, store)
  // Whoever accepts it becomes this user, with all that they have.
  if (user.status === "active" && !rightsNow(people, row.invitedBy).includes("admin"))
    throw new ExecutorError("forbidden", `'${row.invitedBy}' is no longer an admin; ask an admin for a new invitation`)
  return { row, user, people }
}

function signedIn(scope: Scope, row: InvitationRow, people: People): UserRow {
  const user = scope.tenant === row.tenant ? people.users.get(scope.user) : undefined
  // A user of another tenant must not learn that the invitation exists.
  if (user === undefined || user.isService) throw unknown()
  if (user.status !== "active") throw new ExecutorError("forbidden", "You are disabled; ask an admin")
  if (user.id === row.invitedBy) throw new ExecutorError("forbidden", "You made this invitation yourself; send it to whom it is for")
  if (people.users.get(row.user)?.status === "active" && row.user !== user.id)
    throw new ExecutorError("forbidden", `This invitation is for '${row.user}'; sign out, and open it as them`)
  return user
}

/** Where no address is known, as with a passkey, the link alone counts. */
function requireAddress(row: InvitationRow, accepting: Accepting, before: UserRow): void {
  if (row.email === null || (accepting.kind === "new" && accepting.email === undefined)) return
  const email = accepting.kind === "new" ? accepting.email : before.email
  if (row.email === email?.toLowerCase()) return
  throw new ExecutorError("forbidden", `This invitation is for ${row.email}; sign in with that address, or ask for another invitation`)
}

/** Of somebody new only a verified address is kept: any other would keep its owner from signing in. */
function knownOf(accepting: Accepting, before: UserRow, people: People, parts: IdentityParts): Pick<UserRow, "name" | "email"> {
  if (accepting.kind === "user" || before.status === "active") return before
  const email = checkEmail(accepting.email ?? null)
  const isFree = ![...people.users.values()].some((user) => user.id !== before.id && user.email === email)
  return { name: accepting.name === undefined ? before.name : checkName(accepting.name, parts.limits), email: isFree ? email : null }
}

const withRoles = (user: UserRow, roles: readonly string[]): RoleGrant[] => {
  const missing = roles.filter((role) => !user.roles.some((grant) => grant.role === role && grant.from === "given"))
  return [...user.roles, ...missing.map((role): RoleGrant => ({ role, from: "given" }))]
}

/** Every pattern and right of these roles must be one that the inviter has now, and so must each role that a policy names. */
async function requireContained(inviter: string, roles: readonly string[], people: People, store: Store): Promise<void> {
  const reach = (ids: readonly string[]): Reach => {
    const held = rolesOf({ roles: ids.map((role) => ({ role, from: "given" })) }, people.roles)
    return { patterns: held.flatMap(({ patterns }) => patterns), rights: rightsOf(held) }
  }
  const from = people.users.get(inviter)
  const rights = rightsNow(people, inviter)
  if (from === undefined || !(rights.includes("people.invite") || rights.includes("admin")))
    throw new ExecutorError("forbidden", `'${inviter}' may no longer invite people; ask an admin for a new invitation`)
  const missing = missingIn(reach(from.roles.map(({ role }) => role)), reach(roles))
  if (missing !== null)
    throw new ExecutorError("forbidden", `Roles of an invitation may give nothing that '${inviter}' does not have: '${missing}' is more`)
  if (rights.includes("admin")) return
  // Holding such a role lets people approve, or binds them, whatever its patterns and rights are.
  const policies = await store.policies.listWithRoles(people.tenant)
  const foreign = roles.filter((id) => !from.roles.some(({ role }) => role === id))
  const named = foreign.find((id) => policies.some((policy) => isAboutRole(policy, id)))
  if (named !== undefined)
    throw new ExecutorError("forbidden", `A policy names the role '${named}', which '${inviter}' does not have; ask an admin to invite`)
}

/** Whoever accepts it signs in as this user from then on, so that nobody but the operator invites anybody to be the operator. */
function invitable(inviter: Principal, id: string, people: People): UserRow {
  const user = people.users.get(id)
  if (user === undefined) throw noUser(id)
  if (people.tenant === localTenant && id === localUser && inviter.user !== localUser)
    throw new ExecutorError("forbidden", `'${id}' is the operator of this server, and signs in with '${executorCommandOnPages} web'`)
  if (user.isService) throw new ExecutorError("conflict", `'${id}' is a service account, which never signs in`)
  if (user.status === "disabled") throw new ExecutorError("conflict", `'${id}' is disabled; enable them first`)
  return user
}

function newInvitation(
  input: Pick<InvitationRow, "user" | "email" | "roles">,
  hash: string,
  { tenant, user }: Principal,
  { clock, limits }: IdentityParts,
): InvitationRow {
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + limits.invitationMs).toISOString()
  return { ...input, tenant, id: newId("inv", now), hash, invitedBy: user, createdAt: now.toISOString(), expiresAt, acceptedAt: null }
}

const viewInvitation = ({ id, user, email, roles, invitedBy, createdAt, expiresAt }: InvitationRow): InvitationView => ({
  id,
  user,
  email,
  roles,
  invitedBy,
  createdAt,
  expiresAt,
})

const unknown = (): ExecutorError => new ExecutorError("not_found", "This invitation does not exist or was revoked; ask for a new one")

const used = (): ExecutorError => new ExecutorError("conflict", "This invitation has been used; ask for a new one")

const noInvitation = (id: string): ExecutorError => new ExecutorError("not_found", `There is no open invitation '${id.slice(0, 80)}'`)
