// What attacks on signing in share: a server, a provider that says what it is told to, and what a refusal must look like.
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, expect } from "vitest"
import { adminRole } from "../../src/core/people/role.ts"
import { systemClock } from "../../src/io/clock.ts"
import { newToken } from "../../src/identity/token-create.ts"
import { openSqliteStore } from "../../src/store/sqlite.ts"
import type { Store, UserRow } from "../../src/store/store.ts"
import { startLyingProvider } from "../servers/lying-provider.ts"
import type { LyingProvider } from "../servers/lying-provider.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

export let product: Product
export let provider: LyingProvider
export let store: Store
export let otherTenant: string

export const clientId = "executor"
export const settings = (id: string, fields: object = {}) => ({
  id,
  name: id,
  issuer: provider.issuer,
  clientId,
  rules: [
    { value: "eng", roles: ["member"] },
    { value: "ops", roles: ["admin"] },
  ],
  ...fields,
})

beforeAll(async () => {
  product = await startProduct({
    env: {
      EXECUTOR_LIMITS: JSON.stringify({ signInAttemptsPerAddressMax: 1000, signInAttemptsPerAccountMax: 1000, oauthRequestMs: 1500 }),
    },
  })
  provider = await startLyingProvider(clientId)
  store = await openSqliteStore({ path: join(product.dataDir, "executor.db") })
  await store.tenants.ensure({ tenant: "other", id: "boss", name: "boss", roles: [adminRole] })
  const { row, token } = newToken({ tenant: "other", user: "boss" }, { name: "boss", kind: "human" }, systemClock)
  await store.tokens.put(row)
  otherTenant = token
  for (const body of [settings("acme"), settings("domains", { defaultRole: "member", rules: [], allow: { domains: ["acme.com"] } })])
    expect((await product.request("POST", "/signin/providers", body)).status).toBe(201)
  expect((await product.request("POST", "/signin/providers", settings("acme"), otherTenant)).status).toBe(201)
}, 120_000)
afterAll(async () => {
  await store.close()
  await provider.close()
  await product.stop()
})
beforeEach(() => {
  Object.assign(provider, { claims: {}, header: { alg: "RS256", kid: "one" }, signature: "good", metadata: {}, userinfo: {}, token: null })
})

type Started = { readonly state: string; readonly nonce: string; readonly key: string; readonly cookie: string }

export const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${product.url}${path}`, {
    method: "POST",
    headers: { origin: product.url, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  })

export async function start(id: string, body: object = {}): Promise<Started> {
  const response = await post(`/api/signin/oidc/${id}`, body)
  expect(response.status).toBe(200)
  const { url, key } = (await response.json()) as { url: string; key: string } // as the page reads it
  const query = new URL(url).searchParams
  expect(query.get("code_challenge_method")).toBe("S256")
  return {
    state: query.get("state") ?? "",
    nonce: query.get("nonce") ?? "",
    key,
    cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? "",
  }
}

type Answer = {
  readonly status: number
  readonly message: string
  readonly cookies: readonly string[]
  readonly body: Record<string, unknown>
}

export async function finish(flow: Started, answer: Record<string, string> = {}): Promise<Answer> {
  const query = new URLSearchParams({ code: "code", state: flow.state, ...answer }).toString()
  const response = await post("/signin/oidc/callback", { answer: query, key: flow.key }, { cookie: flow.cookie })
  const body = (await response.json()) as Record<string, unknown> & { error?: { message: string } } // as the page reads it
  return { status: response.status, message: body.error?.message ?? "", cookies: response.headers.getSetCookie(), body }
}

/** With claims that belong to the flow, unless they are said to be others. */
export async function signIn(id: string, claims: object, answer: Record<string, string> = {}): Promise<Answer> {
  const flow = await start(id)
  provider.claims = { nonce: flow.nonce, ...claims }
  return finish(flow, answer)
}

export const users = (tenant = "default"): Promise<UserRow[]> => store.users.list(tenant, { after: null, limit: 100 })
export const lastRow = async () => (await product.client.audit.list({ action: "signin.oidc", limit: 1 })).items[0]

export async function expectRefused(work: Promise<Answer>, reason: string, outcome = "forbidden"): Promise<string> {
  const before = await users()
  const answer = await work
  expect(answer.status, answer.message).toBeGreaterThanOrEqual(400)
  expect(answer.message).not.toBe("")
  expect(answer.cookies.filter((cookie) => cookie.includes("session"))).toEqual([])
  expect(await lastRow()).toMatchObject({ outcome, details: { reason, isAuthenticated: false } })
  expect(await users()).toEqual(before)
  return answer.message
}

export const good = { sub: "good", groups: ["eng"], email: "good@acme.com", email_verified: true }
