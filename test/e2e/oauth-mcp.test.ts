// An MCP server that wants OAuth: nothing is configured but its address, and a consent brings its tools.
import { createServer, request as httpRequest } from "node:http"
import { afterAll, beforeAll, expect, test } from "vitest"
import { listen } from "../servers/listen.ts"
import type { Listening } from "../servers/listen.ts"
import { startMcpFixture } from "../servers/mcp-fixture.ts"
import type { McpFixture } from "../servers/mcp-fixture.ts"
import { startOidc } from "../servers/oidc.ts"
import type { Oidc } from "../servers/oidc.ts"
import { consentByHand, requireConsent } from "./oauth-consent.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let oidc: Oidc
let fixture: McpFixture
let door: Listening
let product: Product

/** Lets pass who has a good token, and tells the others where to get one. */
const createDoor = () =>
  createServer((incoming, outgoing) => {
    void (async () => {
      const json = (status: number, body: unknown, headers: Record<string, string> = {}): void =>
        void outgoing.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
      const resource = `${door.url}/mcp`
      if (incoming.url === "/about") return json(200, { resource, authorization_servers: [oidc.issuer], scopes_supported: ["read"] })
      const token = /^Bearer (.+)$/.exec(incoming.headers.authorization ?? "")?.[1] ?? ""
      if (token === "" || !(await oidc.knows(token)))
        return json(401, { error: "invalid_token" }, { "www-authenticate": `Bearer resource_metadata="${door.url}/about"` })
      const { authorization: _, ...headers } = incoming.headers
      const target = new URL(fixture.url)
      const passed = httpRequest(
        { host: target.hostname, port: target.port, path: target.pathname, method: incoming.method, headers },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
          answer.pipe(outgoing)
        },
      )
      passed.on("error", () => outgoing.destroy())
      outgoing.on("close", () => passed.destroy())
      incoming.pipe(passed)
    })()
  })

beforeAll(async () => {
  oidc = await startOidc({ redirectUris: ["http://127.0.0.1/unused"] })
  fixture = await startMcpFixture()
  door = await listen(createDoor())
  product = await startProduct({
    env: { EXECUTOR_ALLOW_PRIVATE_HOSTS: new URL(oidc.issuer).host, EXECUTOR_LIMITS: JSON.stringify({ oauthRenewGapMs: 0 }) },
  })
})
afterAll(async () => {
  await product.stop()
  await door.close()
  await fixture.close()
  await oidc.close()
})

test("it is found, consented to, called, and its token renewed after a refusal", async () => {
  await product.client.integrations.add({ slug: "guarded", kind: "mcp", config: { transport: "http", url: `${door.url}/mcp` } })
  expect(await product.client.oauth.probe({ integration: "guarded" })).toMatchObject({
    status: 401,
    resource: { resource: `${door.url}/mcp` },
  })

  const { providerUrl } = requireConsent(await product.client.oauth.start({ integration: "guarded" }))
  expect(new URL(providerUrl ?? "").searchParams.get("resource")).toBe(`${door.url}/mcp`)
  const callbackUrl = await consentByHand(providerUrl ?? "", `${product.url}/api/oauth/callback`)
  const connection = await product.client.oauth.complete({ callbackUrl })
  expect(connection).toMatchObject({ status: "ready", error: null })
  expect(connection.toolCount).toBeGreaterThan(3)

  const code = `return await tools.guarded.org.main.test_simple_text({})`
  const run = async (): Promise<unknown> => (await product.client.run(code, { autoApprove: true })).structured
  expect(await run()).toMatchObject({ result: { ok: true, data: "This is a simple text response for testing." } })
  const refreshes = (): number => oidc.ledger.filter((entry) => entry.grantType === "refresh_token").length
  oidc.forgetTokens()
  expect(await run()).toMatchObject({ result: { ok: true, data: "This is a simple text response for testing." } })
  expect(refreshes()).toBe(1)
  oidc.forgetTokens()
  oidc.revokeAll()
  expect(await run()).toMatchObject({
    result: { ok: false, error: { code: "auth_required", details: { connectUrl: expect.any(String) } } },
  })
})
