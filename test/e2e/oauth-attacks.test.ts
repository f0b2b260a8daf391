// What must not work: answers that are replayed, stolen, mixed up or forged, and links that lead elsewhere.
import { createServer } from "node:http"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { listen } from "../servers/listen.ts"
import { oidcClient, startOidc } from "../servers/oidc.ts"
import type { Oidc } from "../servers/oidc.ts"
import { createClient } from "../../src/surfaces/client/index.ts"
import { addGreetings, consentByHand, requireConsent, signInByHand } from "./oauth-consent.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
let oidc: Oidc
let other: Oidc
let session: Awaited<ReturnType<typeof signInByHand>>

beforeAll(async () => {
  product = await startProduct()
  const redirectUris = [`${product.url}/api/oauth/callback`]
  oidc = await startOidc({ redirectUris })
  other = await startOidc({ redirectUris })
  await addGreetings(product, oidc, "greetings")
  await addGreetings(product, other, "others")
  session = await signInByHand(product)
})
afterAll(async () => {
  await product.stop()
  await oidc.close()
  await other.close()
})

const start = async (integration = "greetings") => requireConsent(await product.client.oauth.start({ integration }))
const consent = async (providerUrl: string | null): Promise<URL> =>
  new URL(await consentByHand(providerUrl ?? "", `${product.url}/api/oauth/callback`))
const codeRequests = (): number => [...oidc.ledger, ...other.ledger].filter((entry) => entry.grantType === "authorization_code").length

type Click = { status: number; cookie: string; providerUrl: string }

/** The click on our page, as a signed-in browser sends it; answers the cookie. */
async function click(link: string, headers: Record<string, string> = session): Promise<Click> {
  const response = await fetch(link, { method: "POST", redirect: "manual", headers })
  const cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? ""
  const { providerUrl = "" } = (await response.json()) as { providerUrl?: string } // missing in a refusal
  return { status: response.status, cookie, providerUrl }
}

const open = (link: string): Promise<Response> => fetch(link, { headers: session })

/** What the page that the provider leads to does; `cookie` beside that of the session. */
async function callBack(url: URL, cookie = ""): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(url, { method: "POST", headers: { ...session, cookie: `${session.cookie}; ${cookie}` } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe("a provider's answer", () => {
  test("counts in the browser that began, once, and in no other", async () => {
    const started = await start()
    const { cookie, providerUrl } = await click(started.authorizationUrl)
    expect(cookie).toMatch(/^executor_oauth_\w+=browser_/)
    const answer = await consent(providerUrl)
    const before = codeRequests()
    for (const wrong of ["", "executor_oauth_0123456789abcdef=browser_x", `${cookie}x`, cookie.replace(/=.*/, "=")]) {
      expect(await callBack(answer, wrong)).toMatchObject({ status: 403, text: expect.stringContaining("another browser") })
    }
    expect(codeRequests()).toBe(before)
    expect(await click(started.authorizationUrl)).toMatchObject({ status: 409, cookie: "" })
    expect(await callBack(answer, cookie)).toMatchObject({ status: 200, text: expect.stringContaining(`"status":"ready"`) })
    expect(await callBack(answer, cookie)).toMatchObject({ status: 409, text: expect.stringContaining("already been used") })
    expect(codeRequests()).toBe(before + 1)
    expect((await open(started.authorizationUrl)).status).toBe(409)
  })

  test("without a known state is nobody's", async () => {
    const callback = `${product.url}/api/oauth/callback`
    for (const query of ["", "?state=", "?code=x", "?state=forged&code=x", "?state=a&state=b&code=x", "?error=access_denied"])
      expect(await callBack(new URL(callback + query))).toMatchObject({
        status: 404,
        text: expect.stringContaining("This request to connect does not exist"),
      })
  })

  test("is told as data, whatever it says", async () => {
    const started = await start()
    const { cookie, providerUrl } = await click(started.authorizationUrl)
    const state = new URL(providerUrl).searchParams.get("state") ?? ""
    const query = new URLSearchParams({ state, iss: oidc.issuer, error: "access_denied", error_description: "<script>alert(1)</script>" })
    const { status, headers, text } = await callBack(new URL(`${product.url}/api/oauth/callback?${query.toString()}`), cookie)
    expect(status).toBe(403)
    expect([headers.get("content-type"), headers.get("x-content-type-options")]).toEqual(["application/json", "nosniff"])
    expect(JSON.parse(text)).toMatchObject({ error: { code: "forbidden", message: expect.stringContaining("<script>") } })
  })

  test("of another issuer, or of none where one is due, sends no code anywhere", async () => {
    for (const iss of [other.issuer, `${oidc.issuer}/`, "", null]) {
      const started = await start()
      const answer = await consent(started.providerUrl)
      expect(answer.searchParams.get("iss")).toBe(oidc.issuer)
      answer.searchParams.delete("iss")
      if (iss !== null) answer.searchParams.set("iss", iss)
      const before = codeRequests()
      await expect(product.client.oauth.complete({ callbackUrl: answer.href })).rejects.toMatchObject({ code: "invalid_request" })
      expect(codeRequests()).toBe(before)
    }
  })

  test("of one provider is not taken for another's", async () => {
    const [mine, theirs] = [await start("greetings"), await start("others")]
    const stolen = await consent(mine.providerUrl)
    const state = new URL(theirs.providerUrl ?? "").searchParams.get("state") ?? ""
    const before = codeRequests()
    stolen.searchParams.set("state", state)
    await expect(product.client.oauth.complete({ callbackUrl: stolen.href })).rejects.toThrow(/issuer/)
    expect(codeRequests()).toBe(before)
    const code = stolen.searchParams.get("code") ?? ""
    await expect(product.client.oauth.complete({ state, code, iss: other.issuer })).rejects.toMatchObject({ code: "conflict" })
  })

  test("with another's code is refused by the provider, because of PKCE", async () => {
    const [first, second] = [await start(), await start()]
    const stolen = (await consent(first.providerUrl)).searchParams.get("code") ?? ""
    const answer = await consent(second.providerUrl)
    answer.searchParams.set("code", stolen)
    await expect(product.client.oauth.complete({ callbackUrl: answer.href })).rejects.toMatchObject({ code: "forbidden" })
  })

  test("is finished by the token that asked, not by another of the same human, nor by an agent", async () => {
    const started = await start()
    const answer = await consent(started.providerUrl)
    for (const kind of ["human", "agent"] as const) {
      const { token } = await product.client.tokens.create({ name: kind, kind })
      const client = createClient({ origin: `${product.url}/api`, token })
      await expect(client.oauth.complete({ callbackUrl: answer.href })).rejects.toMatchObject({
        code: kind === "human" ? "not_found" : "forbidden",
      })
    }
    const secrets = (): unknown[] => {
      const database = new DatabaseSync(join(product.dataDir, "executor.db"), { readOnly: true })
      const rows = database.prepare("select ref from credentials where ref = ?").all(`oauth-flow:${started.flowId}`)
      database.close()
      return rows
    }
    expect(secrets()).toHaveLength(1)
    expect(await product.client.oauth.complete({ callbackUrl: answer.href })).toMatchObject({ status: "ready" })
    expect(secrets()).toEqual([])
  })
})

describe("a link", () => {
  test("changes nothing until it is clicked on our own page", async () => {
    const started = await start()
    const shown = await open(started.authorizationUrl)
    expect(shown.status).toBe(200)
    expect(shown.headers.getSetCookie()).toEqual([])
    const policy = (await fetch(started.authorizationUrl)).headers.get("content-security-policy")
    for (const part of ["frame-ancestors 'none'", "form-action 'none'"]) expect(policy).toContain(part)
    for (const origin of ["https://evil.example", "null"])
      expect((await click(started.authorizationUrl, { ...session, origin })).status).toBe(403)
    const { origin: _origin, ...nowhere } = session
    expect((await click(started.authorizationUrl, nowhere)).status).toBe(403)
    expect((await click(started.authorizationUrl)).status).toBe(200)
  })

  test("that nobody made leads nowhere", async () => {
    for (const path of ["go/flow_x", "connect/connect_x", "go/%00", "go/..%2f..", "connect/' or 1=1"])
      expect((await open(`${product.url}/api/oauth/${path}`)).status).toBe(404)
  })

  test("leads back to this server and nowhere else", async () => {
    const evil = [
      "https://evil.example",
      "//evil.example",
      "/\\evil.example",
      "\\\\evil.example",
      "javascript:alert(1)",
      "/a\nb",
      "evil",
      "/\t/evil.example",
    ]
    for (const redirectTo of evil)
      await expect(product.client.oauth.start({ integration: "greetings", redirectTo })).rejects.toMatchObject({ code: "invalid_request" })
  })

  test("asked for by an agent shows the human who asks, and the agent nothing more", async () => {
    const { token } = await product.client.tokens.create({ name: "agent", kind: "agent" })
    const agent = createClient({ origin: `${product.url}/api`, token })
    const reply = await agent.run(`return await tools.executor.coreTools.oauth.start({ integration: "greetings", name: "asked" })`)
    const { result } = reply.structured as unknown as { result: { ok: boolean; data: { authorizationUrl: string; providerUrl: null } } }
    expect(result).toMatchObject({ ok: true, data: { status: "consent_required", providerUrl: null } })
    expect(await (await open(result.data.authorizationUrl)).json()).toMatchObject({ askedBy: "agent", user: "local" })
    await expect(agent.oauth.start({ integration: "greetings", grant: "client_credentials" })).rejects.toMatchObject({ code: "forbidden" })
    await expect(agent.oauth.clients.list()).rejects.toMatchObject({ code: "forbidden" })
    await expect(agent.oauth.probe({ integration: "greetings" })).rejects.toMatchObject({ code: "forbidden" })
  })
})

describe("an agent", () => {
  test("cannot finish a consent by itself, with the link that it asked for or with one to connect again", async () => {
    const { token } = await product.client.tokens.create({ name: "unaided-agent", kind: "agent" })
    const agent = createClient({ origin: `${product.url}/api`, token })
    const { authorizationUrl } = requireConsent(await agent.oauth.start({ integration: "greetings", name: "unaided" }))
    const guesses = [
      { origin: product.url },
      { origin: product.url, authorization: `Bearer ${token}` },
      { origin: product.url, cookie: "executor_session=x" },
    ]
    for (const headers of guesses) {
      const shown = await fetch(authorizationUrl, { headers })
      expect(await shown.text()).not.toContain("unaided")
      expect((await fetch(authorizationUrl, { headers: { ...headers, "x-executor-session-key": "exk_x" } })).status).toBe(401)
      expect(await click(authorizationUrl, headers)).toMatchObject({ status: 401, cookie: "", providerUrl: "" })
      expect(await click(`${product.url}/api/oauth/go/flow_x`, headers)).toMatchObject({ status: 401, cookie: "" })
    }
  })

  test("cannot ask for a consent that replaces what a human bound", async () => {
    await product.client.connections.create({
      integration: "greetings",
      name: "mine",
      auth: { template: "bearer", values: { token: "a-humans-own-token" } },
    })
    const { token } = await product.client.tokens.create({ name: "taker", kind: "agent" })
    const agent = createClient({ origin: `${product.url}/api`, token })
    await expect(agent.oauth.start({ integration: "greetings", name: "mine" })).rejects.toMatchObject({ code: "forbidden" })
    const reply = await agent.run(`return await tools.executor.coreTools.oauth.start({ integration: "greetings", name: "mine" })`)
    expect(reply.structured).toMatchObject({ result: { ok: false, error: { code: "tool_blocked" } } })
    const started = requireConsent(await product.client.oauth.start({ integration: "greetings", name: "mine" }))
    expect(await (await open(started.authorizationUrl)).json()).toMatchObject({
      connection: "greetings.org.mine",
      replaces: "bearer",
      client: expect.stringContaining(oidcClient.clientId),
    })
  })
})

describe("a provider", () => {
  test("whose metadata names another issuer is not trusted", async () => {
    const liar = await startOidc({ redirectUris: ["http://127.0.0.1/"], metadata: { issuer: "https://accounts.example.com" } })
    await expect(product.client.oauth.clients.create({ ...oidcClient, issuer: liar.issuer })).rejects.toThrow(/another issuer/)
    await liar.close()
  })

  test("whose endpoints are not secure, or that knows no PKCE, is not used", async () => {
    for (const metadata of [
      { token_endpoint: "http://tokens.example.com/" },
      { authorization_endpoint: "javascript:alert(1)" },
      { token_endpoint: 5 },
      { code_challenge_methods_supported: ["plain"] },
    ]) {
      const weak = await startOidc({ redirectUris: ["http://127.0.0.1/"], metadata })
      await expect(product.client.oauth.clients.create({ ...oidcClient, issuer: weak.issuer })).rejects.toMatchObject({
        code: "invalid_request",
      })
      await weak.close()
    }
    const create = (fields: Record<string, string>) => product.client.oauth.clients.create({ clientId: "x", ...fields })
    await expect(create({ tokenEndpoint: "http://tokens.example.com/" })).rejects.toThrow(/https/)
    await expect(create({ issuer: "https://user:pw@idp.example.com" })).rejects.toThrow(/user info/)
    await expect(create({})).rejects.toMatchObject({ code: "invalid_request" })
  })

  test("that redirects its metadata, or names a private address, reaches nothing", async () => {
    const seen: string[] = []
    const inner = await listen(createServer((request, response) => void (seen.push(request.url ?? ""), response.end("{}"))))
    const outer = await listen(
      createServer((request, response) => void response.writeHead(302, { location: `${inner.url}${request.url}` }).end()),
    )
    await expect(product.client.oauth.clients.create({ clientId: "x", issuer: outer.url })).rejects.toMatchObject({
      code: expect.any(String),
    })
    const naming = await startOidc({ redirectUris: ["http://127.0.0.1/"], metadata: { token_endpoint: `${inner.url}/token` } })
    const client = await product.client.oauth.clients.create({ ...oidcClient, issuer: naming.issuer })
    const asClient = { integration: "greetings", name: "inner", client: client.id, grant: "client_credentials" } as const
    await expect(product.client.oauth.start(asClient)).rejects.toMatchObject({ code: "upstream_unreachable" })
    expect(seen).toEqual([])
    for (const one of [naming, inner, outer]) await one.close()
  })
})
