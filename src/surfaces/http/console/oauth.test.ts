// OAuth's routes and pages over a socket: who may do what, and what a browser is told.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parseAddress, singleAddress } from "../../../io/network/address-range.ts"
import { startTestServer } from "../testing/server.ts"
import type { TestServer } from "../testing/server.ts"

const loopback = parseAddress("127.0.0.1") ?? expect.fail()
let server: TestServer
const spec = {
  openapi: "3.1.0",
  info: { title: "Tea", version: "1" },
  servers: [{ url: "https://tea.example" }],
  components: {
    securitySchemes: {
      o: {
        type: "oauth2",
        flows: {
          authorizationCode: {
            authorizationUrl: "https://idp.example/auth?kept=1",
            tokenUrl: "https://idp.example/token",
            scopes: { read: "", "write:<all>": "" },
          },
        },
      },
    },
  },
  security: [{ o: [] }],
  paths: { "/tea": { get: { operationId: "tea/list", responses: {} } } },
}

beforeAll(async () => {
  server = await startTestServer({ publicUrl: "https://public.example", trustedProxies: [singleAddress(loopback)] })
  await server.call("POST", "/api/integrations", { body: { slug: "tea", kind: "openapi", config: { spec } } })
})
afterAll(() => server.close())

const post = (path: string, body: unknown, token?: string | null) =>
  server.call("POST", `/api${path}`, { body, ...(token === undefined ? {} : { token }) })
const startFlow = async (body: object = {}, token?: string): Promise<Record<string, string>> =>
  (await post("/oauth/start", { integration: "tea", ...body }, token)).body as Record<string, string>
const pagePath = (flow: Record<string, string>): string => new URL(flow["authorizationUrl"] ?? "").pathname
const fetchPage = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${server.url}${path}`, { redirect: "manual", ...init })

type PageHeaders = { readonly cookie: string; readonly origin: string; readonly "x-executor-session-key": string }

/** What a page of this server sends along, where whom the token stands for is signed in. */
async function signIn(token: string, asProxy: Record<string, string> = {}): Promise<PageHeaders> {
  const { code } = (await server.call("POST", "/api/sessions", { token })).body as { code: string }
  const response = await fetch(`${server.url}/signin`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: server.url, ...asProxy },
    body: JSON.stringify({ code }),
  })
  const { key } = (await response.json()) as { key: string } // as the page reads it
  return { cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? "", origin: server.url, "x-executor-session-key": key }
}

describe("clients", () => {
  it("take their endpoints from the document, for an admin to see, and keep their secret", async () => {
    const without = await post("/oauth/start", { integration: "tea" })
    expect(without).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining("POST /oauth/clients") } } })
    const body = {
      clientId: "tea-client",
      clientSecret: "very secret",
      integration: "tea",
      authorizationParams: { access_type: "offline" },
    }
    const made = await post("/oauth/clients", body)
    expect(made).toMatchObject({
      status: 201,
      body: {
        kind: "manual",
        tokenEndpoint: "https://idp.example/token",
        redirectUri: "https://public.example/api/oauth/callback",
        hasSecret: true,
      },
    })
    expect(JSON.stringify((await server.call("GET", "/api/oauth/clients")).body)).not.toContain("very secret")
  })

  it("are an admin's", async () => {
    for (const token of [server.tokens.member, server.tokens.agent]) {
      expect(await post("/oauth/clients", { clientId: "x", tokenEndpoint: "https://a.example" }, token)).toMatchObject({ status: 403 })
      expect(await server.call("GET", "/api/oauth/clients", { token })).toMatchObject({ status: 403 })
      expect(await post("/oauth/probe", { integration: "tea" }, token)).toMatchObject({ status: 403 })
    }
    expect((await server.call("GET", "/api/oauth/clients", { token: server.tokens.stranger })).body).toMatchObject({ items: [] })
  })

  it("are refused when they make no sense", async () => {
    const wrong = [
      { clientId: "x" },
      { clientId: "x", authorizationEndpoint: "https://a.example" },
      { clientId: "x", tokenEndpoint: "nonsense" },
      { clientId: "x", tokenEndpoint: "https://a.example", authMethod: "client_secret_post" },
      { clientId: "x", tokenEndpoint: "https://a.example", authorizationParams: { state: "mine" } },
      { clientId: "x", tokenEndpoint: "https://a.example", secret: "misspelt" },
      { clientId: "", tokenEndpoint: "https://a.example" },
    ]
    for (const body of wrong) expect([body, (await post("/oauth/clients", body)).status]).toEqual([body, 400])
  })
})

describe("a consent", () => {
  it("asks for what the document states, with PKCE and the one redirect URI", async () => {
    const flow = await startFlow()
    const url = new URL(flow["providerUrl"] ?? "")
    expect(`${url.origin}${url.pathname}`).toBe("https://idp.example/auth")
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      kept: "1",
      access_type: "offline",
      client_id: "tea-client",
      redirect_uri: "https://public.example/api/oauth/callback",
      scope: "read write:<all>",
      code_challenge_method: "S256",
      response_type: "code",
    })
    const one = await startFlow({ scopes: ["read"] })
    expect(new URL(one["providerUrl"] ?? "").searchParams.get("scope")).toBe("read")
    expect((await post("/oauth/start", { integration: "tea", scopes: ["a b"] })).status).toBe(400)
    expect((await post("/oauth/start", { integration: "nowhere" })).status).toBe(404)
    for (const resource of [
      "not a url",
      "/path",
      "javascript:alert(1)",
      "javascript://x/%0aalert(1)",
      "data:text/html,x",
      "https://a.example/#x",
      "https://u:p@a.example",
    ])
      expect([resource, (await post("/oauth/start", { integration: "tea", resource })).status]).toEqual([resource, 400])
    for (const resource of ["https://a.example/x?y=1", "api://d0e1", "urn:example:api"])
      expect(new URL((await startFlow({ resource }))["providerUrl"] ?? "").searchParams.get("resource")).toBe(resource)
  })

  it("for the tenant is an admin's to ask for, for oneself everybody's", async () => {
    expect(await post("/oauth/start", { integration: "tea" }, server.tokens.member)).toMatchObject({ status: 403 })
    expect(await post("/oauth/start", { integration: "tea" }, server.tokens.memberAgent)).toMatchObject({ status: 403 })
    expect(await post("/oauth/start", { integration: "tea", owner: "user" }, server.tokens.member)).toMatchObject({ status: 200 })
    const asClient = { integration: "tea", owner: "user", grant: "client_credentials" }
    expect(await post("/oauth/start", asClient, server.tokens.member)).toMatchObject({ status: 403 })
    expect(await post("/oauth/start", { integration: "tea" }, server.tokens.stranger)).toMatchObject({ status: 404 })
    expect(await post("/oauth/start", { integration: "tea" }, null)).toMatchObject({ status: 401 })
  })

  it("tells who asks for what, as data", async () => {
    const flow = await startFlow()
    const response = await fetchPage(pagePath(flow), { headers: await signIn(server.tokens.human) })
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(await response.json()).toMatchObject({
      connection: "tea.org.main",
      user: "local",
      askedBy: "human",
      provider: "idp.example",
      scopes: ["read", "write:<all>"],
      origins: ["https://tea.example"],
      replaces: null,
    })
  })

  it("sets a cookie for secure connections where the browser has one", async () => {
    const flow = await startFlow()
    const asProxy = { origin: "https://public.example", "x-forwarded-proto": "https" }
    const headers = { ...(await signIn(server.tokens.human, asProxy)), ...asProxy }
    const response = await fetchPage(pagePath(flow), { method: "POST", headers })
    expect(response.status).toBe(200)
    expect(response.headers.getSetCookie()[0]).toMatch(/; Path=\/api\/oauth; Max-Age=600; HttpOnly; SameSite=Strict; Secure$/)
    expect(await response.json()).toEqual({ providerUrl: flow["providerUrl"] })
  })

  it("is opened as the console, which is the same for everybody, and says what to do without scripts", async () => {
    const path = pagePath(await startFlow())
    const { cookie } = await signIn(server.tokens.human)
    const [stranger, human] = [await fetchPage(path), await fetchPage(path, { headers: { cookie } })]
    expect([stranger.status, human.status]).toEqual([200, 200])
    const withoutNonce = async (response: Response): Promise<string> => (await response.text()).replaceAll(/ nonce="[^"]+"/g, "")
    const text = await withoutNonce(stranger)
    expect(await withoutNonce(human)).toBe(text)
    for (const part of ["./executor", "<noscript>", "needs JavaScript"]) expect(text).toContain(part)
    for (const part of ["tea.org.main", "idp.example", "<form"]) expect(text).not.toContain(part)
    const policy = stranger.headers.get("content-security-policy") ?? ""
    for (const part of ["script-src 'self'", "form-action 'none'", "frame-ancestors 'none'"]) expect(policy).toContain(part)
    expect(policy).not.toContain("unsafe")
  })

  it("is nobody's who has the cookie without the key of its session", async () => {
    const flow = await startFlow()
    const [{ cookie, origin }, other] = [await signIn(server.tokens.human), await signIn(server.tokens.human)]
    const answer = `/api/oauth/callback?state=${new URL(flow["providerUrl"] ?? "").searchParams.get("state")}&code=x`
    for (const key of [undefined, "", "exk_guess", cookie.split("=")[1] ?? "", other["x-executor-session-key"]]) {
      const headers = { cookie, origin, ...(key === undefined ? {} : { "x-executor-session-key": key }) }
      for (const path of [pagePath(flow), "/api/oauth/go/flow_x", answer]) {
        const click = await fetchPage(path, { method: "POST", headers })
        expect([path, click.status, click.headers.getSetCookie()]).toEqual([path, 401, []])
        expect(await click.text()).toContain("run './executor web' to sign in again")
      }
      if (key !== undefined) expect((await fetchPage(pagePath(flow), { headers })).status).toBe(401)
    }
    const { "x-executor-session-key": key } = other
    const byToken = { authorization: `Bearer ${server.tokens.human}`, origin, "x-executor-session-key": key }
    for (const method of ["GET", "POST"]) expect((await fetchPage(pagePath(flow), { method, headers: byToken })).status).toBe(401)
    expect((await fetchPage(pagePath(flow), { method: "POST", headers: { ...other, origin: "" } })).status).toBe(403)
    expect((await fetchPage(pagePath(flow), { method: "POST", headers: other })).status).toBe(200)
  })

  it("turns away whoever is signed in as somebody else", async () => {
    const flow = await startFlow()
    const [own, other] = [await signIn(server.tokens.human), await signIn(server.tokens.colleague)]
    expect((await fetchPage(pagePath(flow), { headers: other })).status).toBe(403)
    const click = (headers: PageHeaders): Promise<Response> => fetchPage(pagePath(flow), { method: "POST", headers })
    const refused = await click(other)
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain("you are signed in as colleague")
    const accepted = await click(own)
    expect(accepted.status).toBe(200)
    const bound = accepted.headers.getSetCookie()[0]?.split(";")[0] ?? ""
    const state = new URL(flow["providerUrl"] ?? "").searchParams.get("state")
    const headers = { ...other, cookie: `${other.cookie}; ${bound}` }
    expect((await fetchPage(`/api/oauth/callback?state=${state}&code=x`, { method: "POST", headers })).status).toBe(403)
  })

  it("is not ended by opening the address to which the provider leads", async () => {
    const flow = await startFlow()
    const headers = await signIn(server.tokens.human)
    const bound = (await fetchPage(pagePath(flow), { method: "POST", headers })).headers.getSetCookie()[0]?.split(";")[0] ?? ""
    const state = new URL(flow["providerUrl"] ?? "").searchParams.get("state") ?? ""
    const path = `/api/oauth/callback?state=${state}&error=access_denied`
    const both = { ...headers, cookie: `${headers.cookie}; ${bound}` }
    const opened = await fetchPage(path, { headers: both })
    expect(opened.headers.getSetCookie()).toEqual([])
    expect(await opened.text()).not.toContain(state)
    const handedOver = await fetchPage(path, { method: "POST", headers: both })
    expect([handedOver.status, await handedOver.text()]).toEqual([403, expect.stringContaining("access_denied")])
  })
})
