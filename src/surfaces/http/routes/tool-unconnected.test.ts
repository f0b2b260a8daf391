// Calls of tools whose integration is not connected, over HTTP: what is missing is said, and where a human mends it.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { definePlugin, defineTool } from "../../../plugin/index.ts"
import type { ExecutionServer } from "../testing/executions.ts"
import { resultOf, startExecutionServer } from "../testing/executions.ts"

const odd = definePlugin({
  id: "odd",
  name: "Odd Service",
  description: "Odd things.",
  authProviders: [{ id: "odd", type: "bearer" }],
  tools: [
    defineTool({
      path: "odd.users.get",
      name: "Get User",
      description: "Reads a user",
      inputSchema: z.object({}),
      handler: async () => ({}),
    }),
  ],
})

let server: ExecutionServer
beforeAll(async () => {
  server = await startExecutionServer({ plugins: [odd] })
  for (const slug of ["secured", "bound", "unset"])
    await server.call("POST", "/api/integrations", { body: { slug, kind: "openapi", config: { spec: secured } } })
  await server.call("POST", "/api/connections", { body: { integration: "bound", auth: { template: "bearer" } } })
  const auth = { template: "bearer", values: { token: "${env:NOBODY_SETS_THIS}" } }
  await server.call("POST", "/api/connections", { body: { integration: "unset", auth } })
})
afterAll(() => server.close())

const secured = {
  openapi: "3.1.0",
  info: { title: "Secured", version: "1" },
  servers: [{ url: "http://127.0.0.1:9" }],
  components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
  security: [{ token: [] }],
  paths: { "/users": { get: { operationId: "users/get", responses: { 200: { description: "ok" } } } } },
}

const called = async (path: string): Promise<unknown> =>
  resultOf(await server.run(`return (await tools[${JSON.stringify(path)}]({})).error`, { token: server.tokens.agent }))

describe("a call wants a credential", () => {
  test.each([
    ["secured.users.get", "secured", "add=secured"],
    ["secured.org.main.users.get", "secured", "add=secured"],
    ["tools.secured.anything", "secured", "add=secured"],
    ["bound.users.get", "bound", "connection=bound.org.main"],
    ["bound.org.main.users.get", "bound", "connection=bound.org.main"],
    ["odd.users.get", "odd", "add=odd"],
    ["odd.org.main.users.get", "odd", "add=odd"],
  ])("%s", async (path, slug, query) => {
    expect(await called(path)).toEqual({
      code: "auth_required",
      message: expect.stringMatching(new RegExp(`'${slug}' .*executor connections add ${slug}`)),
      details: { connectUrl: `http://here.example/connections?${query}` },
    })
  })

  test("also where a variable is not set, with the same link", async () => {
    expect(await called("unset.users.get")).toEqual({
      code: "auth_required",
      message: expect.stringContaining("NOBODY_SETS_THIS"),
      details: { connectUrl: "http://here.example/connections?connection=unset.org.main" },
    })
  })

  test("what is connected but has no such tool is not found", async () => {
    expect(await called("unset.users.nope")).toMatchObject({
      code: "tool_not_found",
      details: { suggestions: ["unset.org.main.users.get"] },
    })
    expect(await called("nowhere.users.get")).toMatchObject({ code: "tool_not_found" })
  })
})

describe("what asks without calling", () => {
  test("describe says why, and suggests nothing of others", async () => {
    const code = `return await tools.describe.tool({ path: "secured.users.get" })`
    expect(resultOf(await server.run(code))).toEqual({
      error: { code: "tool_not_found", message: expect.stringContaining("executor connections add secured"), suggestions: [] },
    })
  })

  test.each([
    ["GET", "/api/tools/schema?address=secured.users.get", undefined],
    ["POST", "/api/policies/explain", { address: "secured.users.get" }],
  ])("%s %s is 404, and says why", async (method, path, body) => {
    expect(await server.call(method, path, { body })).toMatchObject({
      status: 404,
      body: { error: { code: "tool_not_found", message: expect.stringContaining("executor connections add secured") } },
    })
  })
})

describe("links of earlier versions", () => {
  test("lead to the page where a human connects", async () => {
    const response = await fetch(`${server.url}/connect/secured`, { redirect: "manual" })
    expect([response.status, response.headers.get("location")]).toEqual([302, "/connections?add=secured"])
  })

  test.each(["%3Cscript%3E", "Secured", "a-b", "executor"])("%s is no integration", async (slug) => {
    expect(await server.call("GET", `/connect/${slug}`, { token: null })).toMatchObject({ status: 400 })
  })
})

describe("core tools answer with the codes of results", () => {
  const started = async (integration: string): Promise<unknown> =>
    resultOf(await server.run(`return await tools.executor.coreTools.oauth.start({ integration: "${integration}" })`))

  test("an API that needs no credentials is said to need none", async () => {
    expect(await started("ledger")).toEqual({
      ok: false,
      error: {
        code: "invalid_arguments",
        message: "'ledger' needs no credentials: a human connects it with ./executor connections add ledger",
      },
    })
  })

  test.each([
    ["nowhere", "There is no integration 'nowhere'"],
    ["secured", "does not name an OAuth provider"],
  ])("%s is a wrong argument", async (integration, message) => {
    expect(await started(integration)).toMatchObject({
      ok: false,
      error: { code: "invalid_arguments", message: expect.stringContaining(message) },
    })
  })
})
