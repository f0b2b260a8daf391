// Tests that a passkey opens its owner's session and nobody else's, and that every lie of a browser or an authenticator is refused.
import { afterAll, describe, expect, test } from "vitest"
import { defaultLimits } from "../../core/limits.ts"
import { passkeyPlace } from "../../core/people/passkey.ts"
import type { PasskeyBegun, PasskeyBrowser } from "../../core/people/passkey.ts"
import type { Principal } from "../../core/principal.ts"
import { newId } from "../../io/ids.ts"
import { openTestStore } from "../../store/testing/open.ts"
import { createAccess } from "../access.ts"
import { createBrowserSessions } from "../session-open.ts"
import type { FailedSignIn } from "./passkeys.ts"
import { createPasskeyPages } from "./passkeys.ts"
import { createSoftKey, flagsOf } from "./testing/authenticator.ts"
import type { Lies, SoftKey } from "./testing/authenticator.ts"

const opened = await openTestStore()
afterAll(() => opened.close())
const { store } = opened

const party = { origin: "https://tools.example", id: "tools.example" }
const facts = { address: "203.0.113.9", addressPrefix: "203.0.113.0/24", userAgent: "Test", isSecure: true }
const browser: PasskeyBrowser = { party, flow: null, facts }
const after = ({ flow }: PasskeyBegun): PasskeyBrowser => ({ ...browser, flow })

async function setUp({ limits = defaultLimits } = {}) {
  const time = { nowMs: Date.parse("2026-11-01T12:00:00.000Z") }
  const clock = { now: () => new Date(time.nowMs), monotonicMs: () => time.nowMs }
  const tenant = newId("tenant")
  const humanOf = async (user: string, home = tenant): Promise<Principal> => {
    await store.tenants.ensure({ tenant: home, id: user, name: user, roles: [] })
    return { tenant: home, user, roles: [], rights: [], kind: "human", tokenId: null }
  }
  const access = createAccess(store, clock)
  const sessions = createBrowserSessions({ store, clock, limits }, access)
  const failures: FailedSignIn[] = []
  const audit = {
    failed: async (attempt: FailedSignIn) => void failures.push(attempt),
    signedIn: async () => {},
    registering: <T>(_who: Principal, work: () => Promise<T>) => work(),
  }
  const pages = createPasskeyPages({ store, clock, limits, sessions, audit })
  const add = async (who: Principal, key: SoftKey, lies: Lies = {}) => {
    const begun = await pages.beginRegistration(who, browser)
    return pages.register(who, { key: begun.key, name: "Laptop", credential: key.create(begun.options, lies) }, after(begun))
  }
  const signIn = async (key: SoftKey, lies: Lies = {}) => {
    const begun = await pages.beginSignIn(browser)
    return pages.signIn({ key: begun.key, credential: key.get(begun.options, lies) }, after(begun))
  }
  const alice = await humanOf("alice")
  return { time, tenant, humanOf, sessions, failures, pages, add, signIn, alice }
}

const refused = (code: string) => expect.objectContaining({ code })

test("a key that was added opens a session of its owner", async () => {
  const { add, signIn, sessions, alice, failures } = await setUp()
  const [first, second] = [createSoftKey(party), createSoftKey(party, { isSynced: true })]
  expect(await add(alice, first)).toMatchObject({ name: "Laptop", isSynced: false, lastUsedAt: null })
  expect(await add(alice, second)).toMatchObject({ isSynced: true })
  for (const key of [first, second, first]) {
    const { secret, key: sessionKey } = await signIn(key)
    expect(await sessions.authenticate(secret, sessionKey)).toMatchObject({ tenant: alice.tenant, user: "alice", kind: "human" })
  }
  const [row] = await store.passkeys.list(alice)
  expect(row?.lastUsedAt).toBe("2026-11-01T12:00:00.000Z")
  expect(failures).toEqual([])
})

describe("a sign-in is refused, and noted with whose key it was", () => {
  const lies: Record<string, Lies> = {
    "for another origin": { origin: "https://evil.example" },
    "for the same host on another port": { origin: "https://tools.example:8443" },
    "for another domain": { rpId: "evil.example" },
    "with a signature of something else": { signs: "something else" },
    "with a challenge of its own": { challenge: "bXkgb3du" },
    "of somebody who was not verified": { flags: flagsOf.present },
    "of somebody who was not there": { flags: flagsOf.verified },
    "that was made as another kind of key": { flags: flagsOf.present | flagsOf.verified | flagsOf.backupEligible },
    "with the handle of somebody else": { userHandle: "c29tZWJvZHk" },
    "that is the answer to a registration": { type: "webauthn.create" },
  }
  test.each(Object.entries(lies))("%s", async (_, lie) => {
    const { add, signIn, failures, alice, tenant } = await setUp()
    const key = createSoftKey(party)
    await add(alice, key)
    await expect(signIn(key, lie)).rejects.toEqual(refused("unauthorized"))
    expect(failures).toMatchObject([{ owner: { tenant, user: "alice" }, facts }])
    await signIn(key)
  })

  test("of a key that nobody has", async () => {
    const { signIn, failures } = await setUp()
    await expect(signIn(createSoftKey(party))).rejects.toEqual(refused("unauthorized"))
    expect(failures).toMatchObject([{ owner: null }])
  })

  test("with the id of another's key", async () => {
    const { add, signIn, humanOf, alice } = await setUp()
    const key = createSoftKey(party)
    await add(alice, key)
    const thief = createSoftKey(party)
    await add(await humanOf("bob"), thief)
    await expect(signIn({ ...thief, get: (options) => ({ ...thief.get(options), id: key.id, rawId: key.id }) })).rejects.toEqual(
      refused("unauthorized"),
    )
  })

  test("of a key whose counter went back, unless its provider copies it", async () => {
    const { add, signIn, failures, alice } = await setUp()
    const [counting, synced] = [createSoftKey(party), createSoftKey(party, { isSynced: true })]
    await add(alice, counting)
    await add(alice, synced)
    await signIn(counting, { counter: 7 })
    for (const counter of [7, 3, 0]) await expect(signIn(counting, { counter })).rejects.toEqual(refused("unauthorized"))
    expect(failures.at(-1)?.reason).toBe("The counter went from 7 to 0")
    for (const counter of [9, 2, 0]) await signIn(synced, { counter })
  })

  test("of somebody who is disabled or gone, or is a service account", async () => {
    const { add, signIn, alice, failures } = await setUp()
    const key = createSoftKey(party)
    await add(alice, key)
    const row = await store.users.get(alice)
    if (row === null) throw new Error("It was made above")
    await store.users.put({ ...row, status: "disabled" })
    await expect(signIn(key)).rejects.toEqual(refused("forbidden"))
    await store.users.put({ ...row, isService: true })
    await expect(signIn(key)).rejects.toEqual(refused("forbidden"))
    expect(failures).toHaveLength(2)
    await store.users.remove(alice)
    await expect(signIn(key)).rejects.toEqual(refused("unauthorized"))
  })

  test("where it was tried too often, for the account and for the network", async () => {
    const limits = { ...defaultLimits, signInAttemptsPerAccountMax: 2, signInAttemptsPerAddressMax: 9 }
    const { add, signIn, alice, humanOf } = await setUp({ limits })
    const [key, other] = [createSoftKey(party), createSoftKey(party)]
    await add(alice, key)
    await add(await humanOf("bob"), other)
    await signIn(key)
    await signIn(key)
    await expect(signIn(key)).rejects.toEqual(refused("rate_limited"))
    await signIn(other)
    await expect(signIn(other)).rejects.toEqual(refused("rate_limited"))
  })
})

describe("a challenge", () => {
  test("is answered once, however many try at once", async () => {
    const { add, pages, alice } = await setUp()
    const key = createSoftKey(party)
    await add(alice, key)
    const begun = await pages.beginSignIn(browser)
    const input = { key: begun.key, credential: key.get(begun.options) }
    const tries = await Promise.allSettled([1, 2, 3].map(() => pages.signIn(input, after(begun))))
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    await expect(pages.signIn(input, after(begun))).rejects.toEqual(refused("unauthorized"))
  })

  test("counts for five minutes", async () => {
    const { add, pages, alice, time } = await setUp()
    const key = createSoftKey(party)
    await add(alice, key)
    const begun = await pages.beginSignIn(browser)
    time.nowMs += 300_000
    await expect(pages.signIn({ key: begun.key, credential: key.get(begun.options) }, after(begun))).rejects.toEqual(
      refused("unauthorized"),
    )
  })

  test("counts in its browser alone: with its cookie, its key and its purpose", async () => {
    const { add, pages, alice, humanOf } = await setUp()
    const key = createSoftKey(party)
    await add(alice, key)
    const [mine, theirs] = [await pages.beginSignIn(browser), await pages.beginSignIn(browser)]
    const stolen = key.get(theirs.options)
    // What somebody was led to answer in their browser is worth nothing in another's.
    await expect(pages.signIn({ key: mine.key, credential: stolen }, after(mine))).rejects.toEqual(refused("unauthorized"))
    await expect(pages.signIn({ key: theirs.key, credential: stolen }, browser)).rejects.toEqual(refused("unauthorized"))
    await expect(pages.signIn({ key: mine.key, credential: stolen }, after(theirs))).rejects.toEqual(refused("unauthorized"))
    const adding = await pages.beginRegistration(alice, browser)
    await expect(pages.signIn({ key: adding.key, credential: key.get(adding.options) }, after(adding))).rejects.toEqual(
      refused("unauthorized"),
    )
    const mallory = await humanOf("mallory")
    const again = await pages.beginRegistration(alice, browser)
    const input = { key: again.key, name: "Laptop", credential: createSoftKey(party).create(again.options) }
    await expect(pages.register(mallory, input, after(again))).rejects.toEqual(refused("unauthorized"))
  })
})

describe("adding a key", () => {
  test("that somebody has already, in any tenant, is refused", async () => {
    const { add, alice, humanOf, signIn, sessions } = await setUp()
    const key = createSoftKey(party)
    await add(alice, key)
    for (const other of [await humanOf("bob"), await humanOf("carol", newId("tenant")), alice])
      await expect(add(other, createSoftKey(party, { id: key.id }))).rejects.toEqual(refused("conflict"))
    const session = await signIn(key)
    expect(await sessions.authenticate(session.secret, session.key)).toMatchObject({ user: "alice" })
  })

  test.each([
    ["made elsewhere", { origin: "https://evil.example" }],
    ["for another domain", { rpId: "evil.example" }],
    ["without verifying its owner", { flags: flagsOf.present }],
    ["as an answer to another challenge", { challenge: "bXkgb3du" }],
  ])("%s is refused", async (_, lie) => {
    const { add, alice } = await setUp()
    await expect(add(alice, createSoftKey(party), lie)).rejects.toEqual(refused("invalid_request"))
    expect(await store.passkeys.list(alice)).toEqual([])
  })

  test("that is hostile CBOR, a thousand levels deep, is refused", async () => {
    const { pages, alice } = await setUp()
    const begun = await pages.beginRegistration(alice, browser)
    const good = createSoftKey(party).create(begun.options)
    const attestationObject = Buffer.alloc(48_000, 0x81).toString("base64url")
    const credential = { ...good, response: { ...good.response, attestationObject } }
    await expect(pages.register(alice, { key: begun.key, name: "x", credential }, after(begun))).rejects.toEqual(refused("invalid_request"))
  })

  test("has an end, is for humans, and tells the browser which keys there are", async () => {
    const { add, alice, pages } = await setUp({ limits: { ...defaultLimits, passkeysPerUserMax: 1 } })
    await expect(pages.beginRegistration({ ...alice, kind: "agent" }, browser)).rejects.toEqual(refused("forbidden"))
    const open = await pages.beginRegistration(alice, browser)
    const late = createSoftKey(party).create(open.options)
    await add(alice, createSoftKey(party))
    await expect(pages.beginRegistration(alice, browser)).rejects.toEqual(refused("conflict"))
    await expect(pages.register(alice, { key: open.key, name: "x", credential: late }, after(open))).rejects.toEqual(refused("conflict"))
  })

  test("asks for a discoverable key of a verified owner, and nothing about its maker", async () => {
    const { pages, alice, add } = await setUp()
    const key = createSoftKey(party)
    await add(alice, key)
    expect((await pages.beginRegistration(alice, browser)).options).toMatchObject({
      rp: { id: "tools.example" },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: [{ id: key.id }],
    })
    expect((await pages.beginSignIn(browser)).options).toMatchObject({ rpId: "tools.example", userVerification: "required" })
  })
})

test.each([
  ["http://localhost:4788", null, { kind: "works", party: { origin: "http://localhost:4788", id: "localhost" } }],
  ["http://127.0.0.1:4788", null, { kind: "elsewhere", url: "http://localhost:4788" }],
  ["http://[::1]:4788", null, { kind: "elsewhere", url: "http://localhost:4788" }],
  ["https://10.0.0.5", null, { kind: "elsewhere", url: null }],
  ["https://tools.example", null, { kind: "works", party: { origin: "https://tools.example", id: "tools.example" } }],
  ["https://tools.example", "https://tools.example", { kind: "works", party: { origin: "https://tools.example", id: "tools.example" } }],
  ["http://localhost:4788", "https://tools.example", { kind: "elsewhere", url: "https://tools.example" }],
  ["http://tools.example", "http://tools.example", { kind: "elsewhere", url: null }],
  ["http://localhost:4788", "http://127.0.0.1:4788", { kind: "works", party: { origin: "http://localhost:4788", id: "localhost" } }],
])("at %s, public %s", (origin, publicUrl, expected) => {
  expect(passkeyPlace(origin, publicUrl)).toEqual(expected)
})
