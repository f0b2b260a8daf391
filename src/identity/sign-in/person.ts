// Decides whom an OpenID Connect sign-in belongs to.
//
// People are identified by issuer and subject. An e-mail address identifies nobody: it links to a user only by an open
// invitation. The roles of a provider replace those it gave before, also when it now gives none and the person is
// refused; roles given by hand stay, and so does the role of the last admin.
import { ExecutorError } from "../../core/errors.ts"
import type { RoleGrant } from "../../core/people/role.ts"
import { safeLine } from "../../core/text/safe.ts"
import { newSecret, sha256 } from "../../io/ids.ts"
import type { Claims } from "../../policy/sign-in-claims.ts"
import type { SignInVerdict } from "../../policy/sign-in-rules.ts"
import { allRows } from "../../store/all-rows.ts"
import type { SignInProviderRow } from "../../store/sign-in-store.ts"
import type { Store, UserRow } from "../../store/store.ts"
import { hasAdmin, readPeople } from "../people/people.ts"
import type { SignInFlowParts } from "./sign-in-parts.ts"

export type Newcomer = {
  readonly provider: SignInProviderRow
  readonly issuer: string
  readonly subject: string
  readonly claims: Claims
  readonly verdict: SignInVerdict
  /** Of the link that they followed. */
  readonly invitation: string | null
}

/** `keptAdmin`: the provider gives these roles no more, but without them the tenant would have no admin. */
export type Admission = { readonly keptAdmin?: readonly string[] } & (
  | { readonly kind: "admitted"; readonly user: UserRow; readonly before: readonly RoleGrant[]; readonly isNew: boolean }
  | { readonly kind: "refused"; readonly error: ExecutorError; readonly user: string | null }
)

export type AdmissionParts = Pick<SignInFlowParts, "store" | "clock" | "limits" | "acceptInvitation">

/** The first read of the transaction locks the tenant: two sign-ins of a new person at once make one user. */
export async function admitPerson(newcomer: Newcomer, parts: AdmissionParts): Promise<Admission> {
  try {
    return await parts.store.transaction(async (store) => {
      const { provider, issuer, subject } = newcomer
      const identity = await store.identities.get(provider.tenant, issuer, subject)
      const user = identity === null ? null : await store.users.get({ tenant: provider.tenant, user: identity.user })
      return user === null ? admitNew(newcomer, store, parts) : admitKnown(newcomer, user, store, parts)
    })
  } catch (error) {
    if (error instanceof Undone) return { kind: "refused", error: error.refusal, user: error.user }
    throw error
  }
}

/** Thrown to roll the transaction back after an invitation was accepted, so that it stays open. */
class Undone extends Error {
  readonly refusal: ExecutorError
  readonly user: string | null
  constructor(refused: ExecutorError, user: string | null) {
    super(refused.message)
    this.refusal = refused
    this.user = user
  }
}

async function admitKnown(newcomer: Newcomer, known: UserRow, store: Store, parts: AdmissionParts): Promise<Admission> {
  const { provider, verdict } = newcomer
  const invited = known.status === "invited" && verdict.refusal === null ? await invitedAs(newcomer, store, parts) : null
  const user = invited ?? known
  const { roles, kept } = await withoutLosingAdmin(user, withRoles(user.roles, provider, verdict.roles), store)
  const after = { ...user, roles }
  if (JSON.stringify(roles) !== JSON.stringify(user.roles)) await store.users.put(after)
  const error = verdict.refusal === null ? refuseUser(after) : refusal(verdict.refusal.reason, verdict.refusal.message)
  if (error !== null && invited !== null) throw new Undone(error, user.id)
  const keptAdmin = kept.length === 0 ? {} : { keptAdmin: kept }
  if (error !== null) return { kind: "refused", error, user: user.id, ...keptAdmin }
  return { kind: "admitted", user: after, before: known.roles, isNew: false, ...keptAdmin }
}

/** Claims that changed at the provider must not lock everybody out. */
async function withoutLosingAdmin(
  user: UserRow,
  roles: readonly RoleGrant[],
  store: Store,
): Promise<{ readonly roles: readonly RoleGrant[]; readonly kept: readonly string[] }> {
  const isGiven = ({ role, from }: RoleGrant): boolean => roles.some((grant) => grant.role === role && grant.from === from)
  const lost = user.roles.filter((grant) => !isGiven(grant))
  if (lost.length === 0) return { roles, kept: [] }
  const people = await readPeople(user.tenant, store)
  people.users.set(user.id, user)
  const hadAdmin = hasAdmin(people)
  people.users.set(user.id, { ...user, roles })
  if (!hadAdmin || hasAdmin(people)) return { roles, kept: [] }
  const kept = lost.filter(({ role }) => people.roles.get(role)?.rights.includes("admin") === true)
  return { roles: [...roles, ...kept], kept: kept.map(({ role }) => role) }
}

async function admitNew(newcomer: Newcomer, store: Store, parts: AdmissionParts): Promise<Admission> {
  const { provider, issuer, subject, verdict } = newcomer
  const refused = (error: ExecutorError): Admission => ({ kind: "refused", error, user: null })
  if (verdict.refusal !== null) return refused(refusal(verdict.refusal.reason, verdict.refusal.message))
  const invited = await invitedAs(newcomer, store, parts)
  const user = invited ?? newUser(newcomer, parts)
  const after = { ...user, roles: withRoles(user.roles, provider, verdict.roles) }
  const error = refuseUser(after) ?? (invited === null ? await refuseNew(verdict.email, provider, store, parts) : null)
  if (error !== null && invited !== null) throw new Undone(error, null)
  if (error !== null) return refused(error)
  await store.users.put(after)
  await store.identities.add({ tenant: provider.tenant, issuer, subject, user: user.id, createdAt: parts.clock.now().toISOString() })
  return { kind: "admitted", user: after, before: invited?.roles ?? [], isNew: invited === null }
}

const invitedAs = ({ provider, invitation, verdict }: Newcomer, store: Store, parts: AdmissionParts): Promise<UserRow | null> =>
  parts.acceptInvitation({ tenant: provider.tenant, link: invitation, email: verdict.email }, store)

const withRoles = (grants: readonly RoleGrant[], { id }: SignInProviderRow, roles: readonly string[]): RoleGrant[] => [
  ...grants.filter(({ from }) => from !== `sso:${id}`),
  ...roles.map((role): RoleGrant => ({ role, from: `sso:${id}` })),
]

function refuseUser({ status, isService, roles }: UserRow): ExecutorError | null {
  if (isService) return refusal("service", "This is a service account, which never signs in")
  if (status === "disabled") return refusal("disabled", "Your account here is disabled. Ask an admin")
  if (status === "invited") return refusal("invited", "You have not accepted your invitation yet. Open its link, and sign in from there")
  if (roles.length === 0)
    return refusal(
      "no_role",
      "You are known to the provider, but nothing here gives you a role. Ask an admin for one, or for an invitation",
    )
  return null
}

/** An address that somebody has is not linked, however well verified: whoever runs a provider could otherwise become anybody. */
async function refuseNew(
  email: string | null,
  { tenant }: SignInProviderRow,
  store: Store,
  { limits }: AdmissionParts,
): Promise<ExecutorError | null> {
  const users = await allRows<UserRow, string>(
    (page) => store.users.list(tenant, page),
    ({ id }) => id,
  )
  if (users.length >= limits.usersMax)
    return refusal("users_max", `There are ${limits.usersMax} users here, which is the most there can be. Ask an admin to remove some`)
  if (email === null || !users.some((user) => user.email?.toLowerCase() === email)) return null
  return refusal(
    "email_taken",
    "Somebody here has your e-mail address already, and an address alone does not prove that it is you. Ask an admin to invite you, then sign in by that link",
  )
}

export const refusal = (reason: string, message: string): ExecutorError => new ExecutorError("forbidden", message, { reason })

function newUser({ provider, claims, verdict }: Newcomer, { clock, limits }: AdmissionParts): UserRow {
  const text = (name: string): string | null => (typeof claims[name] === "string" && claims[name].trim() !== "" ? claims[name] : null)
  const name = text("name") ?? text("preferred_username") ?? verdict.email ?? "Somebody without a name"
  return {
    tenant: provider.tenant,
    id: newUserId(verdict.email),
    name: safeLine(name.trim()).slice(0, limits.nameCharsMax),
    email: verdict.email,
    status: "active",
    isService: false,
    roles: [],
    source: `sso:${provider.id}`,
    createdAt: clock.now().toISOString(),
    lastSeenAt: null,
  }
}

/** With a random suffix, so that nobody can choose the id of an earlier or present user. */
function newUserId(email: string | null): string {
  const base = (email?.split("@")[0] ?? "")
    .replace(/[^a-z0-9]+/g, ".")
    .replace(/^\.+|\.+$/g, "")
    .slice(0, 40)
    .replace(/\.+$/, "")
  return `${base === "" ? "user" : base}-${sha256(newSecret("usr")).slice(0, 8)}`
}
