// Registry tools of every implementation type, called by code in an execution: a test for each sentence of how they are executed.
import { mkdtempSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { ExecutionReply } from "../../src/core/execution.ts"
import { startEcho } from "../servers/echo.ts"
import type { Echo } from "../servers/echo.ts"
import { listen } from "../servers/listen.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"
import { draftTool, makeTool, republishAs } from "./registry-maker.ts"
import type { ToolInput } from "./registry-maker.ts"

const config = `import { threadId } from "node:worker_threads"
import { defineFunctions } from "toolplane"
export default {
  functions: defineFunctions(import.meta.url, {
    add: { reads: true, run: ({ a, b }) => a + b },
    thread: { reads: true, run: () => threadId },
    loop: { reads: true, run: () => { for (;;); } },
    later: { reads: true, run: async ({ a }) => { await null; return [a, threadId] } },
  }),
}`

type Rpc = { readonly id: string; readonly method: string; readonly params: { readonly name: string; readonly arguments: unknown } }

let product: Product
let echo: Echo
let upstream: Awaited<ReturnType<typeof listen>>
const asked: { readonly url: string; readonly key: unknown; readonly authorization: unknown; readonly message: Rpc }[] = []

beforeAll(async () => {
  echo = await startEcho()
  upstream = await listen(
    createServer(async (request, response) => {
      const message = JSON.parse((await text(request)) || "{}") as Rpc // our own requests
      asked.push({ url: request.url ?? "", key: request.headers["x-api-key"], authorization: request.headers["authorization"], message })
      const answer =
        request.url === "/search"
          ? { organic: [{ title: "T", link: "https://t.test/", snippet: String(request.headers["x-api-key"]) }] }
          : { jsonrpc: "2.0", id: message.id, result: { content: [], structuredContent: { called: message.params?.name } } }
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
    }),
  )
  const dataDir = mkdtempSync(join(tmpdir(), "executor-registry-"))
  writeFileSync(join(dataDir, "executor.config.ts"), config, { mode: 0o600 })
  const allowed = [echo.url, upstream.url].map((url) => new URL(url).host).join(",")
  product = await startProduct({
    dataDir,
    env: { EXECUTOR_ALLOW_PRIVATE_HOSTS: allowed, PLANTED: "planted-by-the-environment" },
  })
  await product.client.policies.create({ owner: "org", pattern: "registry.**", action: "allow" })
})
afterAll(async () => {
  await product.stop()
  await echo.close()
  await upstream.close()
})

const make = (slug: string, input: ToolInput): Promise<string> => makeTool(product.client, slug, input)
const run = async (code: string): Promise<unknown> => {
  const { structured } = (await product.request("POST", "/executions", { code })).body as ExecutionReply // as it is answered
  return "result" in structured ? structured.result : structured
}
const call = (slug: string, args: unknown = {}): Promise<unknown> => run(`return await tools.registry.${slug}(${JSON.stringify(args)})`)

describe("Tool node execution", () => {
  test("reads implementation_type first", async () => {
    await make("typed", { implementationType: "artifact", implementationConfig: { code: "return 'artifact'" } })
    expect(await call("typed")).toEqual({ ok: true, data: "artifact" })
  })

  test("falls back to config_schema.implementation.type", async () => {
    await make("fallback", { implementationType: "", implementationConfig: { type: "artifact", code: "return 'fallen back'" } })
    expect(await call("fallback")).toEqual({ ok: true, data: "fallen back" })
  })

  test("production mode requires tool status published", async () => {
    const id = await draftTool(product.client, "drafted", { implementationType: "artifact", implementationConfig: { code: "return 1" } })
    expect(await call("drafted")).toMatchObject({ ok: false, error: { code: "tool_not_found" } })
    expect(id).toMatch(/^tool_/)
  })

  test("inactive tools are blocked in all modes", async () => {
    const id = await make("inactive", { implementationType: "artifact", implementationConfig: { code: "return 1" } })
    expect(await call("inactive")).toEqual({ ok: true, data: 1 })
    await product.client.registry.update(id, { isActive: false })
    expect(await call("inactive")).toMatchObject({ ok: false, error: { code: "tool_not_found" } })
  })

  test("unknown implementation types return explicit execution errors", async () => {
    const id = await make("unknown_type", { implementationType: "artifact", implementationConfig: { code: "return 1" } })
    await republishAs(product, id, "soap", {})
    expect(await call("unknown_type")).toMatchObject({
      ok: false,
      error: { code: "unknown_implementation_type", message: expect.stringContaining("'soap'") },
    })
  })

  test("a deprecated tool still runs, and its answer carries a notice with what replaces it", async () => {
    const id = await make("old_tool", { implementationType: "artifact", implementationConfig: { code: "return 1" } })
    await make("new_tool", { implementationType: "artifact", implementationConfig: { code: "return 2" } })
    await product.client.registry.update(id, { replacedBy: "new_tool" })
    await product.client.registry.update(id, { status: "deprecated" })
    const notice = { code: "deprecated", message: expect.stringContaining("registry.new_tool"), replacedBy: "registry.new_tool" }
    expect(await call("old_tool")).toEqual({ ok: true, data: 1, notice })
    expect(await run("return (await tools.registry.old_tool({})).notice.replacedBy")).toBe("registry.new_tool")
    expect(await run("return await tools.registry.old_tool({}).unwrap()")).toBe(1)
    expect(await call("new_tool")).toEqual({ ok: true, data: 2 })
  })
})

describe("HTTP tools", () => {
  test("send the arguments where the url, the query and the body want them", async () => {
    const schema = { input: { type: "object", properties: { id: { type: "string" } }, required: ["id"] } }
    const url = `${echo.url}/users/{id}`
    await make("read_user", { schema, implementationType: "http", implementationConfig: { method: "GET", url, query: { v: "1" } } })
    await make("write_user", { schema, implementationType: "http", implementationConfig: { method: "POST", url } })
    expect(await call("read_user", { id: "a b", q: 2 })).toMatchObject({
      ok: true,
      data: { path: "/users/a%20b?v=1&q=2" },
      http: { status: 200 },
    })
    expect(await call("write_user", { id: "7", name: "Ada" })).toMatchObject({
      ok: true,
      data: { path: "/users/7", body: '{"name":"Ada"}' },
    })
    expect(await call("read_user", { id: ".." })).toMatchObject({ ok: false, error: { code: "invalid_arguments" } })
  })

  test("send their secrets, which no answer and no journal holds", async () => {
    const headers = { Authorization: "Bearer planted-8d1f-77", "X-Env": "${env:PLANTED}" }
    const implementationConfig = { method: "GET", url: `${echo.url}/secret`, headers }
    await make("with_secret", { implementationType: "http", implementationConfig })
    echo.ledger.length = 0
    const reply = (await product.request("POST", "/executions", { code: "return await tools.registry.with_secret({})" }))
      .body as ExecutionReply
    expect(echo.ledger[0]?.headers).toMatchObject({ authorization: "Bearer planted-8d1f-77", "x-env": "planted-by-the-environment" })
    const view = await product.request("GET", `/executions/${reply.executionId}`)
    expect(JSON.stringify([reply, view.body, product.output()])).not.toMatch(/planted/)
    expect(JSON.stringify(reply)).toContain("***")
  })

  test("show the human who is asked what would be sent, without secrets", async () => {
    const url = `${echo.url}/items/{id}`
    const schema = { input: { type: "object", properties: { id: { type: "string" } }, required: ["id"] } }
    const implementationConfig = { method: "DELETE", url, query: { api_key: "planted-2" }, headers: { "x-key": "planted-3" } }
    await make("remove_item", { schema, implementationType: "http", implementationConfig })
    await product.client.policies.create({ owner: "user", pattern: "registry.org.main.remove_item", action: "require_approval" })
    const reply = await product.client.run(`return await tools.registry.remove_item({ id: "7" })`)
    expect(reply.structured).toMatchObject({ interactions: [{ request: { method: "DELETE", url: `${echo.url}/items/7` } }] })
    expect(JSON.stringify(reply)).not.toContain("planted")
    await product.client.executions.cancel(reply.executionId)
  })
})

describe("Artifact-backed tools", () => {
  const inputs = [
    { name: "city", type: "string", required: true },
    { name: "days", type: "integer", required: false, default: 3 },
  ]

  test("tool-call args are mapped into artifact inputs by name", async () => {
    await make("mapped", { implementationType: "artifact", implementationConfig: { code: "return input", inputs } })
    expect(await call("mapped", { city: "Rome", other: 1 })).toEqual({ ok: true, data: { city: "Rome", days: 3 } })
  })

  test("inputs are treated as literal values (no {{ }} interpolation)", async () => {
    const city = "{{ days }} ${1+1} '); throw 1 //"
    expect(await call("mapped", { city })).toMatchObject({ ok: true, data: { city } })
  })

  test("missing required fields fail execution", async () => {
    expect(await call("mapped", { days: 1 })).toMatchObject({
      ok: false,
      error: { code: "invalid_arguments", message: expect.stringContaining("'city'") },
    })
  })

  test("artifacts have no tools", async () => {
    await make("toolless", {
      implementationType: "artifact",
      implementationConfig: { code: "return await tools.search({ query: 'x' })" },
    })
    expect(await call("toolless")).toMatchObject({ ok: false })
  })
})

describe("Function tools", () => {
  test("function executes allowlisted server-side functions", async () => {
    await make("add", { implementationType: "function", implementationConfig: { function_name: "add" } })
    expect(await call("add", { a: 1, b: 2 })).toEqual({ ok: true, data: 3 })
  })

  test("function_name must be registered", async () => {
    const unregistered = { implementationType: "function", implementationConfig: { function_name: "ad" } }
    await expect(make("unregistered", unregistered)).rejects.toThrow(/add/)
    const id = await make("gone_function", { ...unregistered, implementationConfig: { function_name: "add" } })
    await republishAs(product, id, "function", unregistered.implementationConfig)
    await product.client.policies.create({ owner: "user", pattern: "registry.org.main.gone_function", action: "allow" })
    expect(await call("gone_function")).toMatchObject({
      ok: false,
      error: { code: "not_found", message: expect.stringContaining("'add'") },
    })
  })

  test("sync functions run in a thread; async functions are awaited", async () => {
    await make("thread", { implementationType: "function", implementationConfig: { function_name: "thread" } })
    await make("later", { implementationType: "function", implementationConfig: { function_name: "later" } })
    expect(await call("thread")).toMatchObject({ ok: true, data: expect.any(Number) })
    expect(await call("thread")).not.toMatchObject({ data: 0 })
    expect(await call("later", { a: 1 })).toEqual({ ok: true, data: [1, 0] })
  })

  test("timeout_s ends a synchronous function that never returns", async () => {
    const implementationConfig = { function_name: "loop" }
    await make("loop", { implementationType: "function", implementationConfig, executionConfig: { timeout_s: 0.5 } })
    expect(await call("loop")).toMatchObject({ ok: false, error: { code: "timeout" } })
    expect(await call("add", { a: 1, b: 1 })).toEqual({ ok: true, data: 2 })
  })
})

test("MCP tools: tools/call with params { name, arguments }, and headers are passed through for auth", async () => {
  const implementationConfig = {
    server_url: `${upstream.url}/mcp`,
    tool_name: "lookup",
    headers: { Authorization: "Bearer planted-mcp-1" },
  }
  await make("lookup", { implementationType: "mcp", implementationConfig })
  asked.length = 0
  expect(await call("lookup", { city: "Rome" })).toMatchObject({ ok: true, data: { called: "lookup" } })
  expect(asked).toMatchObject([
    { authorization: "Bearer planted-mcp-1", message: { method: "tools/call", params: { name: "lookup", arguments: { city: "Rome" } } } },
  ])
})

describe("Built-in tools with settings", () => {
  const makeInternal = (slug: string, builtin: string, settings: Record<string, unknown>): Promise<string> =>
    make(slug, { implementationType: "internal", implementationConfig: { builtin, ...settings } })
  const credential = async (values: Record<string, string>): Promise<string> =>
    (await product.client.credentials.create({ category: "custom", providerKey: "other", label: Object.keys(values).join(), values })).id

  test("web_search uses the credential that credentials_ref names, and shows its key to nobody", async () => {
    const credentials_ref = await credential({ api_key: "planted-search-9", endpoint: `${upstream.url}/search` })
    await makeInternal("my_search", "web_search", { credentials_ref })
    asked.length = 0
    const answer = await call("my_search", { query: "tides" })
    expect(answer).toMatchObject({ ok: true, data: { results: [{ title: "T", snippet: "***" }] } })
    expect(asked).toMatchObject([{ key: "planted-search-9" }])
    expect(await call("my_search", { query: 1 })).toMatchObject({ ok: false, error: { code: "invalid_arguments" } })
  })

  test("http_request sends its credential to its own endpoint alone", async () => {
    await makeInternal("my_request", "http_request", {
      credentials_ref: await credential({ token: "planted-token-5", endpoint: echo.url }),
    })
    echo.ledger.length = 0
    expect(await call("my_request", { method: "GET", url: `${echo.url}/x` })).toMatchObject({ ok: true })
    expect(echo.ledger[0]?.headers["authorization"]).toBe("Bearer planted-token-5")
    asked.length = 0
    expect(await call("my_request", { method: "GET", url: `${upstream.url}/x` })).toMatchObject({
      ok: false,
      error: { code: "invalid_arguments" },
    })
    expect(asked).toEqual([])
  })

  test("the arguments say what a call does, as those of the built-in itself", async () => {
    await make("any_request", { implementationType: "internal", implementationConfig: { builtin: "http_request" } })
    await product.client.policies.create({ owner: "user", pattern: "registry.org.main.any_request", action: "require_approval" })
    const effect = async (method: string): Promise<unknown> => {
      const paused = await run(`return await tools.registry.any_request({ method: "${method}", url: "${echo.url}" })`)
      return (paused as { interactions: { effect: string }[] }).interactions[0]?.effect
    }
    expect(await effect("DELETE")).toBe("destroy")
    expect(await effect("POST")).toBe("write")
  })

  test("a credential that is gone is named", async () => {
    await expect(makeInternal("no_credential", "web_search", { credentials_ref: "cred_gone" })).rejects.toThrow(/GET \/credentials/)
    await republishAs(product, await makeInternal("no_credential", "web_search", {}), "internal", {
      builtin: "web_search",
      credentials_ref: "cred_gone",
    })
    const answer = await call("no_credential", { query: "x" })
    expect(answer).toMatchObject({
      ok: false,
      error: { code: "auth_required", message: expect.stringContaining("executor registry edit") },
    })
    // There is no page on which a tool of the registry is connected.
    expect(JSON.stringify(answer)).not.toContain("connectUrl")
  })
})

test("retrieval and agent calls fail clearly while there are no pipelines and agents", async () => {
  const rag = { pipeline_id: "pipe_1" }
  const agent = { target_agent_slug: "helper" }
  await expect(make("docs", { implementationType: "rag_retrieval", implementationConfig: rag })).rejects.toThrow(
    /no retrieval pipeline 'pipe_1'/,
  )
  await expect(make("helper", { implementationType: "agent_call", implementationConfig: agent })).rejects.toThrow(
    /no published agent 'helper'/,
  )
  const code = { implementationType: "artifact", implementationConfig: { code: "return 1" } }
  await republishAs(product, await make("docs", code), "rag_retrieval", rag)
  await republishAs(product, await make("helper", code), "agent_call", agent)
  expect(await call("docs", { query: "x" })).toMatchObject({ ok: false, error: { code: "not_found" } })
  expect(await call("helper")).toMatchObject({ ok: false, error: { code: "not_found" } })
})
