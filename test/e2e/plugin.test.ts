// Plugins in a real server: listed, connected, approved, called and attacked over HTTP.
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { listen } from "../servers/listen.ts"
import { createServer } from "node:http"
import { sampleConfig } from "./plugin-sample.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const directory = (): string => mkdtempSync(join(tmpdir(), "executor-e2e-plugin-"))
const seen: (string | undefined)[] = []
const upstream = await listen(
  createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ auth: request.headers.authorization }))
  }),
)
let product: Product
beforeAll(async () => {
  const dataDir = directory()
  writeFileSync(join(dataDir, "executor.config.ts"), sampleConfig(upstream.url))
  product = await startProduct({ dataDir, env: { EXECUTOR_ALLOW_PRIVATE_HOSTS: new URL(upstream.url).host } })
})
afterAll(async () => {
  await product.stop()
  await upstream.close()
})

const run = (code: string, options: object = {}) => product.client.run(code, options)
const result = async (code: string): Promise<unknown> => {
  const { structured } = await run(code)
  return "result" in structured ? structured.result : structured
}

describe("a plugin with an auth provider", () => {
  test("is an integration by itself, and needs a connection", async () => {
    const { items } = await product.client.integrations.list()
    expect(items).toMatchObject([
      {
        slug: "my_service",
        kind: "plugin",
        name: "My Service",
        facts: { toolCount: 2, auth: [{ template: "bearer", name: "my-service" }] },
      },
    ])
    expect(await result("return await tools.my_service.items.list()")).toMatchObject({ ok: false, error: { code: "auth_required" } })
    const empty = await product.request("POST", "/connections", { integration: "my_service", name: "empty", auth: { template: "bearer" } })
    expect(empty.body).toMatchObject({ status: "needs_credentials", toolCount: 0 })
  })

  test("calls with the connection's token, which nobody sees", async () => {
    const made = await product.request("POST", "/connections", {
      integration: "my_service",
      auth: { template: "bearer", values: { token: "tok-geheim" } },
    })
    expect(made.body).toMatchObject({ address: "tools.my_service.org.main", status: "ready", toolCount: 2 })
    expect(await result("return await tools.my_service.items.list()")).toEqual({
      ok: true,
      data: { limit: 10, seen: { auth: "Bearer ***" } },
    })
    expect(await result("return await tools.my_service.org.main.items.list({ limit: 3 })")).toMatchObject({ data: { limit: 3 } })
    expect(seen).toContain("Bearer tok-geheim")
    const history = JSON.stringify([await product.client.executions.list(), await product.client.audit.list(), product.output()])
    expect(history).not.toContain("tok-geheim")
  })

  test("asks a human before what is destructive, and nothing else", async () => {
    const tools = await product.client.tools.list({ integration: "my_service" })
    expect(tools.map(({ name, policy, title, pluginId, static: isStatic }) => ({ name, policy, title, pluginId, isStatic }))).toEqual([
      { name: "items.list", policy: "allow", title: "List Items", pluginId: "my-service", isStatic: false },
      { name: "items.remove", policy: "require_approval", title: "Remove an Item", pluginId: "my-service", isStatic: false },
    ])
    const paused = await run("return await tools.my_service.items.remove({ id: 7 })")
    expect(paused.status).toBe("paused")
    const done = await product.client.resume(paused.executionId, { action: "accept" })
    expect(done.structured).toMatchObject({ result: { ok: true, data: { removed: 7 } } })
  })

  test("cannot be added or reconfigured over the API, and its slug is its own", async () => {
    const add = (slug: string, kind: string) => product.request("POST", "/integrations", { slug, kind, config: { plugin: "odd" } })
    expect((await add("third", "plugin")).body).toMatchObject({
      error: { code: "invalid_request", message: expect.stringContaining("executor.config.ts") },
    })
    expect((await add("odd", "openapi")).body).toMatchObject({ error: { code: "conflict" } })
    expect((await add("my_service", "openapi")).body).toMatchObject({ error: { code: "conflict" } })
    expect((await product.request("PATCH", "/integrations/my_service", { config: { plugin: "odd" } })).status).toBe(400)
    expect((await product.request("PATCH", "/integrations/my_service", { name: "Ours" })).body).toMatchObject({ name: "Ours" })
  })

  test("keeps its connections over a restart, and gets new tools when it changes", async () => {
    await product.kill("SIGKILL")
    const changed = sampleConfig(upstream.url)
      .replace("List items from My Service", "List all items of My Service")
      .replace('"my_service.items.remove"', '"my_service.items.drop"')
    writeFileSync(join(product.dataDir, "executor.config.ts"), changed)
    const { dataDir } = product
    product = await startProduct({ dataDir, env: { EXECUTOR_ALLOW_PRIVATE_HOSTS: new URL(upstream.url).host } })
    const tools = await product.client.tools.list({ integration: "my_service", connection: "main" })
    expect(tools.map(({ name, description }) => ({ name, description }))).toEqual([
      { name: "items.drop", description: "Remove one item" },
      { name: "items.list", description: "List all items of My Service" },
    ])
    expect(await result("return await tools.my_service.items.list()")).toMatchObject({ ok: true })
    expect((await product.client.integrations.get("my_service")).name).toBe("Ours")
  })
})

describe("a plugin without auth", () => {
  test("has static tools that are listed, found and described like others", async () => {
    const tools = await product.client.tools.list({ integration: "odd" })
    expect(tools).toMatchObject([
      { address: "odd.range.count", static: true, connection: "static", pluginId: "odd", policy: "allow" },
      { address: "odd.things.do", static: true },
    ])
    const found = await product.client.tools.search({ query: "count a range", namespace: "odd" })
    expect(found.items[0]).toMatchObject({ path: "odd.range.count", integration: "odd" })
    expect(await result("return await tools.describe.tool({ path: 'odd.range.count' })")).toMatchObject({
      inputTypeScript: expect.stringContaining("from: number"),
      outputTypeScript: expect.stringContaining("count: number"),
    })
    expect(await result("return (await tools.executor.sources.list({})).items.map((item) => item.slug)")).toEqual([
      "my_service",
      "builtin",
      "odd",
    ])
  })

  test("obeys policies by its fqid", async () => {
    const { id } = await product.client.policies.create({ owner: "org", pattern: "odd.things.*", action: "block" })
    expect(await result("return await tools.odd.things.do({ what: 'x' })")).toMatchObject({ ok: false, error: { code: "tool_blocked" } })
    await product.client.policies.remove(id)
  })

  test("answers mistakes before its handler runs", async () => {
    expect(await result("return await tools.odd.range.count({ from: 1 })")).toMatchObject({
      error: { code: "invalid_arguments", message: "Missing required parameter 'to'" },
    })
    expect(await result("return await tools.odd.range.count({ from: 2, to: 1 })")).toMatchObject({
      error: { code: "invalid_arguments", message: "from is after to" },
    })
    expect(await result("return await tools.odd.range.count({ from: 1, to: 2, extra: 1 })")).toMatchObject({
      error: { details: { issues: [{ code: "unexpected_field" }] } },
    })
    expect(await result(`return await tools.odd.things.do(JSON.parse('{"what":"x","__proto__":{"polluted":1}}'))`)).toMatchObject({
      error: { code: "invalid_arguments" },
    })
  })

  test.each<[string, object]>([
    ["circle", { ok: true, data: { big: "1208925819614629174706176", self: "[Circular]" } }],
    ["huge", { ok: false, error: { code: "response_too_large" } }],
    ["hang", { ok: false, error: { code: "timeout", message: expect.stringContaining("3000 ms") } }],
    ["undefined", { ok: false, error: { code: "upstream_error" } }],
    ["declined", { ok: false, error: { code: "approval_declined" } }],
    ["private", { ok: false, error: { code: "upstream_unreachable" } }],
    ["metadata", { ok: false, error: { code: "upstream_unreachable" } }],
    ["float", { ok: true, data: "float" }],
  ])("that does '%s' harms only its own call", async (what, answer) => {
    expect(await result(`return await tools.odd.things.do({ what: ${JSON.stringify(what)} })`)).toMatchObject(answer)
    expect((await product.request("GET", "/health")).status).toBe(200)
  })

  test("may ask two things at once, and gets each answer where it belongs", async () => {
    const paused = await run("return await tools.odd.things.do({ what: 'both' })")
    const interactions = "interactions" in paused.structured ? paused.structured.interactions : []
    expect(interactions.map((one) => one.message).toSorted()).toEqual(["first?", "second?"])
    for (const { approvalId, message } of interactions)
      await product.client.approvals.answer(approvalId, { action: "accept", content: { [message.slice(0, -1)]: message } })
    expect((await product.client.executions.get(paused.executionId)).structured).toMatchObject({
      status: "completed",
      result: { data: [{ content: { first: "first?" } }, { content: { second: "second?" } }] },
    })
  })
})
