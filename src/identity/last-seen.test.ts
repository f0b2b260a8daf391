// Tests that using a token or a session is noted now and then, without emptying caches.
import { afterAll, expect, test } from "vitest"
import { defaultLimits } from "../core/limits.ts"
import { newId } from "../io/ids.ts"
import type { Store } from "../store/store.ts"
import { openTestStore } from "../store/testing/open.ts"
import { createAccess } from "./access.ts"
import { createAuthenticate } from "./authenticate.ts"
import { createBrowserSessions } from "./session-open.ts"
import { newToken } from "./token-create.ts"

const opened = await openTestStore()
afterAll(() => opened.close())

async function setUp() {
  const time = { nowMs: Date.parse("2026-11-01T12:00:00.000Z") }
  const clock = { now: () => new Date(time.nowMs), monotonicMs: () => time.nowMs }
  const scope = { tenant: newId("tenant"), user: "alice" }
  await opened.store.tenants.ensure({ tenant: scope.tenant, id: "alice", name: "Alice", roles: ["member"] })
  const writes: Promise<void>[] = []
  const users: Store["users"] = {
    ...opened.store.users,
    seen(who, at) {
      const write = opened.store.users.seen(who, at)
      writes.push(write)
      return write
    },
  }
  const store: Store = { ...opened.store, users, transaction: (work) => opened.store.transaction(work) }
  const seenAt = async (): Promise<string | null> => {
    await Promise.all(writes)
    return (await store.users.get(scope))?.lastSeenAt ?? null
  }
  return { time, clock, scope, store, writes, seenAt }
}

test("a token's use is written at most every five minutes, and the revision stands", async () => {
  const { time, clock, scope, store, writes, seenAt } = await setUp()
  const { row, token } = newToken(scope, { name: "ci", kind: "agent" }, clock)
  await store.tokens.put(row)
  const authenticate = createAuthenticate(store, createAccess(store, clock), clock)
  const revision = store.revision()
  for (const _use of [1, 2, 3]) expect(await authenticate(token)).not.toBeNull()
  expect([await seenAt(), writes.length]).toEqual(["2026-11-01T12:00:00.000Z", 1])
  time.nowMs += 5 * 60_000
  await authenticate(token)
  expect([await seenAt(), writes.length]).toEqual(["2026-11-01T12:05:00.000Z", 2])
  await authenticate("exa_unknown")
  expect([writes.length, store.revision()]).toEqual([2, revision])
})

test("a session's use is written, and a look at it neither counts nor keeps it open", async () => {
  const { time, clock, scope, store, writes, seenAt } = await setUp()
  const sessions = createBrowserSessions({ store, clock, limits: defaultLimits }, createAccess(store, clock))
  const session = await sessions.start(scope, "passkey", { addressPrefix: "203.0.113.0/24", userAgent: "Mozilla/5.0" })
  if (session === null) throw new Error("An active human gets a session")
  expect(await sessions.look(session.secret, session.key)).not.toBeNull()
  expect(await sessions.look(session.secret, "exk_other")).toBeNull()
  expect([await seenAt(), writes.length]).toEqual([null, 0])
  expect(await sessions.authenticate(session.secret, session.key)).not.toBeNull()
  expect([await seenAt(), writes.length]).toEqual(["2026-11-01T12:00:00.000Z", 1])
  for (let hours = 0; hours < 11; hours += 1) {
    time.nowMs += 3600_000
    expect(await sessions.look(session.secret, session.key)).not.toBeNull()
  }
  time.nowMs += 3600_000
  expect(await sessions.look(session.secret, session.key)).toBeNull()
})
