// What an upstream refused for its token alone: what is repeated, what never is, and what a human is told.
import { createServer } from "node:http"
import type { Server } from "node:http"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { listen } from "../servers/listen.ts"
import type { Listening } from "../servers/listen.ts"
import { oidcClient, startOidc } from "../servers/oidc.ts"
import type { Oidc } from "../servers/oidc.ts"
import { addGreetings, connectByHand } from "./oauth-consent.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const config = `
import { definePlugin, defineTool, ToolError } from "toolplane/plugin"
import { z } from "zod"

const handler = async (ctx, { url }) => {
  const authorization = "Bearer " + (await ctx.auth.getToken("hello"))
  await ctx.fetch(url + "/first", { method: "POST" })
  const response = await ctx.fetch(url + "/second", { headers: { authorization } })
  if (!response.ok) throw new ToolError("upstream_error", "refused", { status: response.status })
  return response.json()
}
const tool = (path, name, destructive) =>
  defineTool({ path, name, description: name, inputSchema: z.strictObject({ url: z.url() }), destructive, handler })

export default { plugins: [definePlugin({
  id: "hello-world",
  name: "Hello World",
  description: "Greets.",
  authProviders: [{ id: "hello", type: "oauth2", provider: "hello" }, { id: "other", type: "bearer" }],
  tools: [tool("hello_world.greetings.get", "Get Greetings", false), tool("hello_world.greetings.send", "Send Greetings", true)],
})] }
`

/** A GraphQL server that answers with status 200 whatever it thinks of the token. */
const createGraphql = (bodies: string[], path: { value: readonly string[] | null }): Server =>
  createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      void (async () => {
        bodies.push(body)
        const isKnown = await oidc.knows(/^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "-")
        const error = { message: "No", extensions: { code: "UNAUTHENTICATED" }, ...(path.value === null ? {} : { path: path.value }) }
        const answer = isKnown ? { data: { hello: "world", greet: "done" } } : { data: null, errors: [error] }
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
      })()
    })
  })

let product: Product
let patient: Product
let oidc: Oidc
let graphql: Listening
let api: Listening
const bodies: string[] = []
const errorPath: { value: readonly string[] | null } = { value: null }
const requests: string[] = []

beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-e2e-refusal-"))
  writeFileSync(join(dataDir, "executor.config.ts"), config)
  product = await startProduct({ dataDir, env: { EXECUTOR_ALLOW_PRIVATE_HOSTS: "127.0.0.1", EXECUTOR_LIMITS: '{"oauthRenewGapMs":0}' } })
  patient = await startProduct()
  oidc = await startOidc({ redirectUris: [product, patient].map(({ url }) => `${url}/api/oauth/callback`) })
  graphql = await listen(createGraphql(bodies, errorPath))
  api = await listen(
    createServer((request, response) => {
      void (async () => {
        const isKnown = request.url === "/first" || (await oidc.knows(request.headers.authorization?.slice("Bearer ".length) ?? "-"))
        requests.push(`${request.method} ${request.url} ${isKnown ? 200 : 401}`)
        response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" }).end("{}")
      })()
    }),
  )
})
afterAll(async () => {
  await product.stop()
  await patient.stop()
  for (const one of [oidc, graphql, api]) await one.close()
})

const run = async (code: string, where = product): Promise<unknown> => (await where.client.run(code, { autoApprove: true })).structured

test("a handler that may have changed something is not run again, and finds a new token the next time", async () => {
  await product.client.oauth.clients.create({ ...oidcClient, integration: "hello_world", issuer: oidc.issuer })
  await connectByHand(product, "hello_world")
  const call = (name: string): string => `return await tools.hello_world.greetings.${name}({ url: ${JSON.stringify(api.url)} })`

  oidc.forgetTokens()
  expect(await run(call("send"))).toMatchObject({ result: { ok: false, error: { code: "upstream_error", status: 401 } } })
  expect(requests.splice(0)).toEqual(["POST /first 200", "GET /second 401"])
  expect(await run(call("send"))).toMatchObject({ result: { ok: true } })
  expect(requests.splice(0)).toEqual(["POST /first 200", "GET /second 200"])

  oidc.forgetTokens()
  expect(await run(call("get"))).toMatchObject({ result: { ok: true } })
  expect(requests.splice(0)).toEqual(["POST /first 200", "GET /second 401", "POST /first 200", "GET /second 200"])
})

test("GraphQL's own way to refuse is one, and a mutation is repeated only where no field was reached", async () => {
  const sdl = "type Query { hello: String } type Mutation { greet: String }"
  await product.client.integrations.add({ slug: "graph", kind: "graphql", config: { endpoint: graphql.url, sdl } })
  await product.client.oauth.clients.create({ ...oidcClient, integration: "graph", issuer: oidc.issuer })
  await connectByHand(product, "graph")
  const sent = async (code: string): Promise<[number, unknown]> => {
    oidc.forgetTokens()
    bodies.length = 0
    const { result } = (await run(code)) as { result: unknown }
    return [bodies.length, result]
  }
  errorPath.value = ["hello"]
  expect(await sent("return await tools.graph.query.hello({})")).toMatchObject([2, { ok: true }])
  errorPath.value = ["greet"]
  expect(await sent("return await tools.graph.mutation.greet({})")).toMatchObject([1, { ok: false, error: { code: "upstream_error" } }])
  errorPath.value = null
  expect(await sent("return await tools.graph.mutation.greet({})")).toMatchObject([2, { ok: true }])
})

test("an API whose refusal only looks like GraphQL's is not sent a write twice", async () => {
  let posts = 0
  const orders = await listen(
    createServer((_request, response) => {
      posts += 1
      const errors = [{ message: "No", extensions: { code: "UNAUTHENTICATED" } }]
      response.writeHead(409, { "content-type": "application/json" }).end(JSON.stringify({ errors }))
    }),
  )
  try {
    const spec = {
      openapi: "3.1.0",
      info: { title: "Orders", version: "1" },
      servers: [{ url: orders.url }],
      paths: { "/orders": { post: { operationId: "orders/create", responses: {} } } },
    }
    await product.client.integrations.add({ slug: "orders", kind: "openapi", config: { spec } })
    await product.client.oauth.clients.create({ ...oidcClient, integration: "orders", issuer: oidc.issuer })
    await connectByHand(product, "orders")
    expect(await run("return await tools.orders.orders.create({})")).toMatchObject({ result: { ok: false, error: { status: 409 } } })
    expect(posts).toBe(1)
  } finally {
    await orders.close()
  }
})

test("a token that is refused as soon as it is issued needs a human", async () => {
  await addGreetings(patient, oidc, "fresh")
  await connectByHand(patient, "fresh")
  oidc.forgetTokens()
  expect(await run(`return await tools.fresh.greetings.get({})`, patient)).toMatchObject({
    result: { ok: false, error: { code: "auth_required", details: { connectUrl: expect.stringContaining("/connections?connection=") } } },
  })
})
