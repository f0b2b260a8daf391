// Attacks on the way to a provider and back: whatever does not fit is refused in words, recorded, and makes nobody.
import type { ServerResponse } from "node:http"
import { expect, test } from "vitest"
import { clientId, expectRefused, finish, good, lastRow, post, product, provider, signIn, start, users } from "./sign-in-attack.ts"

test("a good answer signs in, once", async () => {
  const flow = await start("acme")
  provider.claims = { nonce: flow.nonce, ...good }
  const first = await finish(flow)
  expect(first.status, first.message).toBe(200)
  expect(first.cookies.some((cookie) => /executor_session.*HttpOnly; SameSite=Strict/.test(cookie))).toBe(true)
  await expectRefused(finish(flow), "state")
})

test("of two who hand over the same answer at once, one gets in", async () => {
  const flow = await start("acme")
  provider.claims = { nonce: flow.nonce, ...good }
  const both = await Promise.all([finish(flow), finish(flow)])
  expect(both.map(({ status }) => status)).toContain(200)
  expect(both.map(({ status }) => status)).toContain(403)
})

test.each([
  ["nonce", { nonce: "another" }],
  ["nonce", { nonce: undefined }],
  ["iss", { iss: "https://evil.example" }],
  ["aud", { aud: "another-client" }],
  ["azp", { aud: [clientId], azp: "another-client" }],
  ["exp", { exp: 1 }],
])("a wrong %s is refused: %j", async (reason, claims) => {
  await expectRefused(signIn("acme", { ...good, ...claims }), reason, "unauthorized")
})

test("several audiences need to say which of them was meant", async () => {
  const answer = await signIn("acme", { ...good, aud: [clientId, "another"] })
  expect(answer.status).toBe(401)
})

test.each([
  ["none", { alg: "none" }],
  ["foreign", { alg: "RS256", kid: "one" }],
  ["good", { alg: "HS256" }],
  ["foreign", { alg: "RS256", kid: "unknown" }],
] as const)("a token with the signature %s and the header %j is refused", async (signature, header) => {
  Object.assign(provider, { signature, header })
  await expectRefused(signIn("acme", good), "signature", "unauthorized")
})

test("an unsigned token is refused also where the provider's metadata allows it", async () => {
  Object.assign(provider, {
    signature: "none",
    header: { alg: "none" },
    metadata: { id_token_signing_alg_values_supported: ["none", "RS256"] },
  })
  await expectRefused(signIn("acme", good), "signature", "unauthorized")
  provider.metadata = { id_token_signing_alg_values_supported: ["none", "HS256"] }
  const answer = await post("/api/signin/oidc/acme", {})
  expect(answer.status).toBe(400)
})

test("an unknown state, another issuer's answer and the provider's own refusal are told apart", async () => {
  const flow = await start("acme")
  await expectRefused(finish({ ...flow, state: "made-up" }), "state")
  await expectRefused(finish(flow, { iss: "https://evil.example" }), "iss", "unauthorized")
  const refused = await start("acme")
  const query = new URLSearchParams({ error: "access_denied", error_description: "<b>no</b>", state: refused.state }).toString()
  const response = await post("/signin/oidc/callback", { answer: query, key: refused.key }, { cookie: refused.cookie })
  expect(await response.text()).toContain("access_denied")
})

test("another browser, or another tab, cannot finish it", async () => {
  const [mine, theirs] = [await start("acme"), await start("acme")]
  provider.claims = { nonce: theirs.nonce, ...good }
  await expectRefused(finish({ ...theirs, cookie: "" }), "browser")
  await expectRefused(finish({ ...theirs, cookie: mine.cookie }), "browser")
  await expectRefused(finish({ ...theirs, key: mine.key }), "browser")
  expect((await finish(theirs)).status).toBe(200)
})

test("two tenants with the same issuer stay apart", async () => {
  const flow = await start("acme", { tenant: "other" })
  provider.claims = { nonce: flow.nonce, ...good }
  expect((await finish(flow)).status).toBe(200)
  const [here, there] = [await users(), await users("other")]
  expect(there.filter(({ email }) => email === good.email)).toHaveLength(1)
  expect(here.find(({ email }) => email === good.email)?.id).not.toBe(there.find(({ email }) => email === good.email)?.id)
  const offered = async (tenant: string) => {
    const methods = (await (await fetch(`${product.url}/api/signin/methods?tenant=${tenant}`)).json()) as { providers: { id: string }[] }
    return methods.providers.map(({ id }) => id)
  }
  expect(await offered("other")).toEqual(["acme"])
  expect(await offered("nowhere")).toEqual([])
})

test.each(["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "evil", "/a\nb"])(
  "a return to %j is refused",
  async (path) => {
    const response = await post("/api/signin/oidc/acme", { return: path })
    expect(response.status).toBe(400)
  },
)

test("requests of other pages are refused, and so is an address that the provider does not lead back to", async () => {
  expect((await post("/api/signin/oidc/acme", {}, { origin: "https://evil.example" })).status).toBe(403)
  const response = await fetch(`${product.url}/signin/oidc/callback`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  })
  expect(response.status).toBe(403)
  const port = new URL(product.url).port
  const other = await fetch(`http://[::1]:${port}/api/signin/oidc/acme`, {
    method: "POST",
    headers: { origin: `http://[::1]:${port}`, "content-type": "application/json" },
    body: "{}",
  })
  expect(await other.text()).toContain(`Sign in at ${product.pagesUrl}/signin/default`)
})

test.each([
  ["is huge", (response: ServerResponse) => response.writeHead(200, { "content-type": "application/json" }).end("x".repeat(3_000_000))],
  ["is slow", () => {}],
  ["redirects", (response: ServerResponse) => response.writeHead(302, { location: "https://evil.example/" }).end()],
  ["is no JSON", (response: ServerResponse) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>")],
  [
    "has no ID token",
    (response: ServerResponse) =>
      response.writeHead(200, { "content-type": "application/json" }).end('{"access_token":"x","token_type":"Bearer"}'),
  ],
])("a provider whose answer %s", async (_name, token) => {
  provider.token = token
  const before = await users()
  const answer = await signIn("acme", good)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.message).not.toBe("")
  expect(await lastRow()).toMatchObject({ details: { isAuthenticated: false } })
  expect(await users()).toEqual(before)
})
