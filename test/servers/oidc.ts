// A real OpenID provider with an API behind it, and a ledger of the token requests it saw.
import { createServer } from "node:http"
import type { ServerResponse } from "node:http"
import { Provider } from "oidc-provider"
import { listen } from "./listen.ts"

export type TokenRequest = { readonly grantType: string; readonly resource: string | null; readonly outcome: "granted" | "refused" }
export type ApiRequest = { readonly method: string; readonly token: string; readonly status: number }

export type Oidc = {
  readonly issuer: string
  /** The API's document; its only server is the API. */
  readonly document: Record<string, unknown>
  readonly apiUrl: string
  readonly ledger: TokenRequest[]
  readonly apiLedger: ApiRequest[]
  /** Whether a token is good now. */
  knows(token: string): Promise<boolean>
  /** How long tokens live that are issued from now on. */
  accessTokenSeconds: number
  /** The API refuses tokens issued until now. */
  forgetTokens(): void
  /** As if the human had withdrawn the consent. */
  revokeAll(): void
  /** Grants again what it is asked for from now on. */
  restore(): void
  /** What the API waits for before it answers; for tests that must be in the middle of a call. */
  holdApi: Promise<void> | null
  /** What the token endpoint waits for before it looks at a request; a client that left by then was never there. */
  holdTokens: Promise<void> | null
  /** How many requests wait there. */
  readonly heldTokens: number
  close(): Promise<void>
}

export const oidcClient = { clientId: "executor-test", clientSecret: "a secret of the tests only, long enough" }

export type OidcOptions = {
  readonly redirectUris: readonly string[]
  /** Metadata members that are changed on the way out, for a provider that lies. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

export async function startOidc(options: OidcOptions): Promise<Oidc> {
  const server = createServer()
  const address = await listen(server)
  const ledger: TokenRequest[] = []
  const apiLedger: ApiRequest[] = []
  const revoked = new Set<string>()
  const issued = new Set<string>()
  const state = { accessTokenSeconds: 3600, holdApi: null as Promise<void> | null, holdTokens: null as Promise<void> | null }
  /** Those that wait at the token endpoint, for as long as their clients do. */
  const held = new Set<ServerResponse>()
  const provider = createProvider(address.url, options, () => state.accessTokenSeconds)
  const record =
    (outcome: TokenRequest["outcome"]) => (context: { body: Record<string, unknown>; oidc: { params?: Record<string, unknown> } }) => {
      const params = context.oidc.params ?? {}
      ledger.push({
        grantType: String(params["grant_type"]),
        resource: typeof params["resource"] === "string" ? params["resource"] : null,
        outcome,
      })
      if (typeof context.body["access_token"] === "string") issued.add(context.body["access_token"])
    }
  provider.on("grant.success", record("granted"))
  provider.on("grant.error", record("refused"))
  const serveProvider = provider.callback()
  let consentsWithdrawn = false
  server.on("request", (request, response) => {
    if (consentsWithdrawn && request.url === "/token") {
      ledger.push({ grantType: "refresh_token", resource: null, outcome: "refused" })
      return void response
        .writeHead(400, { "content-type": "application/json" })
        .end(JSON.stringify({ error: "invalid_grant", error_description: "grant was revoked" }))
    }
    if (options.metadata !== undefined && request.url?.startsWith("/.well-known/")) {
      const metadata = {
        issuer: address.url,
        authorization_endpoint: `${address.url}/auth`,
        token_endpoint: `${address.url}/token`,
        ...options.metadata,
      }
      return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(metadata))
    }
    if (state.holdTokens === null || request.url !== "/token") return serveProvider(request, response)
    held.add(response)
    response.once("close", () => held.delete(response))
    void state.holdTokens.then(() => {
      if (held.delete(response)) serveProvider(request, response)
    })
  })

  const knows = async (token: string): Promise<boolean> =>
    !revoked.has(token) &&
    ((await provider.AccessToken.find(token)) !== undefined || (await provider.ClientCredentials.find(token)) !== undefined)
  const api = createServer((request, response) => {
    void (async () => {
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? ""
      const isKnown = token !== "" && (await knows(token))
      apiLedger.push({ method: request.method ?? "", token, status: isKnown ? 200 : 401 })
      await state.holdApi
      const body = isKnown ? { hello: "world", token } : { message: "The token is not valid" }
      response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" }).end(JSON.stringify(body))
    })()
  })
  const apiAddress = await listen(api)

  return {
    issuer: address.url,
    apiUrl: apiAddress.url,
    document: documentFor(apiAddress.url, address.url),
    ledger,
    apiLedger,
    knows,
    get accessTokenSeconds() {
      return state.accessTokenSeconds
    },
    set accessTokenSeconds(seconds) {
      state.accessTokenSeconds = seconds
    },
    get holdApi() {
      return state.holdApi
    },
    set holdApi(hold) {
      state.holdApi = hold
    },
    get holdTokens() {
      return state.holdTokens
    },
    set holdTokens(hold) {
      state.holdTokens = hold
    },
    get heldTokens() {
      return held.size
    },
    forgetTokens() {
      for (const token of issued) revoked.add(token)
    },
    revokeAll() {
      consentsWithdrawn = true
    },
    restore() {
      consentsWithdrawn = false
    },
    async close() {
      await apiAddress.close()
      await address.close()
    },
  }
}

const createProvider = (issuer: string, options: OidcOptions, accessTokenSeconds: () => number): Provider =>
  new Provider(issuer, {
    clients: [
      {
        client_id: oidcClient.clientId,
        client_secret: oidcClient.clientSecret,
        redirect_uris: [...options.redirectUris],
        grant_types: ["authorization_code", "refresh_token", "client_credentials"],
        response_types: ["code"],
        application_type: "native",
      },
    ],
    scopes: ["openid", "offline_access", "read"],
    cookies: { keys: ["only for tests"] },
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      clientCredentials: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        getResourceServerInfo: () => ({ scope: "read", accessTokenFormat: "opaque", accessTokenTTL: accessTokenSeconds() }),
      },
    },
    rotateRefreshToken: () => true,
    ttl: {
      AccessToken: accessTokenSeconds,
      ClientCredentials: accessTokenSeconds,
      AuthorizationCode: () => 60,
      RefreshToken: () => 86_400,
      Grant: () => 86_400,
      Interaction: () => 600,
      Session: () => 86_400,
      IdToken: () => 3600,
    },
    pkce: { required: () => true },
  })

const documentFor = (apiUrl: string, issuer: string): Record<string, unknown> => ({
  openapi: "3.1.0",
  info: { title: "Greetings", version: "1" },
  servers: [{ url: apiUrl }],
  security: [{ oidc: [] }],
  components: { securitySchemes: { oidc: { type: "openIdConnect", openIdConnectUrl: `${issuer}/.well-known/openid-configuration` } } },
  paths: {
    "/greeting": {
      get: { operationId: "greetings/get", summary: "Read a greeting", responses: { 200: { description: "ok" } } },
      post: { operationId: "greetings/send", summary: "Send a greeting", responses: { 200: { description: "ok" } } },
    },
  },
})
