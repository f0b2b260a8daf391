// Tests the way from a client's registration to its token, and everything that must end on the way.
import fc from "fast-check"
import { afterAll, describe, expect, test } from "vitest"
import { OauthError } from "../../core/authorization-server.ts"
import type { RegisteredClient } from "../../core/authorization-server.ts"
import { defaultLimits } from "../../core/limits.ts"
import { systemClock } from "../../io/clock.ts"
import { openTestStore } from "../../store/testing/open.ts"
import { faultOf, issuer, openConsent, redirectUri } from "../testing/consent.ts"
import { updateUser } from "../people/users.ts"

const opened = await openTestStore()
afterAll(() => opened.close())
const { store } = opened

test("a human allows a client, and an agent's token of theirs comes out of it", async () => {
  const { register, decide, ask, redeem, authenticate, human, notes } = await openConsent(store)
  const id = await register()
  const answer = await decide(ask(id), { patterns: ["github.**", " linear.issues.* "], elicitation: ["native"] })
  expect(answer.href.startsWith(`${redirectUri}?`)).toBe(true)
  expect(Object.fromEntries(answer.searchParams)).toEqual({ code: expect.stringMatching(/^exg_/), state: "xyz", iss: issuer })
  const tokens = await redeem(id, answer.searchParams.get("code") ?? "")
  expect(tokens).toMatchObject({ token_type: "Bearer", expires_in: 3600, scope: "mcp" })
  const principal = await authenticate(tokens.access_token)
  expect(principal).toMatchObject({ user: "alice", kind: "agent", rights: [], surface: "mcp", elicitation: ["browser", "native"] })
  const row = await store.tokens.get(human, principal?.tokenId ?? "")
  expect(row).toMatchObject({ name: "Claude", client: "Claude", patterns: '["github.**","linear.issues.*"]' })
  expect(JSON.stringify(row)).not.toContain(tokens.access_token)
  expect(notes.map(({ action, user, outcome }) => `${action} ${user} ${outcome}`)).toEqual([
    "consent.register anonymous ok",
    "consent.allow alice ok",
    "token.create alice ok",
  ])
})

test("a human may grant what one of their roles allows", async () => {
  const { register, server, ask, human } = await openConsent(store)
  const patterns = ["github.**", "slack.channels.list"]
  const role = { id: "developer", name: "Developer", description: "", patterns, rights: [], createdAt: "2026-11-01T12:00:00.000Z" }
  await store.roles.put(human.tenant, role)
  const offer = await server.show(ask(await register()), { ...human, roles: ["developer", "gone"] })
  expect(offer).toMatchObject({ kind: "offer", roles: [{ id: "developer", name: "Developer", patterns }] })
})

test("a human denies a client, which learns of it", async () => {
  const { register, server, ask, human, notes } = await openConsent(store)
  const query = ask(await register())
  const offer = await server.show(query, human)
  const answer = new URL(await server.decide(query, human, { action: "deny", shown: offer.kind === "offer" ? offer.shown : "" }))
  expect(answer.searchParams.get("error")).toBe("access_denied")
  expect(answer.searchParams.has("code")).toBe(false)
  expect(notes.at(-1)).toMatchObject({ action: "consent.deny", user: "alice" })
})

test("a decision counts for what was shown, and for whom", async () => {
  const { register, server, ask, human } = await openConsent(store)
  const query = ask(await register())
  const offer = await server.show(query, human)
  const shown = offer.kind === "offer" ? offer.shown : ""
  const decision = { action: "allow", shown, patterns: null, elicitation: [] } as const
  await expect(server.decide(ask(await register("Other")), human, decision)).rejects.toMatchObject({ code: "conflict" })
  await expect(server.decide(query, { ...human, user: "bob" }, decision)).rejects.toMatchObject({ code: "conflict" })
  await expect(server.decide(query, { ...human, kind: "agent" }, decision)).rejects.toMatchObject({ code: "forbidden" })
  for (const patterns of [[], [" "], ["git hub"], Array.from({ length: defaultLimits.rolePatternsMax + 1 }, (_, at) => `a${at}.**`)])
    await expect(server.decide(query, human, { ...decision, patterns })).rejects.toMatchObject({ code: "invalid_request" })
})

describe("what a client asks for", () => {
  test.each([
    ["redirect_uri", "http://127.0.0.1:5000/other"],
    ["redirect_uri", "https://evil.example/callback"],
    ["redirect_uri", `${issuer}/callback`],
    ["redirect_uri", null],
    ["client_id", "exo_e30.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
    ["client_id", "unknown"],
    ["client_id", null],
  ])("%s %s: the human alone is told", async (name, value) => {
    const { register, server, ask, human } = await openConsent(store)
    const id = await register("Claude", [redirectUri, `${issuer}/callback`])
    await expect(server.show(ask(id, { [name]: value }), human)).rejects.toMatchObject({ code: "invalid_request" })
  })

  test.each([
    ["code_challenge", null, "invalid_request"],
    ["code_challenge", "short", "invalid_request"],
    ["code_challenge_method", "plain", "invalid_request"],
    ["code_challenge_method", null, "invalid_request"],
    ["response_type", "token", "unsupported_response_type"],
    ["response_mode", "fragment", "invalid_request"],
    ["resource", "https://evil.example/mcp", "invalid_target"],
    ["request", "x", "request_not_supported"],
    ["state", "x".repeat(2001), "invalid_request"],
  ])("%s %s: the client is told, if the human goes back", async (name, value, error) => {
    const { register, server, ask, human } = await openConsent(store)
    const query = ask(await register(), { [name]: value })
    const problem = await server.show(query, human)
    if (problem.kind !== "problem") throw new Error("It is wrong")
    const answer = new URL(problem.redirectTo)
    expect([answer.searchParams.get("error"), answer.searchParams.get("iss"), answer.origin]).toEqual([
      error,
      issuer,
      "http://127.0.0.1:5000",
    ])
    const decision = { action: "allow", shown: "", patterns: null, elicitation: [] } as const
    await expect(server.decide(query, human, decision)).rejects.toMatchObject({ code: "invalid_request" })
  })

  test("a parameter twice is two answers", async () => {
    const { register, server, ask, human } = await openConsent(store)
    const query = ask(await register())
    query.append("redirect_uri", "https://evil.example/")
    await expect(server.show(query, human)).rejects.toMatchObject({ code: "invalid_request" })
  })
})

describe("a code", () => {
  test("is redeemed once; who comes again ends what came out of it", async () => {
    const { register, allow, redeem, refresh, authenticate, notes } = await openConsent(store)
    const id = await register()
    const code = await allow(id)
    const tokens = await redeem(id, code)
    expect(await authenticate(tokens.access_token)).not.toBeNull()
    expect(await faultOf(redeem(id, code))).toBe("invalid_grant")
    expect(await authenticate(tokens.access_token)).toBeNull()
    expect(await faultOf(refresh(id, tokens.refresh_token))).toBe("invalid_grant")
    expect(notes.at(-1)).toMatchObject({ action: "consent.replay", user: "alice", details: { what: "code" } })
  })

  test.each([{ code_verifier: "w".repeat(43) }, { code_verifier: "" }, { client_id: "another" }])(
    "that was redeemed and is shown again with %j ends nothing",
    async (change) => {
      const { register, allow, redeem, authenticate, notes } = await openConsent(store)
      const id = await register()
      const code = await allow(id)
      const tokens = await redeem(id, code)
      expect(await faultOf(redeem(id, code, change))).toBe("invalid_grant")
      expect(await authenticate(tokens.access_token)).not.toBeNull()
      expect(notes.at(-1)).toMatchObject({ action: "token.create" })
    },
  )

  test("is redeemed by one of those who try at once", async () => {
    const { register, allow, redeem } = await openConsent(store)
    const id = await register()
    const code = await allow(id)
    const tries = await Promise.all([1, 2, 3, 4].map(() => faultOf(redeem(id, code))))
    expect(tries.filter((fault) => fault === "nothing").length).toBeLessThanOrEqual(1)
  })

  test("works for a minute", async () => {
    const { register, allow, redeem, time } = await openConsent(store)
    const id = await register()
    const code = await allow(id)
    time.nowMs += 60_000
    expect(await faultOf(redeem(id, code))).toBe("invalid_grant")
  })

  test.each([
    [{ code_verifier: "w".repeat(43) }, "invalid_grant"],
    [{ code_verifier: "" }, "invalid_grant"],
    [{ redirect_uri: "http://127.0.0.1:5001/callback" }, "invalid_grant"],
    [{ resource: "https://evil.example/mcp" }, "invalid_target"],
    [{ resource: `${issuer}/mcp/direct/github` }, "invalid_target"],
    [{ client_id: "" }, "invalid_client"],
    [{ client_id: "https://evil.example/client.json" }, "invalid_grant"],
    [{ code: "exg_unknown" }, "invalid_grant"],
    [{ grant_type: "password" }, "unsupported_grant_type"],
  ])("is worth nothing with %j", async (change, fault) => {
    const { register, allow, redeem } = await openConsent(store)
    const id = await register()
    const code = await allow(id)
    expect(await faultOf(redeem(id, code, change))).toBe(fault)
    expect((await redeem(id, code)).access_token).toMatch(/^exa_/)
  })

  test("of one client is nothing to another, and the attempt is noted", async () => {
    const { register, allow, redeem, notes } = await openConsent(store)
    const [mine, other] = [await register("Mine"), await register("Other")]
    expect(await faultOf(redeem(other, await allow(mine)))).toBe("invalid_grant")
    expect(notes.at(-1)).toMatchObject({ action: "consent.redeem", outcome: "unauthorized", subject: "Mine" })
  })
})

describe("a refresh token", () => {
  const connect = async (limits = {}) => {
    const world = await openConsent(store, { limits })
    const id = await world.register()
    return { ...world, id, tokens: await world.redeem(id, await world.allow(id)) }
  }

  test("is followed by another, with the same token id, and the access before it ends", async () => {
    const { id, tokens, refresh, authenticate, time, access } = await connect()
    const before = await authenticate(tokens.access_token)
    if (before === null) throw new Error("It counts for an hour")
    time.nowMs += 3_600_000
    expect(await authenticate(tokens.access_token)).toBeNull()
    // What waits for an approval meanwhile still acts for somebody.
    expect(await access.of(before)).not.toBeNull()
    const next = await refresh(id, tokens.refresh_token)
    expect(next.refresh_token).not.toBe(tokens.refresh_token)
    expect((await authenticate(next.access_token))?.tokenId).toBe(before.tokenId)
    expect(await authenticate(tokens.access_token)).toBeNull()
  })

  test("that was used before ends everything", async () => {
    const { id, tokens, refresh, authenticate, time, notes } = await connect()
    const next = await refresh(id, tokens.refresh_token)
    time.nowMs += 10_000
    expect(await faultOf(refresh(id, tokens.refresh_token))).toBe("invalid_grant")
    expect(await authenticate(next.access_token)).toBeNull()
    expect(await faultOf(refresh(id, next.refresh_token))).toBe("invalid_grant")
    expect(notes.at(-1)).toMatchObject({ action: "consent.replay", details: { what: "refresh token" } })
  })

  test("that two requests send at once gives both the same answer, on any node", async () => {
    const { id, tokens, refresh, authenticate, another } = await connect()
    const answers = await Promise.all([
      refresh(id, tokens.refresh_token),
      refresh(id, tokens.refresh_token, another()),
      refresh(id, tokens.refresh_token),
    ])
    expect(new Set(answers.map(({ access_token, refresh_token }) => `${access_token} ${refresh_token}`)).size).toBe(1)
    expect(await authenticate(answers[0]?.access_token ?? "")).not.toBeNull()
  })

  test("older than the one before is never sent twice by a client", async () => {
    const { id, tokens, refresh } = await connect()
    const second = await refresh(id, tokens.refresh_token)
    await refresh(id, second.refresh_token)
    expect(await faultOf(refresh(id, tokens.refresh_token))).toBe("invalid_grant")
    expect(await faultOf(refresh(id, second.refresh_token))).toBe("invalid_grant")
  })

  test("ends with the token, with the human, and with time", async () => {
    const revoked = await connect()
    const principal = await revoked.authenticate(revoked.tokens.access_token)
    await store.tokens.remove(revoked.human, principal?.tokenId ?? "")
    expect(await faultOf(revoked.refresh(revoked.id, revoked.tokens.refresh_token))).toBe("invalid_grant")
    expect(await revoked.authenticate(revoked.tokens.access_token)).toBeNull()

    const disabled = await connect()
    const user = await store.users.get(disabled.human)
    if (user === null) throw new Error("Alice exists")
    await store.users.put({ ...user, status: "disabled" })
    expect(await faultOf(disabled.refresh(disabled.id, disabled.tokens.refresh_token))).toBe("invalid_grant")
    expect(await disabled.authenticate(disabled.tokens.access_token)).toBeNull()

    const enabled = await connect()
    await store.tenants.ensure({ tenant: enabled.human.tenant, id: "root", name: "Root", roles: ["admin"] })
    const root = { tenant: enabled.human.tenant, user: "root", roles: ["admin"], rights: ["admin"], kind: "human", tokenId: null } as const
    for (const status of ["disabled", "active"] as const)
      await updateUser(root, "alice", { status }, { store, clock: systemClock, limits: defaultLimits })
    expect(await faultOf(enabled.refresh(enabled.id, enabled.tokens.refresh_token))).toBe("invalid_grant")
    expect(await enabled.authenticate(enabled.tokens.access_token)).toBeNull()

    const old = await connect()
    old.time.nowMs += 30 * 24 * 3_600_000
    expect(await faultOf(old.refresh(old.id, old.tokens.refresh_token))).toBe("invalid_grant")
  })

  test("is nothing to another client, and cannot be made up", async () => {
    const { id, tokens, refresh, register, authenticate } = await connect()
    expect(await faultOf(refresh(await register("Other"), tokens.refresh_token))).toBe("invalid_grant")
    for (const forged of [
      tokens.refresh_token.replace(".0.", ".1."),
      `${tokens.refresh_token.slice(0, -1)}_`,
      tokens.access_token,
      "",
      "exr_",
    ])
      expect(await faultOf(refresh(id, forged))).toBe("invalid_grant")
    expect(await authenticate(tokens.access_token)).not.toBeNull()
    expect(await authenticate(tokens.refresh_token)).toBeNull()
    expect((await refresh(id, tokens.refresh_token)).access_token).toMatch(/^exa_/)
  })

  test.each(["access_token", "refresh_token"] as const)("is given back with the %s", async (which) => {
    const { id, tokens, server, authenticate, refresh, notes, register } = await connect()
    await server.revoke(new URLSearchParams({ token: tokens[which], client_id: await register("Other") }))
    await server.revoke(new URLSearchParams({ token: "exa_unknown" }))
    expect(await authenticate(tokens.access_token)).not.toBeNull()
    await server.revoke(new URLSearchParams({ token: tokens[which], client_id: id }))
    expect(await authenticate(tokens.access_token)).toBeNull()
    expect(await faultOf(refresh(id, tokens.refresh_token))).toBe("invalid_grant")
    expect(notes.at(-1)).toMatchObject({ action: "consent.revoke", user: "alice", subject: "Claude" })
  })
})

test("consents that nobody uses are dropped, and there is a limit to them", async () => {
  const { register, allow, redeem, authenticate, human, time } = await openConsent(store, { limits: { agentGrantsPerUserMax: 2 } })
  const id = await register()
  const old = await redeem(id, await allow(id))
  await allow(id)
  await expect(allow(id)).rejects.toMatchObject({ code: "conflict" })
  time.nowMs += 60_001
  const revoked = await authenticate((await redeem(id, await allow(id))).access_token)
  await expect(allow(id)).rejects.toMatchObject({ code: "conflict" })
  // As its message says, the human makes room by revoking a token.
  await store.tokens.remove(human, revoked?.tokenId ?? "")
  await allow(id)
  expect(await store.agentGrants.count(human)).toBe(2)
  time.nowMs += 31 * 24 * 3_600_000
  await allow(id)
  expect(await store.agentGrants.count(human)).toBe(1)
  expect(await store.tokens.list(human, { after: null, limit: 10 })).toEqual([])
  expect(old.access_token).toMatch(/^exa_/)
})

test("whatever is registered, there is a client or a reason", async () => {
  const { server } = await openConsent(store, { limits: { agentRegistrationsPerAddressMax: 100_000 } })
  const uris = fc.array(fc.oneof(fc.webUrl(), fc.string(), fc.jsonValue()), { maxLength: 3 })
  const metadata = fc.oneof(fc.jsonValue(), fc.record({ redirect_uris: uris, client_name: fc.jsonValue(), grant_types: fc.jsonValue() }))
  await fc.assert(
    fc.asyncProperty(metadata, async (given) => {
      const from = { address: "10.1.2.3", addressPrefix: "10.1.2.0/24" }
      const answer = await server.register(given, from).catch((error: unknown) => error)
      if (answer instanceof OauthError) return
      const { redirect_uris } = answer as RegisteredClient // anything else that is thrown fails here
      expect(redirect_uris.length).toBeGreaterThan(0)
    }),
    { numRuns: 300 },
  )
})

test("registration leaves out what no code may be sent to, and is limited by address", async () => {
  const { register, server, ask, human } = await openConsent(store, { limits: { agentRegistrationsPerAddressMax: 5 } })
  const from = { address: "10.1.2.3", addressPrefix: "10.1.2.0/24" }
  const client = await server.register(
    { redirect_uris: ["myapp://cb", "https://a.example/cb"], token_endpoint_auth_method: "client_secret_post" },
    from,
  )
  expect(client).toMatchObject({
    redirect_uris: ["https://a.example/cb"],
    token_endpoint_auth_method: "none",
    client_name: "An unnamed client",
  })
  for (const metadata of [null, [], {}, { redirect_uris: [] }, { redirect_uris: ["http://a.example/"] }])
    await expect(server.register(metadata, { ...from, addressPrefix: "other" })).rejects.toThrow()
  for (let at = 0; at < 4; at++) await register()
  await expect(register()).rejects.toMatchObject({ code: "rate_limited" })
  const named = await server.register(
    { client_name: `A\u202e${"x".repeat(500)}`, redirect_uris: [redirectUri] },
    { ...from, addressPrefix: "third" },
  )
  const offer = await server.show(ask(named.client_id), human)
  expect(offer.kind === "offer" ? offer.clientName : "").toMatch(/^A\\u202ex{70,}$/)
})
