// Tests that whoever a provider's rules refuse uses up no invitation and becomes nobody, and that the last admin stays one.
import { expect, test } from "vitest"
import { defaultLimits } from "../../core/limits.ts"
import type { Principal } from "../../core/principal.ts"
import { newId } from "../../io/ids.ts"
import type { SignInVerdict } from "../../policy/sign-in-rules.ts"
import type { SignInProviderRow } from "../../store/sign-in-store.ts"
import { openPeopleParts } from "../testing/people-parts.ts"
import { acceptInvited, createInvitation, openInvitation } from "../people/invitations.ts"
import { admitPerson } from "./person.ts"
import type { AdmissionParts } from "./person.ts"

const identity = await openPeopleParts()
const { store } = identity
const parts: AdmissionParts = { ...identity, acceptInvitation: (invited, rows) => acceptInvited(invited, rows, identity) }

async function setUp() {
  const tenant = newId("tenant")
  await store.tenants.ensure({ tenant, id: "alice", name: "Alice", roles: ["admin"] })
  const admin: Principal = { tenant, user: "alice", roles: ["admin"], rights: ["admin"], kind: "human", tokenId: null }
  const provider: SignInProviderRow = {
    tenant,
    id: "acme",
    name: "Acme",
    issuer: "https://issuer.example",
    clientId: "c",
    scopes: "[]",
    claim: "groups",
    rules: "[]",
    defaultRole: null,
    allow: "{}",
    createdAt: "2026-11-01T12:00:00.000Z",
  }
  const invite = (roles: string[]) => createInvitation(admin, { email: "bob@acme.com", roles }, (link) => link, identity)
  const admit = (invitation: string | null, change: Partial<SignInVerdict> = {}) => {
    const verdict: SignInVerdict = { email: "bob@acme.com", values: [], roles: [], refusal: null, ...change }
    return admitPerson({ provider, issuer: provider.issuer, subject: "bob", claims: {}, verdict, invitation }, parts)
  }
  const isKnown = async () => (await store.identities.get(tenant, provider.issuer, "bob")) !== null
  return { tenant, provider, invite, admit, isKnown }
}

test("an invitation without a role, to somebody without one, stays open, and works once there is one", async () => {
  const { tenant, invite, admit, isKnown } = await setUp()
  const { token, user } = await invite([])
  for (const link of [token, null]) expect(await admit(link)).toMatchObject({ kind: "refused", error: { details: { reason: "no_role" } } })
  expect(await openInvitation(token, identity)).toMatchObject({ user })
  expect([(await store.users.get({ tenant, user }))?.status, await isKnown()]).toEqual(["invited", false])
  expect(await admit(token, { roles: ["member"] })).toMatchObject({ kind: "admitted", user: { id: user, status: "active" } })
  await expect(openInvitation(token, identity)).rejects.toMatchObject({ code: "conflict" })
})

test("whoever the provider's terms refuse leaves it open, also when they are known", async () => {
  const { tenant, invite, admit, isKnown } = await setUp()
  const { token, user } = await invite(["member"])
  const refusal = { reason: "domain", message: "Not of this domain" } as const
  expect(await admit(token, { refusal })).toMatchObject({ kind: "refused" })
  expect(await isKnown()).toBe(false)
  await store.identities.add({ tenant, issuer: "https://issuer.example", subject: "bob", user, createdAt: "2026-11-01T12:00:00.000Z" })
  expect(await admit(token, { refusal })).toMatchObject({ kind: "refused" })
  expect(await openInvitation(token, identity)).toMatchObject({ user })
  expect(await admit(token)).toMatchObject({ kind: "admitted", user: { id: user, status: "active" } })
})

test("the last admin stays one, whatever the provider says of them now", async () => {
  const { tenant, admit } = await setUp()
  const alice = await store.users.get({ tenant, user: "alice" })
  if (alice === null) throw new Error("She was made")
  expect(await admit(null, { roles: ["admin", "member"] })).toMatchObject({ kind: "admitted", isNew: true })
  // While there is another, the role goes.
  const demoted = await admit(null, { roles: ["member"] })
  expect(demoted).toMatchObject({ kind: "admitted", user: { roles: [{ role: "member", from: "sso:acme" }] } })
  expect(demoted.keptAdmin).toBeUndefined()
  await admit(null, { roles: ["admin", "member"] })
  await store.users.put({ ...alice, status: "disabled" })
  const kept = { role: "admin", from: "sso:acme" }
  expect(await admit(null, { roles: ["viewer"] })).toMatchObject({
    kind: "admitted",
    keptAdmin: ["admin"],
    user: { roles: [{ role: "viewer", from: "sso:acme" }, kept] },
  })
  const refused = await admit(null, { refusal: { reason: "domain", message: "Not of this domain" } })
  expect(refused).toMatchObject({ kind: "refused", keptAdmin: ["admin"] })
  const user = typeof refused.user === "string" ? refused.user : ""
  expect((await store.users.get({ tenant, user }))?.roles).toEqual([kept])
})

test("a provider brings in no more users than there may be", async () => {
  const { tenant, provider } = await setUp()
  const admit = (subject: string) => {
    const verdict: SignInVerdict = { email: null, values: [], roles: ["member"], refusal: null }
    const newcomer = { provider, issuer: provider.issuer, subject, claims: {}, verdict, invitation: null }
    return admitPerson(newcomer, { ...parts, limits: { ...defaultLimits, usersMax: 2 } })
  }
  expect(await admit("one")).toMatchObject({ kind: "admitted" })
  expect(await admit("two")).toMatchObject({ kind: "refused", error: { details: { reason: "users_max" } } })
  expect(await admit("one")).toMatchObject({ kind: "admitted", isNew: false })
  expect(await store.users.list(tenant, { after: null, limit: 9 })).toHaveLength(2)
})
