// Registry tools over HTTP, sentence by sentence: what is derived, what each route does, and what it refuses.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { RegistryToolView } from "../../src/core/registry/tool.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
beforeAll(async () => {
  product = await startProduct()
})
afterAll(() => product.stop())

let made = 0
const input = (change: Readonly<Record<string, unknown>> = {}) => ({
  name: `Weather ${(made += 1)}`,
  description: "The weather of a city",
  schema: { input: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
  implementation_type: "http",
  implementation_config: { method: "GET", url: "https://api.example.com/weather/{city}" },
  ...change,
})
type Answer = {
  readonly status: number
  readonly body: RegistryToolView & { readonly error?: { readonly code: string; readonly message: string } }
}
const ask = async (method: string, path: string, body?: unknown): Promise<Answer> => (await product.request(method, path, body)) as Answer
const make = async (change: Readonly<Record<string, unknown>> = {}): Promise<RegistryToolView> => {
  const { status, body } = await ask("POST", "/tools", input(change))
  expect([status, body.error]).toEqual([201, undefined])
  return body
}
const publish = (id: string, body?: unknown): Promise<Answer> => ask("POST", `/tools/${id}/publish`, body)
/** Whether production resolves it. */
const isFound = async (slug: string): Promise<boolean> => (await product.client.tools.schema(`registry.${slug}`)) !== null

describe("derived fields", () => {
  test("mcp if implementation_type == mcp OR config_schema.implementation.type == mcp", async () => {
    const config = { server_url: "https://mcp.example.com/mcp", tool_name: "echo" }
    expect(await make({ implementation_type: "mcp", implementation_config: config })).toMatchObject({ toolType: "mcp" })
    const typed = await make({ implementation_type: undefined, implementation_config: { type: "mcp", ...config } })
    expect(typed).toMatchObject({ toolType: "mcp", implementationType: "mcp" })
  })
  test("artifact if artifact_id exists OR implementation_type == artifact", async () => {
    const { body } = await product.request("POST", "/artifacts", { name: "Sum", code: "return 1" })
    const { id } = body as { id: string }
    const linked = await make({ implementation_type: "artifact", implementation_config: {}, artifact_id: id })
    expect(linked).toMatchObject({ toolType: "artifact", artifactId: id, artifactVersion: null })
    expect((await publish(linked.id)).body).toMatchObject({ artifactVersion: "1" })
    expect(await make({ implementation_type: "artifact", implementation_config: { code: "return 1", inputs: [] } })).toMatchObject({
      toolType: "artifact",
    })
  })
  test("custom otherwise", async () => {
    expect(await make()).toMatchObject({ toolType: "custom" })
  })
})

describe("create", () => {
  test("implementation_config is stored under config_schema.implementation, execution_config under config_schema.execution", async () => {
    const tool = await make({ execution_config: { is_pure: true, max_concurrency: 2 } })
    expect(tool.configSchema).toEqual({
      implementation: { method: "GET", url: "https://api.example.com/weather/{city}" },
      execution: { is_pure: true, max_concurrency: 2 },
    })
  })
  test("both spellings of a field are read, and the contents of configs stay as they are", async () => {
    const { name: _name, ...rest } = input()
    const { status } = await ask("POST", "/tools", { name: "Camel", ...rest, implementation_type: undefined, implementationType: "http" })
    expect(status).toBe(201)
    const twice = await ask("POST", "/tools", { ...input(), implementationType: "http" })
    expect(twice).toMatchObject({ status: 400, body: { error: { message: "The field 'implementationType' was given twice" } } })
    const tool = await make({
      implementation_config: { method: "POST", url: "https://api.example.com", body: { tool_name: { snake_case: 1 } } },
    })
    expect(tool.configSchema.implementation["body"]).toEqual({ tool_name: { snake_case: 1 } })
  })
  test.each([
    ["Only scope=tenant is allowed on this endpoint", { scope: "global" }, "scope must be 'tenant'"],
    [
      "Direct creation with status=published is blocked; publish must use POST /tools/{id}/publish",
      { status: "published" },
      "POST /tools/{id}/publish",
    ],
    [
      "rag_retrieval requires implementation.pipeline_id",
      { implementation_type: "rag_retrieval", implementation_config: {} },
      "pipeline_id is required",
    ],
    [
      "rag_retrieval validates tenant ownership",
      { implementation_type: "rag_retrieval", implementation_config: { pipeline_id: "pipe_of_another" } },
      "This tenant has no retrieval pipeline 'pipe_of_another'",
    ],
    [
      "an unknown implementation type is an explicit error",
      { implementation_type: "soap" },
      "There is no implementation type 'soap'; there are internal, http",
    ],
    [
      "implementation_config.function_name is required",
      { implementation_type: "function", implementation_config: {} },
      "function_name is required",
    ],
    [
      "implementation_config.function_name must be registered",
      { implementation_type: "function", implementation_config: { function_name: "nope" } },
      "The function 'nope' is not registered on this server",
    ],
    [
      "implementation_config.server_url is required",
      { implementation_type: "mcp", implementation_config: { tool_name: "x" } },
      "server_url is required",
    ],
    [
      "implementation_config.tool_name is required",
      { implementation_type: "mcp", implementation_config: { server_url: "https://mcp.example.com" } },
      "tool_name is required",
    ],
    [
      "the target of agent_call must be tenant-scoped and published",
      { implementation_type: "agent_call", implementation_config: { target_agent_slug: "helper" } },
      "This tenant has no published agent 'helper'",
    ],
    [
      "an artifact of nobody is refused",
      { implementation_type: "artifact", implementation_config: {}, artifact_id: "art_none" },
      "This tenant has no artifact",
    ],
    [
      "a tool of the type artifact needs code",
      { implementation_type: "artifact", implementation_config: {} },
      "needs artifactId, or code and inputs",
    ],
    [
      "{name} may not stand in scheme, host or port",
      { implementation_config: { method: "GET", url: "https://{city}.example.com/" } },
      "may not have {name} in its scheme, host or port",
    ],
    [
      "each {name} must be in the input schema",
      { implementation_config: { method: "GET", url: "https://example.com/{country}" } },
      "add 'country' to schema.input.properties",
    ],
    ["a field that no type has is refused", { implementation_config: { method: "GET", uri: "https://example.com" } }, "has no field 'uri'"],
    ["the slug of a path word is refused", { slug: "versions" }, "'versions' is reserved"],
    ["the input schema is an object's", { schema: { input: { type: "string" } } }, 'must be "object"'],
    ["execution settings are checked", { execution_config: { timeout_s: -1 } }, "timeout_s must be"],
  ])("%s", async (_, change, message) => {
    const before = (await product.client.registry.list({}, { limit: 1000 })).items.length
    const { status, body } = await ask("POST", "/tools", input(change))
    expect([status, body.error?.message]).toEqual([400, expect.stringContaining(message)])
    expect((await product.client.registry.list({}, { limit: 1000 })).items).toHaveLength(before)
  })
})

describe("update", () => {
  test("accepts updates to schema, config, status, implementation type, artifact link", async () => {
    const { id } = await make()
    const schema = { input: { type: "object", properties: { a: { type: "number" } } } }
    const changed = await ask("PUT", `/tools/${id}`, { schema, implementation_type: "custom", implementation_config: { code: "return 1" } })
    expect(changed).toMatchObject({ status: 200, body: { schema, implementationType: "custom", name: expect.stringContaining("Weather") } })
  })
  test("direct transition to published is blocked; use POST /tools/{id}/publish", async () => {
    const { id } = await make()
    expect(await ask("PUT", `/tools/${id}`, { status: "published" })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining(`POST /tools/${id}/publish`) } },
    })
  })
  test.each([
    ["isSystem", { isSystem: true }],
    ["is_system", { is_system: false }],
    ["builtinKey", { builtin_key: "web_search" }],
  ])("%s is 400", async (_, change) => {
    const { id } = await make()
    expect(await ask("PUT", `/tools/${id}`, change)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("cannot be set") } },
    })
  })
})

describe("publish", () => {
  test("sets status to published, published_at if missing, and writes a ToolVersion snapshot", async () => {
    const { id, slug } = await make()
    expect(await isFound(slug)).toBe(false)
    const { status, body } = await publish(id, { reason: "First" })
    expect([status, body.status, body.version]).toEqual([200, "published", "1.0.0"])
    expect(body.publishedAt).not.toBeNull()
    expect(await isFound(slug)).toBe(true)
    const { items } = await product.client.registry.versions(id)
    expect(items).toMatchObject([{ version: "1.0.0", reason: "First", isPublished: true, schemaSnapshot: { implementationType: "http" } }])
    expect((await publish(id)).body.publishedAt).toBe(body.publishedAt)
    expect((await product.client.registry.versions(id)).items).toHaveLength(1)
  })
  test("what is published is found by search, and edits wait until it is published again", async () => {
    const { id, slug } = await make({ name: "Glacier thickness", description: "Measures the thickness of a glacier" })
    await publish(id)
    const found = await product.client.tools.search({ query: "measure glacier thickness" })
    expect(found.items.map(({ path }) => path)).toContain(`registry.org.main.${slug}`)
    expect((await ask("PUT", `/tools/${id}`, { description: "Edited" })).body.hasUnpublishedChanges).toBe(true)
    const again = await product.client.tools.search({ query: "measure glacier thickness" })
    expect(again.items.find(({ path }) => path === `registry.org.main.${slug}`)?.description).toBe("Measures the thickness of a glacier")
    expect((await publish(id)).body).toMatchObject({ version: "1.0.1", hasUnpublishedChanges: false })
    expect(await product.client.registry.diff(id, { from: "1.0.0", to: "1.0.1" })).toMatchObject({ kind: "text" })
    expect((await ask("POST", `/tools/${id}/rollback`, { version: "1.0.0" })).body).toMatchObject({
      version: "1.0.2",
      description: "Measures the thickness of a glacier",
    })
  })
  test("a deprecated tool is still there, a disabled or inactive one is not", async () => {
    const { id, slug } = await make()
    await publish(id)
    expect((await ask("PUT", `/tools/${id}`, { status: "deprecated" })).body.status).toBe("deprecated")
    expect(await isFound(slug)).toBe(true)
    await ask("PUT", `/tools/${id}`, { is_active: false })
    expect(await isFound(slug)).toBe(false)
    await ask("PUT", `/tools/${id}`, { is_active: true })
    expect((await ask("DELETE", `/tools/${id}`)).body).toMatchObject({ removed: false, tool: { status: "disabled" } })
    expect(await isFound(slug)).toBe(false)
  })
  test("DELETE removes drafts", async () => {
    const { id } = await make()
    expect((await ask("DELETE", `/tools/${id}`)).body).toEqual({ removed: true, tool: null })
    expect((await ask("GET", `/tools/${id}`)).status).toBe(404)
  })
})

describe("version", () => {
  test("validates semver, writes a ToolVersion snapshot, updates tool_registry.version", async () => {
    const { id } = await make()
    for (const [version, status] of [
      ["2", 400],
      ["1.0", 400],
      ["v1.2.3", 400],
      ["1.0.0", 409],
      ["0.9.9", 409],
      ["1.1.0", 200],
    ] as const)
      expect([version, (await ask("POST", `/tools/${id}/version?new_version=${version}`)).status]).toEqual([version, status])
    expect((await ask("GET", `/tools/${id}`)).body).toMatchObject({ version: "1.1.0", publishedVersion: null, status: "draft" })
    expect(await product.client.registry.versionOf(id, "1.1.0")).toMatchObject({ version: "1.1.0", isPublished: false })
  })
})

test("GET /tools/versions tells the versions of a tool that was made here, newest first, with how often each was called", async () => {
  const tool = await make()
  await publish(tool.id)
  await ask("PUT", `/tools/${tool.id}`, { description: "Another text about the weather" })
  await publish(tool.id)
  const { items } = await product.client.tools.versions(`registry.${tool.slug}`)
  expect(items).toMatchObject([
    { version: "1.0.1", change: "changed", callsLast30Days: 0 },
    { version: "1.0.0", change: "added", callsLast30Days: 0 },
  ])
  const first = await product.client.tools.versions(`registry.${tool.slug}`, { limit: 1 })
  const next = await product.client.tools.versions(`registry.${tool.slug}`, {
    limit: 1,
    ...(first.nextCursor === null ? {} : { cursor: first.nextCursor }),
  })
  expect([first, next].flatMap((page) => page.items.map(({ version }) => version))).toEqual(["1.0.1", "1.0.0"])
})

test("search marks a deprecated tool", async () => {
  const tool = await make({ name: "Tides of a harbour", description: "High and low tide of a harbour" })
  await publish(tool.id)
  const found = async () => (await product.client.tools.search({ query: "tides of a harbour" })).items[0]
  expect(await found()).not.toHaveProperty("deprecated")
  expect((await ask("PUT", `/tools/${tool.id}`, { status: "deprecated" })).status).toBe(200)
  expect(await found()).toMatchObject({ path: `registry.org.main.${tool.slug}`, deprecated: true })
})

test("GET /tools/builtins/templates returns global built-ins by builtin_key/is_system", async () => {
  const builtins = await product.client.registry.builtins()
  expect(builtins.map(({ builtinKey }) => builtinKey)).toEqual([
    "datetime_utils",
    "function_call",
    "http_request",
    "json_transform",
    "mcp_call",
    "retrieval_pipeline",
    "web_fetch",
    "web_search",
  ])
  for (const tool of builtins) expect(tool).toMatchObject({ isSystem: true, toolType: "built_in", builtinKey: tool.slug, scope: "global" })
})

test("the registry is no integration that can be seen, changed or removed", async () => {
  await publish((await make()).id)
  expect((await product.client.integrations.list()).items.map(({ slug }) => String(slug))).not.toContain("registry")
  expect((await product.client.connections.list()).items.map(({ integration }) => String(integration))).not.toContain("registry")
  for (const [method, path, body] of [
    ["GET", "/integrations/registry"],
    ["PATCH", "/integrations/registry", { name: "mine" }],
    ["DELETE", "/integrations/registry"],
    ["POST", "/connections", { integration: "registry", name: "other" }],
    ["GET", "/connections/org/registry/main"],
    ["DELETE", "/connections/org/registry/main"],
    ["POST", "/connections/org/registry/main/refresh"],
  ] as const)
    expect([path, (await ask(method, path, body)).status]).toEqual([path, 404])
  for (const slug of ["registry", "builtin", "agents", "local"]) {
    const spec = { openapi: "3.1.0", info: { title: "T", version: "1" }, servers: [{ url: "https://example.com" }], paths: {} }
    expect((await ask("POST", "/integrations", { slug, kind: "openapi", config: { spec } })).status).toBe(400)
  }
})

test("every change is in the audit, with what was there before and after", async () => {
  const { id, slug } = await make()
  await publish(id)
  await ask("PUT", `/tools/${id}`, { description: "Edited" })
  await ask("POST", `/tools/${id}/version?new_version=2.0.0`)
  await ask("POST", `/tools/${id}/rollback`, { version: "2.0.0" })
  await ask("PUT", `/tools/${id}`, { status: "deprecated" })
  await ask("DELETE", `/tools/${id}`)
  await publish(id)
  const { items } = await product.client.audit.list({ limit: 50 })
  const lines = items.filter(({ subject }) => subject === id).toReversed()
  expect(lines.map(({ action, outcome }) => [action, outcome])).toEqual([
    ["registry.create", "ok"],
    ["registry.publish", "ok"],
    ["registry.update", "ok"],
    ["registry.version", "ok"],
    ["registry.rollback", "ok"],
    ["registry.deprecate", "ok"],
    ["registry.remove", "ok"],
    ["registry.publish", "conflict"],
  ])
  expect(lines[1]?.details).toMatchObject({
    before: { slug, status: "draft", publishedVersion: null },
    after: { status: "published", publishedVersion: "1.0.0" },
  })
})
