// The OpenAPI document: whole in itself, and true to what the server takes and answers.
import { Validator } from "@cfworker/json-schema"
import { afterAll, beforeAll, expect, test } from "vitest"
import { defaultLimits } from "../../core/limits.ts"
import type { ApiDocument, ApiOperation, JsonSchema } from "./api-document.ts"
import { writeDocument } from "./api-document.ts"
import { apiRoutes } from "./routes/all.ts"
import type { TestServer } from "./testing/server.ts"
import { startTestServer } from "./testing/server.ts"

const routes = apiRoutes(defaultLimits)
const document = writeDocument(routes, "1.2.3", undefined)
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const validate = (schema: JsonSchema, value: unknown): string[] => {
  const validator = new Validator({ ...schema, components: document.components }, "2020-12", false)
  return validator.validate(value).errors.map((error) => `${error.instanceLocation}: ${error.error}`)
}

test("the server serves it", async () => {
  const served = (await server.call("GET", "/api/openapi.json", { token: null })).body as ApiDocument
  expect(served).toEqual(JSON.parse(JSON.stringify(document)))
  expect(served.openapi).toBe("3.1.1")
})

test("every reference resolves, and every named schema is used", () => {
  const text = JSON.stringify(document)
  const targets = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]))
  const names = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)
  expect(targets).toEqual(new Set(names))
  expect(text).not.toContain("$defs/")
  expect(text).not.toContain("readOnly")
})

test("operations have unique ids, a tag, words, and their path's parameters", () => {
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length)
  const tags = document.tags.map((tag) => tag.name)
  for (const { path, operation } of operations) {
    expect(tags).toEqual(expect.arrayContaining([...operation.tags]))
    expect(operation.summary.length).toBeGreaterThan(5)
    expect(operation.description.length).toBeGreaterThan(10)
    const inPath = operation.parameters.filter((parameter) => parameter.in === "path")
    expect(inPath.map((parameter) => `{${parameter.name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
    expect(inPath.every((parameter) => parameter.required)).toBe(true)
    const keys = operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
    expect(new Set(keys).size).toBe(keys.length)
  }
})

test("optional query parameters are optional, and typed", () => {
  const list = document.paths["/tools"]?.["get"] as ApiOperation
  expect(list.parameters.filter((parameter) => parameter.required)).toEqual([])
  expect(Object.fromEntries(list.parameters.map((parameter) => [parameter.name, parameter.schema.type]))).toMatchObject({
    limit: "integer",
    includeBlocked: "boolean",
    query: "string",
  })
})

test.each(operations.map(({ method, path, operation }) => [`${method} ${path}`, operation] as const))(
  "the examples of %s fit their schemas",
  (_, operation) => {
    const body = operation.requestBody?.content["application/json"]
    const bodies = Object.values(body?.examples ?? {}).flatMap(({ value }) => validate(body?.schema ?? {}, value))
    const answers = Object.values(operation.responses).flatMap(({ content }) =>
      Object.values(content ?? {}).flatMap(({ schema, example }) => validate(schema, example)),
    )
    expect([...bodies, ...answers]).toEqual([])
  },
)

test("everything but health asks for a token", () => {
  expect(document.security).toEqual([{ bearer: [] }])
  expect(operations.filter(({ operation }) => operation.security !== undefined).map(({ path }) => path)).toEqual(["/health"])
})

test("the server's address is relative, or the public one", () => {
  expect(document.servers[0]?.url).toBe("/api")
  expect(writeDocument(routes, "1", "https://tools.example/x/").servers[0]?.url).toBe("https://tools.example/x/api")
})

test("our own importer finds nothing wrong with it, and names the tools as the SDK does", async () => {
  const { status, body } = await server.call("POST", "/api/integrations/preview", {
    body: { kind: "openapi", config: { spec: JSON.stringify(document), baseUrl: "https://tools.example/api" } },
  })
  expect(status).toBe(200)
  const { facts, tools } = body as { facts: { warnings: unknown[] }; tools: { name: string }[] }
  expect(facts.warnings).toEqual([])
  expect(new Set(tools.map((tool) => tool.name))).toEqual(new Set(operations.map(({ operation }) => operation.operationId)))
})

test("a pause, its approval and its end are as documented", async () => {
  const paused = await server.call("POST", "/api/executions", {
    body: {
      code: `console.log("asks"); return (await tools.executor.coreTools.policies.create({ owner: "org", pattern: "a.b", action: "block" })).ok`,
    },
  })
  const { executionId } = paused.body as { executionId: string }
  const one = `/executions/${executionId}`
  const answers: [method: string, path: string, route: string, body?: unknown][] = [
    ["get", "/approvals", "/approvals"],
    ["get", one, "/executions/{id}"],
    ["post", `${one}/resume`, "/executions/{id}/resume", { action: "accept" }],
    ["post", `${one}/resume`, "/executions/{id}/resume", { action: "decline" }],
    ["post", `${one}/cancel`, "/executions/{id}/cancel"],
    ["get", one, "/executions/{id}"],
    ["get", `${one}/result`, "/executions/{id}/result"],
  ]
  expect(wrongIn("post", "/executions", paused)).toBe("")
  for (const [method, path, route, body] of answers) {
    const answer = await server.call(method.toUpperCase(), `/api${path}`, body === undefined ? {} : { body })
    expect(wrongIn(method, route, answer), `${method} ${path}`).toBe("")
  }
  const events = await server.call("GET", `/api${one}/events`)
  const [, data] = /^data: (.*)$/m.exec(String(events.body)) ?? []
  const media = document.paths["/executions/{id}/events"]?.["get"]?.responses["200"]?.content?.["text/event-stream"]
  expect(validate(media?.schema["contentSchema"] as JsonSchema, JSON.parse(data ?? ""))).toEqual([])
})

test("real answers are as documented", async () => {
  const spec = {
    openapi: "3.1.0",
    info: { title: "Clock", version: "1" },
    servers: [{ url: "https://clock.example" }],
    paths: { "/time": { get: { operationId: "getTime", tags: ["time"], responses: { 200: { description: "The time." } } } } },
  }
  const key = "/connections/org/clock/main"
  const calls: [method: string, path: string, route: string, body?: unknown][] = [
    ["get", "/health", "/health"],
    ["post", "/integrations/preview", "/integrations/preview", { kind: "openapi", config: { spec } }],
    ["post", "/integrations", "/integrations", { slug: "clock", kind: "openapi", config: { spec } }],
    ["get", "/integrations", "/integrations"],
    ["get", "/integrations/clock", "/integrations/{slug}"],
    ["patch", "/integrations/clock", "/integrations/{slug}", { name: "The clock" }],
    ["post", "/connections", "/connections", { integration: "clock", auth: { template: "none" } }],
    ["get", "/connections", "/connections"],
    ["get", key, "/connections/{owner}/{integration}/{name}"],
    ["patch", key, "/connections/{owner}/{integration}/{name}", { auth: { template: "none" } }],
    ["post", `${key}/refresh`, "/connections/{owner}/{integration}/{name}/refresh"],
    ["post", `${key}/health`, "/connections/{owner}/{integration}/{name}/health"],
    ["get", "/tools?includeAnnotations=true", "/tools"],
    ["get", "/tools?limit=1", "/tools"],
    ["get", "/tools/schema?address=tools.clock.org.main.time.getTime", "/tools/schema"],
    ["get", "/tools/schema?address=tools.clock.org.main.nope", "/tools/schema"],
    ["get", "/tools/search?query=time", "/tools/search"],
    ["post", "/executions", "/executions", { code: "return [1, null]" }],
    ["post", "/executions", "/executions", { code: "throw new Error('no')" }],
    ["post", "/executions", "/executions", { code: "" }],
    [
      "post",
      "/policies",
      "/policies",
      { owner: "org", pattern: "clock.**", action: "block", when: [{ arg: "a", op: "in", value: [1, "b"] }] },
    ],
    ["get", "/policies", "/policies"],
    ["post", "/policies/explain", "/policies/explain", { address: "clock.time.getTime", args: { a: 1 } }],
    ["post", "/policies/explain", "/policies/explain", { address: "clock.time.nope" }],
    ["patch", "/policies/pol_nope", "/policies/{id}", {}],
    ["delete", "/policies/pol_nope", "/policies/{id}"],
    ["get", "/approvals", "/approvals"],
    ["post", "/approvals/apr_nope", "/approvals/{id}", { action: "accept" }],
    ["get", "/executions?limit=1", "/executions"],
    ["get", "/executions/exe_nope", "/executions/{id}"],
    ["get", "/executions/exe_nope/events", "/executions/{id}/events"],
    ["get", "/audit?limit=50", "/audit"],
    ["post", "/tokens", "/tokens", { name: "x", kind: "agent" }],
    ["post", "/tokens", "/tokens", { name: "x" }],
    ["get", "/tokens?limit=1", "/tokens"],
    ["delete", key, "/connections/{owner}/{integration}/{name}"],
    ["delete", "/integrations/clock", "/integrations/{slug}"],
    ["get", "/integrations/clock", "/integrations/{slug}"],
  ]
  for (const [method, path, route, body] of calls) {
    const answer = await server.call(method.toUpperCase(), `/api${path}`, body === undefined ? {} : { body })
    expect(wrongIn(method, route, answer), `${method} ${path}`).toBe("")
  }
})

/** What of a real answer is not as the document says; empty when all is. */
function wrongIn(method: string, route: string, answer: { readonly status: number; readonly body: unknown }): unknown {
  const response = document.paths[route]?.[method]?.responses[String(answer.status)]
  if (response === undefined) return `status ${answer.status} is not documented`
  const media = response.content?.["application/json"]
  return media === undefined ? answer.body : validate(strict(media.schema), answer.body).join("\n")
}

/** An answer may gain fields for a client; for this test an undocumented one is a mistake. */
const strict = (schema: JsonSchema): JsonSchema => {
  const resolved = typeof schema.$ref === "string" ? (document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : schema
  return resolved.properties === undefined ? resolved : { ...resolved, additionalProperties: false }
}
