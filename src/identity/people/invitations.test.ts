// Tests that an invitation gives nobody more than its inviter has, and goes only to whom it is for.
import { expect, test } from "vitest"
import { defaultLimits } from "../../core/limits.ts"
import { systemClock } from "../../io/clock.ts"
import type { Principal } from "../../core/principal.ts"
import { newId } from "../../io/ids.ts"
import { openPeopleParts } from "../testing/people-parts.ts"
import { policyRow } from "../../store/testing/samples.ts"
import { acceptInvitation, createInvitation, listInvitations } from "./invitations.ts"
import { createRole } from "./roles.ts"
import { createUser, updateUser } from "./users.ts"

const parts = await openPeopleParts()
const { store } = parts
const forbidden = { code: "forbidden" }

/** Mallory invites people; finance is a role without patterns and rights. */
async function setUp() {
  const tenant = newId("tenant")
  await store.tenants.ensure({ tenant, id: "alice", name: "Alice", roles: ["admin"] })
  const admin: Principal = { tenant, user: "alice", roles: ["admin"], rights: ["admin"], kind: "human", tokenId: null }
  await createRole(admin, { id: "hr", name: "HR", patterns: ["shop.**"], rights: ["people.invite"] }, parts)
  await createRole(admin, { id: "finance", name: "Finance", patterns: [] }, parts)
  await createUser(admin, { id: "mallory", name: "Mallory", roles: ["hr"] }, parts)
  await createUser(admin, { id: "bob", name: "Bob", roles: [] }, parts)
  const mallory: Principal = { ...admin, user: "mallory", roles: ["hr"], rights: ["people.invite"] }
  const invite = (who: Principal, input: { email?: string; user?: string; roles: string[] }) =>
    createInvitation(who, input, (link) => link, parts)
  const acceptAs = (user: string, token: string) => acceptInvitation(token, { kind: "user", scope: { tenant, user } }, parts)
  return { tenant, admin, mallory, invite, acceptAs }
}

test.each([
  ["answered by", "org", { by: '{"role":"finance"}' }],
  ["bound to", "org", { role: "finance" }],
  ["in a rule of somebody else", "user", { by: '{"role":"finance"}' }],
] as const)("a role that a rule is %s is given by an admin and its holders alone", async (_what, owner, named) => {
  const { tenant, admin, mallory, invite, acceptAs } = await setUp()
  const early = await invite(mallory, { roles: ["finance"] })
  await store.policies.put({ tenant, user: "alice" }, policyRow(owner, named))
  const reason = "A policy names the role 'finance', which 'mallory' does not have"
  await expect(invite(mallory, { roles: ["hr", "finance"] })).rejects.toThrow(reason)
  await expect(acceptAs("bob", early.token)).rejects.toThrow(reason)
  const { token } = await invite(admin, { roles: ["finance"] })
  expect((await acceptAs("bob", token)).user.roles).toEqual([{ role: "finance", from: "given" }])
  await updateUser(admin, "mallory", { roles: ["hr", "finance"] }, parts)
  expect(await invite(mallory, { roles: ["finance"] })).toMatchObject({ roles: ["finance"] })
})

test("nobody accepts an invitation that they made themselves", async () => {
  const { mallory, invite, acceptAs } = await setUp()
  const { token } = await invite(mallory, { roles: ["finance"] })
  await expect(acceptAs("mallory", token)).rejects.toMatchObject(forbidden)
  expect((await acceptAs("bob", token)).user.id).toBe("bob")
})

test("an invitation to an address is accepted by nobody whose address is another one, or unknown", async () => {
  const { tenant, admin, invite, acceptAs } = await setUp()
  await createUser(admin, { id: "eve", name: "Eve", email: "eve@acme.com", roles: [] }, parts)
  await createUser(admin, { id: "carol", name: "Carol", email: "carol@acme.com", roles: [] }, parts)
  const { token } = await invite(admin, { email: "new@acme.com", roles: ["finance"] })
  for (const user of ["bob", "eve"]) await expect(acceptAs(user, token)).rejects.toThrow("This invitation is for new@acme.com")
  await expect(acceptInvitation(token, { kind: "new", email: "eve@acme.com" }, parts)).rejects.toMatchObject(forbidden)
  const done = await acceptInvitation(token, { kind: "new", email: "New@acme.com" }, parts)
  expect(done.user).toMatchObject({ email: "new@acme.com", status: "active" })
  const carols = await invite(admin, { user: "carol", roles: ["finance"] })
  expect((await acceptAs("carol", carols.token)).user).toMatchObject({ id: "carol", email: "carol@acme.com" })
  expect((await store.users.get({ tenant, user: "bob" }))?.roles).toEqual([])
})

test("whoever accepts without a verified address has none, so that its owner can still come", async () => {
  const { tenant, admin, invite } = await setUp()
  const { token } = await invite(admin, { email: "owner@acme.com", roles: ["finance"] })
  const { user } = await acceptInvitation(token, { kind: "new", name: "Somebody" }, parts)
  expect(user).toMatchObject({ name: "Somebody", email: null, status: "active" })
  expect((await store.users.get({ tenant, user: user.id }))?.email).toBeNull()
  expect(await createUser(admin, { name: "Owner", email: "owner@acme.com", roles: [] }, parts)).toMatchObject({ email: "owner@acme.com" })
})

test("whoever let their invitation expire is invited again, and takes no place meanwhile", async () => {
  const { tenant, admin } = await setUp()
  const time = { now: systemClock.now() }
  const later = { ...parts, clock: { ...systemClock, now: () => time.now }, limits: { ...defaultLimits, invitationsOpenMax: 2 } }
  const invite = (email: string) => createInvitation(admin, { email, roles: [] }, (link) => link, later)
  const isThere = async (user: string) => (await store.users.get({ tenant, user })) !== null
  const [first, other] = [await invite("dan@acme.com"), await invite("eve@acme.com")]
  await expect(invite("dan@acme.com")).rejects.toThrow("revoke")
  time.now = new Date(time.now.getTime() + defaultLimits.invitationMs + 1)
  const again = await invite("dan@acme.com")
  expect(await isThere(first.user)).toBe(false)
  expect((await listInvitations(admin, {}, later)).items.map(({ id }) => id)).toEqual([again.id])
  await expect(acceptInvitation(other.token, { kind: "new" }, later)).rejects.toThrow("has expired")
  expect(await isThere(other.user)).toBe(true)
  time.now = new Date(time.now.getTime() + 31 * 24 * 3_600_000)
  await invite("fay@acme.com")
  expect([await isThere(again.user), await isThere(other.user)]).toEqual([true, false])
})
