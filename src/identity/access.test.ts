// Tests that roles, rights and tools are those of the moment, and that whoever may act no longer has none.
import { afterAll, expect, test } from "vitest"
import { newId } from "../io/ids.ts"
import { openTestStore } from "../store/testing/open.ts"
import { roleRow, tokenRow, userRow } from "../store/testing/samples.ts"
import { createAccess } from "./access.ts"

const opened = await openTestStore()
afterAll(() => opened.close())
const { store } = opened
const time = { now: "2026-11-01T12:00:00.000Z" }
const access = createAccess(store, { now: () => new Date(time.now), monotonicMs: () => 0 })

async function setUp(...roles: string[]) {
  const scope = { tenant: newId("tenant"), user: "alice" }
  await store.tenants.ensure({ tenant: scope.tenant, id: scope.user, name: "Alice", roles })
  return { scope, human: { ...scope, tokenId: null } }
}

test("several roles add up, and one that is gone gives nothing", async () => {
  const { scope, human } = await setUp("developer", "auditors", "removed")
  await store.roles.put(scope.tenant, roleRow({ patterns: ["github.**"] }))
  await store.roles.put(scope.tenant, roleRow({ id: "auditors", patterns: ["slack.channels.list"], rights: ["auditor"] }))
  const found = await access.of(human)
  expect(found?.principal).toMatchObject({ roles: ["developer", "auditors"], rights: ["auditor"], kind: "human", tokenId: null })
  const seen = ["github.repos.get", "slack.channels.list", "slack.channels.create"].map((subject) => found?.isVisible(subject))
  expect(seen).toEqual([true, true, false])
})

test("without a role nothing is seen; the built-in ones see everything", async () => {
  expect((await access.of((await setUp()).human))?.isVisible("github.repos.get")).toBe(false)
  expect((await access.of((await setUp("member")).human))?.isVisible("github.repos.get")).toBe(true)
  expect((await access.of((await setUp("admin")).human))?.principal.rights).toEqual(["admin"])
})

test("an edited 'member' is what its row says", async () => {
  const { scope, human } = await setUp("member")
  await store.roles.put(scope.tenant, roleRow({ id: "member", patterns: ["github.**"] }))
  expect((await access.of(human))?.isVisible("slack.channels.list")).toBe(false)
})

test("an agent has no rights, sees what its human sees, and less with a narrowed token", async () => {
  const { scope } = await setUp("admin", "developer")
  const token = tokenRow(scope, { kind: "agent", patterns: '["github.issues.*"]', surface: "mcp" })
  await store.tokens.put(token)
  const found = await access.of({ ...scope, tokenId: token.id })
  expect(found?.principal).toMatchObject({ kind: "agent", rights: [], tokenId: token.id })
  expect(found?.token).toEqual({ elicitation: ["browser"], surface: "mcp", expiresAt: null, createdBy: null })
  expect(["github.issues.get", "github.repos.get"].map((subject) => found?.isVisible(subject))).toEqual([true, false])
})

test("a change of a role or a user binds at once", async () => {
  const { scope, human } = await setUp("developer")
  await store.roles.put(scope.tenant, roleRow({ patterns: ["github.**"] }))
  expect((await access.of(human))?.isVisible("github.repos.get")).toBe(true)
  await store.roles.put(scope.tenant, roleRow({ patterns: ["slack.**"] }))
  expect((await access.of(human))?.isVisible("github.repos.get")).toBe(false)
  await store.users.put(userRow(scope, { roles: [{ role: "admin", from: "sso:okta" }] }))
  expect((await access.of(human))?.principal.rights).toEqual(["admin"])
})

test.each(["disabled", "invited"] as const)("nothing acts for somebody who is %s", async (status) => {
  const { scope, human } = await setUp("admin")
  const token = tokenRow(scope, { kind: "agent" })
  await store.tokens.put(token)
  await store.users.put(userRow(scope, { status, roles: [{ role: "admin", from: "given" }] }))
  expect([await access.of(human), await access.of({ ...scope, tokenId: token.id })]).toEqual([null, null])
})

test("a token that was revoked, ran out or is another's gives nothing", async () => {
  const { scope } = await setUp("member")
  const [revoked, ending] = [tokenRow(scope), tokenRow(scope, { expiresAt: "2026-11-01T13:00:00.000Z" })]
  for (const token of [revoked, ending]) await store.tokens.put(token)
  const of = async (tokenId: string, change = {}) => (await access.of({ ...scope, tokenId, ...change })) !== null
  expect([await of(revoked.id), await of(ending.id), await of(ending.id, { user: "bob" })]).toEqual([true, true, false])
  await store.tokens.remove(scope, revoked.id)
  time.now = "2026-11-01T13:00:00.000Z"
  expect([await of(revoked.id), await of(ending.id)]).toEqual([false, false])
})

test("what stands is read once", async () => {
  let reads = 0
  const users = {
    ...store.users,
    get(...args: Parameters<typeof store.users.get>) {
      reads += 1
      return store.users.get(...args)
    },
  }
  const counting = createAccess({ ...store, users }, { now: () => new Date(0), monotonicMs: () => 0 })
  const { human } = await setUp("member")
  for (let times = 0; times < 3; times += 1) await counting.of(human)
  expect(reads).toBe(1)
})
