// An OpenID provider that answers as a test tells it to, also wrongly: it signs whatever it is given.
import { generateKeyPairSync, sign } from "node:crypto"
import { createServer } from "node:http"
import type { ServerResponse } from "node:http"
import { listen } from "./listen.ts"

type Json = Readonly<Record<string, unknown>>

export type LyingProvider = {
  readonly issuer: string
  /** What the next answers are made of; `nonce` is filled in by whoever knows it. */
  claims: Json
  header: Json
  /** Of the ID token: by default the key that the provider publishes. */
  signature: "good" | "none" | "foreign"
  metadata: Json
  userinfo: Json
  /** Answers in the place of the token endpoint. */
  token: ((response: ServerResponse) => void) | null
  readonly ledger: string[]
  close(): Promise<void>
}

const keys = generateKeyPairSync("rsa", { modulusLength: 2048 })
const foreign = generateKeyPairSync("rsa", { modulusLength: 2048 })

export async function startLyingProvider(clientId: string): Promise<LyingProvider> {
  const server = createServer()
  const { url, close } = await listen(server)
  const provider: LyingProvider = {
    issuer: url,
    claims: {},
    header: { alg: "RS256", kid: "one" },
    signature: "good",
    metadata: {},
    userinfo: {},
    token: null,
    ledger: [],
    close,
  }
  const idToken = (): string => {
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: url, aud: clientId, sub: "mallory", iat: now, exp: now + 300, ...provider.claims }
    const signed = [provider.header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")
    if (provider.signature === "none") return `${signed}.`
    const key = provider.signature === "good" ? keys.privateKey : foreign.privateKey
    return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`
  }
  const metadata = (): Json => ({
    issuer: url,
    authorization_endpoint: `${url}/auth`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    userinfo_endpoint: `${url}/userinfo`,
    id_token_signing_alg_values_supported: ["RS256"],
    ...provider.metadata,
  })
  server.on("request", (request, response) => {
    const path = new URL(request.url ?? "/", url).pathname
    provider.ledger.push(path)
    const json = (value: unknown): unknown => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value))
    if (path === "/.well-known/openid-configuration") return json(metadata())
    if (path === "/jwks") return json({ keys: [{ ...keys.publicKey.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" }] })
    if (path === "/userinfo") return json({ sub: provider.claims["sub"] ?? "mallory", ...provider.userinfo })
    if (path !== "/token") return response.writeHead(404).end()
    if (provider.token !== null) return provider.token(response)
    return json({ access_token: "x", token_type: "Bearer", id_token: idToken() })
  })
  return provider
}
