// Token requests over real sockets: what is sent, and what providers answer in the place of the standard.
import { createServer } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { listen } from "../../../test/servers/listen.ts"
import type { Listening } from "../../../test/servers/listen.ts"
import { defaultLimits } from "../../core/limits.ts"
import type { OauthAuthMethod, OauthServer } from "../../core/oauth.ts"
import { createNetwork } from "../../io/network/guarded-fetch.ts"
import { silentLog } from "../../io/log.ts"
import { exchangeCode, refreshTokens, requestClientToken } from "./token-request.ts"
import type { TokenTarget } from "./token-request.ts"

type Seen = { readonly authorization: string | undefined; readonly body: URLSearchParams }
let address: Listening
let answer: { status: number; text: string; type: string }
const seen: Seen[] = []

beforeAll(async () => {
  const server = createServer((request, response) => {
    void (async () => {
      let text = ""
      for await (const chunk of request) text += String(chunk)
      seen.push({ authorization: request.headers.authorization, body: new URLSearchParams(text) })
      response.writeHead(answer.status, { "content-type": answer.type }).end(answer.text)
    })()
  })
  address = await listen(server)
})
afterAll(() => address.close())

const say = (status: number, body: unknown, type = "application/json"): void => {
  answer = { status, type, text: typeof body === "string" ? body : JSON.stringify(body) }
}

const network = () => {
  const { outbound } = createNetwork({ allowPrivateHosts: [], trustLiteralUrls: true, limits: defaultLimits, log: silentLog })
  return { outbound: (literalUrls: string[]) => outbound({ literalUrls }), limits: defaultLimits }
}
const reach = () => ({ outbound: network().outbound([address.url]), limits: defaultLimits })

const target = (change: Partial<OauthServer> = {}, authMethod: OauthAuthMethod = "client_secret_basic"): TokenTarget => ({
  resource: null,
  client: { clientId: "me & you", secret: authMethod === "none" ? null : "s3cr3t/+", authMethod },
  server: {
    issuer: address.url,
    authorizationEndpoint: `${address.url}/auth`,
    tokenEndpoint: `${address.url}/token`,
    registrationEndpoint: null,
    scopesSupported: [],
    authMethods: [],
    sendsIssuer: false,
    ...change,
  },
})

const code = (answered: Record<string, string>) => ({
  answer: new URLSearchParams(answered),
  state: "the state",
  verifier: "v".repeat(43),
  redirectUri: "http://127.0.0.1/api/oauth/callback",
})

describe("a token request", () => {
  it("carries the verifier, the redirect URI and the resource", async () => {
    say(200, { access_token: "at", token_type: "Bearer", expires_in: 60, refresh_token: "rt" })
    const granted = await exchangeCode(
      code({ state: "the state", code: "abc" }),
      { ...target(), resource: "https://api.example.com" },
      reach(),
    )
    expect(granted).toEqual({ status: "granted", tokens: { accessToken: "at", refreshToken: "rt", lifetimeMs: 60_000, scopes: null } })
    expect(Object.fromEntries(seen.at(-1)?.body ?? [])).toEqual({
      grant_type: "authorization_code",
      code: "abc",
      redirect_uri: "http://127.0.0.1/api/oauth/callback",
      code_verifier: "v".repeat(43),
      resource: "https://api.example.com",
    })
    await refreshTokens("rt", { ...target(), resource: "https://api.example.com" }, reach())
    expect(seen.at(-1)?.body.get("resource")).toBe("https://api.example.com")
    await requestClientToken(["a", "b"], { ...target(), resource: "https://api.example.com" }, reach())
    expect(Object.fromEntries(seen.at(-1)?.body ?? [])).toEqual({
      grant_type: "client_credentials",
      scope: "a b",
      resource: "https://api.example.com",
    })
  })

  it("proves the client in the way that was agreed", async () => {
    say(200, { access_token: "at", token_type: "bearer" })
    await refreshTokens("rt", target({}, "client_secret_basic"), reach())
    expect(seen.at(-1)?.authorization?.startsWith("Basic ")).toBe(true)
    expect(seen.at(-1)?.body.has("client_secret")).toBe(false)
    await refreshTokens("rt", target({}, "client_secret_post"), reach())
    expect(seen.at(-1)).toMatchObject({ authorization: undefined })
    expect(seen.at(-1)?.body.get("client_secret")).toBe("s3cr3t/+")
    await refreshTokens("rt", target({}, "none"), reach())
    expect(seen.at(-1)?.body.get("client_id")).toBe("me & you")
  })
})

describe("an authorization answer", () => {
  it("is refused, and no code sent, unless it fits the request", async () => {
    const before = seen.length
    const wrong: [Record<string, string>, Partial<OauthServer>][] = [
      [{ state: "another", code: "abc" }, {}],
      [{ code: "abc" }, {}],
      [{ state: "the state", code: "abc", iss: "https://evil.example" }, {}],
      [{ state: "the state", code: "abc", iss: "https://evil.example" }, { issuer: null }],
      [{ state: "the state", code: "abc" }, { sendsIssuer: true }],
      [{ state: "the state", code: "abc", response: "jarm" }, {}],
      [{ state: "the state", code: "abc", error: "access_denied" }, {}],
    ]
    for (const [answered, change] of wrong) {
      await expect(exchangeCode(code(answered), target(change), reach())).rejects.toMatchObject({ name: "ExecutorError" })
    }
    expect(seen.length).toBe(before)
    say(200, { access_token: "at" })
    const own = await exchangeCode(code({ state: "the state", code: "abc", iss: address.url }), target({ issuer: null }), reach())
    expect(own.status).toBe("granted")
  })
})

describe("a token answer", () => {
  it("is understood as real providers write it", async () => {
    const answers: [number, unknown, object][] = [
      [
        200,
        { access_token: "at" },
        { status: "granted", tokens: { accessToken: "at", refreshToken: null, lifetimeMs: null, scopes: null } },
      ],
      [
        200,
        { access_token: "at", token_type: "bearer", expires_in: "3600", refresh_token: null, scope: ["a"], id_token: "not.a.jwt" },
        { tokens: { lifetimeMs: 3_600_000 } },
      ],
      [
        200,
        { error: "bad_verification_code", error_description: "The code has expired" },
        { status: "refused", reason: "bad_verification_code: The code has expired" },
      ],
      [400, { error: "invalid_grant" }, { status: "refused", reason: "invalid_grant", what: "grant" }],
      [401, { error: "invalid_client" }, { status: "refused", what: "client" }],
      [400, { error: "invalid_scope" }, { status: "refused", what: "request" }],
      [200, { access_token: "at", expires_in: 1e300 }, { tokens: { lifetimeMs: 315_360_000_000 } }],
      [200, { access_token: "at", expires_in: -5 }, { tokens: { lifetimeMs: null } }],
      [400, { error: "temporarily_unavailable" }, { status: "unavailable" }],
      [503, { error: "invalid_grant" }, { status: "unavailable" }],
      [429, { error: "rate" }, { status: "unavailable" }],
      [500, "<html>", { status: "unavailable" }],
      [200, "<html>", { status: "unavailable" }],
      [200, [], { status: "unavailable" }],
      [200, { access_token: 5 }, { status: "unavailable" }],
      [200, { access_token: "at", token_type: "BEARER" }, { status: "granted" }],
      [
        200,
        { access_token: "at", token_type: "DPoP" },
        { status: "refused", reason: expect.stringContaining("type DPoP"), what: "request" },
      ],
      [302, "", { status: "unavailable" }],
    ]
    for (const [status, body, expected] of answers) {
      say(status, body)
      expect([body, await refreshTokens("rt", target(), reach())]).toMatchObject([body, expected])
    }
  })

  it("does not give away what was sent, nor more than a line", async () => {
    say(400, { error: "invalid_grant", error_description: `the token refresh-token-value and s3cr3t/+ \n\u001b[31m${"x".repeat(5000)}` })
    const refused = await refreshTokens("refresh-token-value", target(), reach())
    const text = JSON.stringify(refused)
    expect(text).not.toContain("refresh-token-value")
    expect(text).not.toContain("s3cr3t")
    expect(text.length).toBeLessThan(400)
    expect(text).not.toContain("u001b")
  })

  it("of a provider that cannot be reached is none", async () => {
    expect(await refreshTokens("rt", target(), { outbound: network().outbound([]), limits: defaultLimits })).toMatchObject({
      status: "unavailable",
    })
  })
})
