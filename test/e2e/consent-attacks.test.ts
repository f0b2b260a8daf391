// What a hostile client, a hostile page or a stolen token gets out of the authorization server: nothing.
import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { signInWithCode } from "./oauth-consent.ts"
import type { SignedIn } from "./oauth-consent.ts"
import { callTool, connectMcp } from "./mcp-client.ts"
import { startMcpServer } from "./mcp-server.ts"
import type { McpTestServer } from "./mcp-server.ts"

const redirectUri = "http://127.0.0.1:5999/callback"
const verifier = "v".repeat(50)
const challenge = createHash("sha256").update(verifier).digest("base64url")

let server: McpTestServer
let human: SignedIn
beforeAll(async () => {
  server = await startMcpServer({ limits: { agentRegistrationsPerAddressMax: 50 } })
  const { body } = await server.call("POST", "/api/sessions")
  human = await signInWithCode(server.url, (body as { code: string }).code) // as documented
})
afterAll(() => server.close())

type Json = Record<string, unknown>
type Answer = { readonly status: number; readonly headers: Headers; readonly body: Json }

async function request(method: string, path: string, init: { headers?: Record<string, string>; body?: string } = {}): Promise<Answer> {
  const response = await fetch(`${server.url}${path}`, { method, redirect: "manual", ...init })
  const text = await response.text()
  const isJson = response.headers.get("content-type") === "application/json"
  return { status: response.status, headers: response.headers, body: isJson ? (JSON.parse(text) as Json) : { text } } // as it says
}

const json = (body: unknown): { headers: Record<string, string>; body: string } => ({
  headers: { "content-type": "application/json" },
  body: typeof body === "string" ? body : JSON.stringify(body),
})
const form = (fields: Record<string, string>) => ({
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(fields).toString(),
})

async function register(name = "Client", redirectUris = [redirectUri]): Promise<string> {
  const { body } = await request("POST", "/register", json({ client_name: name, redirect_uris: redirectUris }))
  return String(body["client_id"])
}

const ask = (clientId: string, change: Record<string, string> = {}): string =>
  `/authorize?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    code_challenge: challenge,
    code_challenge_method: "S256",
    state: "s",
    resource: `${server.url}/mcp`,
    ...change,
  }).toString()}`

const shownOf = ({ body }: Answer): string => String((body["request"] as Json)["shown"]) // as the page reads it

async function allow(path: string, who: SignedIn = human): Promise<string> {
  const shown = shownOf(await request("GET", path, { headers: who }))
  const { headers, body } = json({ action: "allow", shown, patterns: null, elicitation: ["browser"] })
  const answer = await request("POST", path, { headers: { ...who, ...headers }, body })
  return new URL(String(answer.body["redirectTo"])).searchParams.get("code") ?? ""
}

const redeem = (clientId: string, code: string): Promise<Answer> =>
  request(
    "POST",
    "/token",
    form({ grant_type: "authorization_code", client_id: clientId, code, code_verifier: verifier, redirect_uri: redirectUri }),
  )

async function connect(): Promise<{ clientId: string; access: string; refresh: string }> {
  const clientId = await register()
  const { body } = await redeem(clientId, await allow(ask(clientId)))
  return { clientId, access: String(body["access_token"]), refresh: String(body["refresh_token"]) }
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const list = (token: string): Promise<Answer> =>
  request("POST", "/mcp", {
    headers: { authorization: `Bearer ${token}`, accept: "application/json, text/event-stream", "content-type": "application/json" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    }),
  })

const listed = `return JSON.stringify((await tools.executor.coreTools.integrations.list({})).data ?? null)`

/** What the official client is told. */
async function callExecute(token: string, code: string): Promise<Json> {
  const client = await connectMcp(`${server.url}/mcp`, { era: "modern", token })
  const { structured } = await callTool(client, "execute", { code })
  await client.close()
  return structured
}

describe("who comes without a token", () => {
  test.each(["/mcp", "/mcp/direct/ledger"])("%s says where to get one", async (path) => {
    const metadata = `${server.url}/.well-known/oauth-protected-resource${path}`
    const missing = await request("POST", path)
    expect(missing.status).toBe(401)
    expect(missing.headers.get("www-authenticate")).toBe(`Bearer realm="executor", scope="mcp", resource_metadata="${metadata}"`)
    const invalid = await request("POST", path, bearer("exa_nobody"))
    expect(invalid.status).toBe(401)
    expect(invalid.headers.get("www-authenticate")).toMatch(/^Bearer realm="executor", error="invalid_token", .* resource_metadata="/)
    expect((await request("GET", new URL(metadata).pathname)).body).toMatchObject({
      resource: `${server.url}${path}`,
      authorization_servers: [server.url],
    })
  })

  test("behind a proxy it is the public address that is named, whatever the proxy asks for", async () => {
    const behind = await startMcpServer({ publicUrl: "https://tools.example" })
    const refused = await fetch(`${behind.url}/mcp`, { method: "POST" })
    expect(refused.headers.get("www-authenticate")).toContain(
      `resource_metadata="https://tools.example/.well-known/oauth-protected-resource/mcp"`,
    )
    const metadata = await fetch(`${behind.url}/.well-known/oauth-protected-resource/mcp`)
    expect(await metadata.json()).toMatchObject({ resource: "https://tools.example/mcp", authorization_servers: ["https://tools.example"] })
    await behind.close()
  })

  test("the metadata names the endpoints, PKCE and both ways to be known", async () => {
    expect((await request("GET", "/.well-known/oauth-protected-resource")).body["resource"]).toBe(`${server.url}/mcp`)
    expect((await request("GET", "/.well-known/oauth-authorization-server")).body).toMatchObject({
      issuer: server.url,
      authorization_endpoint: `${server.url}/authorize`,
      token_endpoint: `${server.url}/token`,
      registration_endpoint: `${server.url}/register`,
      revocation_endpoint: `${server.url}/revoke`,
      code_challenge_methods_supported: ["S256"],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    })
  })
})

describe("the token of a consent", () => {
  test("works at /mcp and nowhere else", async () => {
    const { access, refresh } = await connect()
    expect((await list(access)).status).toBe(200)
    for (const path of ["/api/tools", "/api/tokens", "/api/executions", "/api/approvals", "/api/audit", "/api/nothing"])
      expect((await request("GET", path, bearer(access))).status, path).toBe(403)
    const { headers, body } = json({ name: "more", kind: "human" })
    expect((await request("POST", "/api/tokens", { headers: { ...headers, ...bearer(access).headers }, body })).status).toBe(403)
    // What a session opens, no token does.
    const asKey = { ...bearer(access).headers, "x-executor-session-key": access }
    expect((await request("GET", "/api/approvals", { headers: asKey })).status).toBe(403)
    expect((await request("GET", ask("any"), { headers: asKey })).status).toBe(401)
    expect((await list(refresh)).status).toBe(401)
  })

  test("for the pass-through of one integration reaches nothing else at /mcp", async () => {
    const clientId = await register("Direct")
    const { body } = await redeem(clientId, await allow(ask(clientId, { resource: `${server.url}/mcp/direct/ledger` })))
    const access = String(body["access_token"])
    expect((await list(access)).status).toBe(200)
    const seen = `return [...new Set((await tools.search({ query: "list create get item" })).items.map(({ path }) => path.split(".")[0]))]`
    expect((await callExecute(access, seen))["result"]).toEqual(["ledger"])
    expect((await callExecute(access, `return (await tools.executor.coreTools.integrations.list({})).error?.code`))["result"]).toBe(
      "tool_blocked",
    )
    // One without tools of that name has nothing.
    const nothing = await redeem(clientId, await allow(ask(clientId, { resource: `${server.url}/mcp/direct/shop` })))
    expect(
      (await callExecute(String(nothing.body["access_token"]), `return (await tools.search({ query: "item" })).items`))["result"],
    ).toEqual([])
  })

  test("is listed and revoked like any other, and refreshes no more", async () => {
    const { clientId, access, refresh } = await connect()
    const { body } = await server.call("GET", "/api/tokens?limit=500")
    const mine = (body as { items: { id: string; name: string }[] }).items.filter(({ name }) => name === "Client")
    for (const { id } of mine) expect((await server.call("DELETE", `/api/tokens/${id}`)).status).toBe(204)
    expect((await list(access)).status).toBe(401)
    const answer = await request("POST", "/token", form({ grant_type: "refresh_token", client_id: clientId, refresh_token: refresh }))
    expect([answer.status, answer.body["error"], answer.headers.get("cache-control")]).toEqual([400, "invalid_grant", "no-store"])
  })

  test("is given back by its client", async () => {
    const { clientId, access, refresh } = await connect()
    const answer = await request("POST", "/revoke", form({ token: refresh, client_id: clientId }))
    expect([answer.status, answer.body["text"]]).toEqual([200, ""])
    expect((await list(access)).status).toBe(401)
    expect((await request("POST", "/revoke", form({ token: "unknown" }))).status).toBe(200)
    expect((await request("POST", "/revoke", form({}))).status).toBe(400)
  })

  test("leaves nothing behind that waits in its name", async () => {
    const { clientId, access, refresh } = await connect()
    const waiting = await callExecute(access, `return await tools.ledger.items.create({ name: "later" }).unwrap()`)
    expect(waiting["status"]).toBe("waiting_for_interaction")
    const id = String(waiting["executionId"])
    expect((await server.call("GET", `/api/executions/${id}`)).body).toMatchObject({ status: "paused" })
    await request("POST", "/revoke", form({ token: refresh, client_id: clientId }))
    expect((await server.call("GET", `/api/executions/${id}`)).body).toMatchObject({ status: "cancelled" })
  })

  test("acts in the tenant of the human who allowed it, and for that human alone", async () => {
    const { body } = await server.call("POST", "/api/sessions", { token: server.tokens.stranger })
    const stranger = await signInWithCode(server.url, (body as { code: string }).code) // as documented
    const clientId = await register("Shared")
    const mine = await allow(ask(clientId))
    const theirs = await allow(ask(clientId), stranger)
    const [own, other] = [await redeem(clientId, mine), await redeem(clientId, theirs)]
    expect((await callExecute(String(own.body["access_token"]), listed))["result"]).toContain("ledger")
    expect((await callExecute(String(other.body["access_token"]), listed))["result"]).not.toContain("ledger")
    const names = async (token: string): Promise<string[]> =>
      ((await server.call("GET", "/api/tokens?limit=500", { token })).body as { items: { name: string }[] }).items.map(({ name }) => name)
    expect((await names(server.tokens.stranger)).filter((name) => name === "Shared")).toHaveLength(1)
    expect((await names(server.tokens.human)).filter((name) => name === "Shared")).toHaveLength(1)
    expect((await names(server.tokens.member)).filter((name) => name === "Shared")).toHaveLength(0)
    // What one human was shown is no decision of another.
    const path = ask(clientId)
    const shown = shownOf(await request("GET", path, { headers: human }))
    const decision = json({ action: "allow", shown, patterns: null, elicitation: [] })
    const crossed = await request("POST", path, { headers: { ...stranger, ...decision.headers }, body: decision.body })
    expect(crossed.status).toBe(409)
  })

  test("all of it is in the audit, with who it was", async () => {
    const clientId = await register("Audited")
    const code = await allow(ask(clientId))
    await redeem(clientId, code)
    await redeem(clientId, code)
    const { body } = await server.call("GET", "/api/audit?limit=50")
    const rows = (body as { items: { action: string; subject: string; outcome: string; principal: { user: string } }[] }).items
    const mine = rows.filter(({ subject }) => subject === "Audited").map((row) => `${row.action} ${row.principal.user} ${row.outcome}`)
    expect(mine.toReversed()).toEqual([
      "consent.register anonymous ok",
      "consent.allow local ok",
      "token.create local ok",
      "consent.replay local unauthorized",
    ])
  })
})

describe("the consent page", () => {
  test("shows nothing to a cookie without its key, and takes no decision from one", async () => {
    const path = ask(await register("Secret name"))
    const { "x-executor-session-key": _key, ...cookieOnly } = human
    const page = await request("GET", path, { headers: cookieOnly })
    expect([page.status, String(page.body["text"]).includes("Secret name")]).toEqual([200, false])
    const shown = shownOf(await request("GET", path, { headers: human }))
    expect(shown).toMatch(/^[0-9a-f]+$/)
    const { headers, body } = json({ action: "allow", shown, patterns: null, elicitation: [] })
    const { origin: _origin, ...withoutOrigin } = human
    for (const [who, status] of [
      [cookieOnly, 401],
      [withoutOrigin, 403],
      [{ ...human, origin: "http://evil.example" }, 403],
      [{ ...human, "x-executor-session-key": "exk_other" }, 401],
      [{ authorization: `Bearer ${server.tokens.human}`, origin: server.url }, 401],
      [{ authorization: `Bearer ${server.tokens.agent}`, origin: server.url }, 401],
    ] as const)
      expect((await request("POST", path, { headers: { ...who, ...headers }, body })).status).toBe(status)
  })

  test("takes a decision as its own script sends it, and no form of another site", async () => {
    const path = ask(await register())
    const { headers } = form({})
    expect((await request("POST", path, { headers: { ...human, ...headers }, body: "action=allow" })).status).toBe(400)
    for (const body of [
      {},
      { action: "allow" },
      { action: "allow", shown: "x", patterns: "all", elicitation: [] },
      { action: "maybe", shown: "" },
    ])
      expect((await request("POST", path, { headers: { ...human, ...json(body).headers }, body: JSON.stringify(body) })).status).toBe(400)
  })

  test.each([
    ["another address", { redirect_uri: "https://evil.example/callback" }],
    ["another path", { redirect_uri: "http://127.0.0.1:5999/other" }],
    ["user info", { redirect_uri: "http://127.0.0.1:5999@evil.example/callback" }],
    ["a fragment", { redirect_uri: `${redirectUri}#x` }],
    ["plain http", { redirect_uri: "http://evil.example/callback" }],
    ["our own pages", { redirect_uri: "OWN" }],
    ["our own pages by another name", { redirect_uri: "NAME" }],
    ["a private document", { client_id: "https://127.0.0.1/client.json" }],
    ["a document of the cloud's metadata", { client_id: "https://169.254.169.254/client.json" }],
    ["an unknown client", { client_id: "someone" }],
  ])("sends nobody on for %s", async (_, change) => {
    const named = server.url.replace("127.0.0.1", "localhost")
    const own: Record<string, string> = { OWN: `${server.url}/callback`, NAME: `${named}/callback` }
    const asked = "redirect_uri" in change ? { redirect_uri: own[change.redirect_uri] ?? change.redirect_uri } : change
    const clientId = await register("Client", [redirectUri, `${named}/callback`])
    const answer = await request("GET", ask(clientId, asked), { headers: human })
    expect(answer.status).toBe(400)
    // Neither an address to go back to nor anything to decide about.
    expect(answer.body).toEqual({ error: { code: "invalid_request", message: expect.any(String) } })
  })

  test("passes on what a client writes as data, and no markup of it or of ours", async () => {
    const name = `"><script>alert(1)</script><a href="javascript:alert(1)">`
    const path = ask(await register(name))
    const { headers, body } = await request("GET", path, { headers: human })
    expect(headers.get("content-type")).toBe("application/json")
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'")
    expect((body["request"] as Json)["clientName"]).toBe(name)
    const wrong = await request("GET", ask(await register(name), { resource: `https://evil.example/"><script>` }), { headers: human })
    expect(wrong.body["request"]).toMatchObject({
      kind: "problem",
      redirectTo: expect.stringMatching(/^http:\/\/127\.0\.0\.1:5999\/callback\?/),
    })
    // The page itself is the same for everybody.
    const page = await request("GET", path)
    expect(String(page.body["text"])).not.toMatch(/alert|client_id|exo_/)
  })

  test("an empty or repeated parameter reaches the server as it came", async () => {
    const path = ask(await register())
    for (const twice of [`${path}&client_id=other`, `${path}&state=`, `${path}&redirect_uri=${encodeURIComponent(redirectUri)}`]) {
      const { status, body } = await request("GET", twice, { headers: human })
      expect([status, body]).toMatchObject([400, { error: { message: expect.stringMatching(/twice/) } }])
    }
  })
})

describe("bodies", () => {
  test.each([
    ["/register", json("{")],
    ["/register", json([])],
    ["/register", json({ redirect_uris: ["javascript:alert(1)"] })],
    ["/register", json({ redirect_uris: Array.from({ length: 11 }, () => redirectUri) })],
    ["/register", form({ redirect_uris: redirectUri })],
    ["/token", json({ grant_type: "authorization_code" })],
    ["/token", form({ client_id: "x" })],
    ["/token", { ...form({}), body: "grant_type=refresh_token&grant_type=authorization_code&client_id=x" }],
  ])("%s %j is the client's mistake", async (path, init) => {
    const { status, body } = await request("POST", path, init)
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: expect.stringMatching(/^[a-z_]+$/), error_description: expect.any(String) })
  })

  test("are limited", async () => {
    expect((await request("POST", "/register", json({ redirect_uris: [redirectUri], x: "x".repeat(6000) }))).status).toBe(413)
    expect((await request("POST", "/token", form({ x: "x".repeat(40_000) }))).status).toBe(413)
    expect((await request("GET", "/token")).status).toBe(405)
  })

  test("many registrations have to wait", async () => {
    let answer = await request("POST", "/register", json({ redirect_uris: [redirectUri] }))
    for (let at = 0; at < 60 && answer.status === 201; at++)
      answer = await request("POST", "/register", json({ redirect_uris: [redirectUri] }))
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
  })
})
