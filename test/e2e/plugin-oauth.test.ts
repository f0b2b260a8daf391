// A plugin whose token comes from a real OAuth provider: consent, call, and renewal.
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { oidcClient, startOidc } from "../servers/oidc.ts"
import type { Oidc } from "../servers/oidc.ts"
import { connectByHand, expireTokens } from "./oauth-consent.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const config = `
import { definePlugin, defineTool, ToolError } from "toolplane/plugin"
import { z } from "zod"

const seed = definePlugin({
  id: "my-service",
  name: "My Service",
  description: "Tools for My Service",
  authProviders: [{ id: "my-service", type: "oauth2", provider: "my-service", scopes: ["read"] }],
  tools: [defineTool({ path: "my_service.items.list", name: "List Items", description: "Lists.", inputSchema: z.object({}), handler: () => [] })],
})

export default { plugins: [seed, definePlugin({
  id: "hello-world",
  name: "Hello World",
  description: "Greets.",
  authProviders: [{ id: "hello", type: "oauth2", provider: "hello", scopes: ["openid", "offline_access"] }],
  tools: [defineTool({
    path: "hello_world.greetings.get",
    name: "Get Greetings",
    description: "Gets greetings.",
    inputSchema: z.strictObject({ url: z.url() }),
    async handler(ctx, { url }) {
      const response = await ctx.fetch(url, { headers: { authorization: "Bearer " + (await ctx.auth.getToken("hello")) } })
      if (!response.ok) throw new ToolError("upstream_error", "refused", { status: response.status })
      return response.json()
    },
  })],
})] }
`

let product: Product
let oidc: Oidc
beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-e2e-plugin-"))
  writeFileSync(join(dataDir, "executor.config.ts"), config)
  product = await startProduct({ dataDir, env: { EXECUTOR_ALLOW_PRIVATE_HOSTS: "127.0.0.1", EXECUTOR_LIMITS: '{"oauthRenewGapMs":0}' } })
  oidc = await startOidc({ redirectUris: [`${product.url}/api/oauth/callback`] })
})
afterAll(async () => {
  await product.stop()
  await oidc.close()
})

const greet = async (): Promise<unknown> => {
  const code = `return await tools.hello_world.greetings.get({ url: ${JSON.stringify(`${oidc.apiUrl}/greetings`)} })`
  return (await product.client.run(code)).structured
}

test("a plugin's scopes are asked for, also where only an admin's client says where", async () => {
  const client = await product.client.oauth.clients.create({ ...oidcClient, integration: "my_service", issuer: oidc.issuer })
  const started = await product.client.oauth.start({ integration: "my_service" })
  const providerUrl = "providerUrl" in started ? started.providerUrl : null
  expect(new URL(providerUrl ?? "").searchParams.get("scope")?.split(" ")).toContain("read")
  await product.client.oauth.clients.remove(client.id)
})

test("getToken gives what the consent brought, renewed when it ran out, and shows it to nobody", async () => {
  await product.client.oauth.clients.create({ ...oidcClient, integration: "hello_world", issuer: oidc.issuer })
  await connectByHand(product, "hello_world")
  expect(await greet()).toMatchObject({ result: { ok: true, data: { hello: "world", token: "***" } } })
  const first = oidc.apiLedger.at(-1)?.token
  await expireTokens(product, oidc, "hello_world")
  expect(await greet()).toMatchObject({ result: { ok: true, data: { token: "***" } } })
  expect(oidc.apiLedger.at(-1)?.token).not.toBe(first)
  expect(oidc.ledger.filter((entry) => entry.grantType === "refresh_token").length).toBe(1)
})
