// Tests that a browser's session is opened once by a code, known by cookie and key together, and ended in time.
import { afterAll, expect, test } from "vitest"
import { defaultLimits } from "../core/limits.ts"
import type { Principal } from "../core/principal.ts"
import { newId } from "../io/ids.ts"
import { openTestStore } from "../store/testing/open.ts"
import { userRow } from "../store/testing/samples.ts"
import { createSignInCode } from "./session-code.ts"
import { createAccess } from "./access.ts"
import { listSessions, removeSession } from "./session-list.ts"
import { createBrowserSessions } from "./session-open.ts"

const opened = await openTestStore()
afterAll(() => opened.close())
const { store } = opened
const origin = { addressPrefix: "203.0.113.0/24", userAgent: "Mozilla/5.0" }

async function setUp() {
  const time = { nowMs: Date.parse("2026-11-01T12:00:00.000Z") }
  const clock = { now: () => new Date(time.nowMs), monotonicMs: () => time.nowMs }
  const parts = { store, clock, limits: defaultLimits }
  const tenant = newId("tenant")
  await store.tenants.ensure({ tenant, id: "alice", name: "Alice", roles: ["admin"] })
  const human: Principal = { tenant, user: "alice", roles: ["admin"], rights: ["admin"], kind: "human", tokenId: null }
  const sessions = createBrowserSessions(parts, createAccess(store, clock))
  const open = async () => {
    const session = await sessions.open((await createSignInCode(human, parts)).code, origin)
    if (session === null) throw new Error("A fresh code opens a session")
    return session
  }
  return { time, parts, human, sessions, open }
}

test("a code opens one session, however many try at once", async () => {
  const { human, parts, sessions } = await setUp()
  const { code } = await createSignInCode(human, parts)
  const tries = await Promise.all([sessions.open(code, origin), sessions.open(code, origin), sessions.open(code, origin)])
  expect(tries.filter((one) => one !== null)).toHaveLength(1)
  expect(await sessions.open(code, origin)).toBeNull()
})

test("a code that is too old opens nothing, and is used up", async () => {
  const { human, parts, sessions, time } = await setUp()
  const { code, expiresAt } = await createSignInCode(human, parts)
  time.nowMs = Date.parse(expiresAt)
  expect(await sessions.open(code, origin)).toBeNull()
  time.nowMs -= 1
  expect(await sessions.open(code, origin)).toBeNull()
})

test("the cookie counts together with its key alone", async () => {
  const { sessions, open, human } = await setUp()
  const [mine, other] = [await open(), await open()]
  expect(await sessions.authenticate(mine.secret, mine.key)).toEqual(human)
  for (const [secret, key] of [
    [mine.secret, ""],
    [mine.secret, other.key],
    [mine.secret, mine.secret],
    [mine.key, mine.key],
    ["", mine.key],
    [mine.secret, "x".repeat(300)],
  ] as const)
    expect(await sessions.authenticate(secret, key)).toBeNull()
})

test("a session ends when it is over, or when it is ended", async () => {
  const { sessions, open, time } = await setUp()
  const [ended, old] = [await open(), await open()]
  await sessions.end(ended.secret)
  await sessions.end("unknown")
  expect(await sessions.authenticate(ended.secret, ended.key)).toBeNull()
  const stepMs = defaultLimits.browserSessionIdleMs - 1
  for (let leftMs = old.lifeMs - 1; leftMs > 0; leftMs -= stepMs) {
    time.nowMs += Math.min(stepMs, leftMs)
    expect(await sessions.authenticate(old.secret, old.key)).not.toBeNull()
  }
  time.nowMs += 1
  expect(await sessions.authenticate(old.secret, old.key)).toBeNull()
})

test("a session that nobody uses ends earlier, and is listed until then", async () => {
  const { sessions, open, human, parts, time } = await setUp()
  const idle = await open()
  const [listed] = (await listSessions(human, {}, parts)).items
  expect(listed).toMatchObject({ user: "alice", method: "code", address: origin.addressPrefix, userAgent: "Mozilla/5.0" })
  expect(JSON.stringify(listed)).not.toContain("hash")
  time.nowMs += defaultLimits.browserSessionIdleMs
  expect(await sessions.authenticate(idle.secret, idle.key)).toBeNull()
  expect((await listSessions(human, {}, parts)).items).toEqual([])
})

test("a human ends their own sessions, an admin those of everybody, an agent none", async () => {
  const { sessions, open, human, parts } = await setUp()
  const session = await open()
  const [{ id } = { id: "" }] = (await listSessions(human, {}, parts)).items
  const member: Principal = { ...human, user: "bob", roles: [], rights: [] }
  const stranger: Principal = { ...human, tenant: newId("tenant") }
  expect((await listSessions(member, {}, parts)).items).toEqual([])
  expect((await listSessions({ ...human, user: "root" }, { user: "alice" }, parts)).items).toMatchObject([{ id }])
  expect((await listSessions(human, { user: "bob" }, parts)).items).toEqual([])
  await expect(listSessions(member, { user: "alice" }, parts)).rejects.toMatchObject({ code: "forbidden" })
  for (const other of [member, stranger]) await expect(removeSession(other, id, parts)).rejects.toMatchObject({ code: "not_found" })
  await expect(removeSession({ ...human, kind: "agent" }, id, parts)).rejects.toMatchObject({ code: "forbidden" })
  await removeSession({ ...human, user: "another admin" }, id, parts)
  expect(await sessions.authenticate(session.secret, session.key)).toBeNull()
})

test("nobody signs in as a service account, or as somebody who is disabled", async () => {
  const { sessions, human } = await setUp()
  for (const change of [{ isService: true }, { status: "disabled" as const }]) {
    await store.users.put({ ...userRow(human), ...change })
    expect(await sessions.start(human, "passkey", origin)).toBeNull()
  }
})

test("a code is no session, and a session is no code", async () => {
  const { sessions, open, human, parts } = await setUp()
  const { code } = await createSignInCode(human, parts)
  expect(await sessions.authenticate(code, code)).toBeNull()
  expect(await sessions.open((await open()).secret, origin)).toBeNull()
})

test("an agent does not sign in; the server invites a human for as long as it says", async () => {
  const { sessions, human, parts, time } = await setUp()
  expect(() => createSignInCode({ ...human, kind: "agent" }, parts)).toThrow(expect.objectContaining({ code: "forbidden" }))
  const { code } = await sessions.invite(human, 1000)
  time.nowMs += 999
  expect(await sessions.open(code, origin)).not.toBeNull()
})
