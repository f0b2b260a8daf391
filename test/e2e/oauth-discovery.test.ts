// From a resource that only says "401" to a connection: discovery, registration, resource indicator.
import { createServer } from "node:http"
import { afterAll, beforeAll, expect, test } from "vitest"
import { listen } from "../servers/listen.ts"
import type { Listening } from "../servers/listen.ts"
import { startOidc } from "../servers/oidc.ts"
import type { Oidc } from "../servers/oidc.ts"
import { consentByHand, requireConsent } from "./oauth-consent.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let oidc: Oidc
let resource: Listening
let product: Product
const tokens: string[] = []

beforeAll(async () => {
  oidc = await startOidc({ redirectUris: ["http://127.0.0.1/unused"] })
  const server = createServer((request, response) => {
    const json = (status: number, body: unknown, headers: Record<string, string> = {}): void =>
      void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
    if (request.url === "/about")
      return json(200, { resource: resource.url, authorization_servers: [oidc.issuer], scopes_supported: ["read"] })
    const token = request.headers.authorization?.replace("Bearer ", "")
    if (token === undefined) return json(401, {}, { "www-authenticate": `Bearer resource_metadata="${resource.url}/about"` })
    tokens.push(token)
    json(200, { ok: true })
  })
  resource = await listen(server)
  product = await startProduct({ env: { EXECUTOR_ALLOW_PRIVATE_HOSTS: new URL(oidc.issuer).host } })
  const spec = {
    openapi: "3.1.0",
    info: { title: "Quiet", version: "1" },
    servers: [{ url: resource.url }],
    paths: { "/things": { get: { operationId: "things/list", responses: {} } } },
  }
  await product.client.integrations.add({ slug: "quiet", kind: "openapi", config: { spec } })
})
afterAll(async () => {
  await product.stop()
  await resource.close()
  await oidc.close()
})

test("a probe tells what the upstream wants", async () => {
  const expected = {
    status: 401,
    challenge: "Bearer",
    resource: { resource: resource.url, authorizationServers: [oidc.issuer], scopes: ["read"] },
    servers: [{ issuer: oidc.issuer, supportsRegistration: true, sendsIssuer: true }],
    problems: [],
  }
  expect(await product.client.oauth.probe({ integration: "quiet" })).toMatchObject(expected)
  expect(await product.client.oauth.probe({ url: `${resource.url}/things` })).toMatchObject(expected)
  expect(await product.client.oauth.probe({ url: "http://127.0.0.1:9/" })).toMatchObject({ status: null, servers: [], resource: null })
  for (const wrong of [{ url: "file:///etc/passwd" }, { url: "http://example.com/" }, { url: "http://169.254.169.254/latest" }])
    await expect(product.client.oauth.probe(wrong)).rejects.toMatchObject({ code: "invalid_request" })
})

test("an integration without a word about OAuth connects, registered and for this resource alone", async () => {
  const { providerUrl } = requireConsent(await product.client.oauth.start({ integration: "quiet" }))
  const asked = new URL(providerUrl ?? "").searchParams
  expect(asked.get("resource")).toBe(resource.url)
  expect(asked.get("scope")?.split(" ")).toEqual(expect.arrayContaining(["read", "offline_access"]))
  expect(asked.get("code_challenge_method")).toBe("S256")
  const callbackUrl = await consentByHand(providerUrl ?? "", `${product.url}/api/oauth/callback`)
  expect(await product.client.oauth.complete({ callbackUrl })).toMatchObject({ status: "ready", toolCount: 1, origins: [resource.url] })
  expect(oidc.ledger.at(-1)).toMatchObject({ grantType: "authorization_code", resource: resource.url, outcome: "granted" })
  const reply = await product.client.run(`return await tools.quiet.things.list({})`)
  expect(reply.structured).toMatchObject({ result: { ok: true } })
  expect(tokens).toHaveLength(1)
})

test("a token bound by hand replaces the grant, and the connection goes with all of it", async () => {
  const key = { integration: "quiet", owner: "org", name: "main" } as const
  const bound = await product.client.connections.update(key, { auth: { template: "oauth2", values: { token: "by-hand-token" } } })
  expect(bound).toMatchObject({ status: "ready" })
  await product.client.run(`return await tools.quiet.things.list({})`)
  expect(tokens.at(-1)).toBe("by-hand-token")
  await product.client.connections.remove(key)
  const [client] = (await product.client.oauth.clients.list()).items
  await product.client.oauth.clients.remove(client?.id ?? "")
  await expect(product.client.oauth.clients.remove(client?.id ?? "")).rejects.toMatchObject({ code: "not_found" })
  expect((await product.client.oauth.clients.list()).items).toEqual([])
})
