// The built-in tools from outside: listed, searched, described, asked about and called by code in an execution.
import { mkdtempSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { IncomingHttpHeaders, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createEncryptedVault } from "../../src/credentials/encrypted/vault.ts"
import { keyFromText } from "../../src/credentials/encrypted/secret-key.ts"
import type { ExecutionReply } from "../../src/core/execution.ts"
import { localHuman } from "../../src/core/principal.ts"
import { tenantCredentialRef } from "../../src/store/registry-store.ts"
import { openSqliteStore } from "../../src/store/sqlite.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const secretKey = "a key for the built-in tools"
const searchKey = "planted-serper-key-77"
const config = `import { defineFunctions } from "toolplane"
export default {
  functions: defineFunctions(import.meta.url, {
    add: { reads: true, run: ({ a, b }) => a + b },
    loop: { reads: true, run: () => { for (;;); } },
    write: () => "written",
    later: { reads: true, run: async ({ a }) => a },
  }),
}`

const paragraph = "<p>The tide rises twice a day, and the harbour fills with boats, nets and gulls.</p>"
const page = `<html><head><meta charset="iso-8859-1"><title>Caf\u00e9 tides</title></head><body><nav>Menu</nav><article>${paragraph.repeat(20)}<p>Caf\u00e9</p></article></body></html>`

type Seen = { readonly method: string; readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: string }
const seen: Seen[] = []
const send = (response: ServerResponse, status: number, type: string, body: string | Buffer, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { "content-type": type, ...headers }).end(body)

function answer({ method, url, body }: Seen, response: ServerResponse): void {
  const path = url.split("?", 1)[0]
  if (path === "/page") return send(response, 200, "text/html", Buffer.from(page, "latin1"))
  if (path === "/moved") return send(response, 302, "text/plain", "", { location: "/page" })
  if (path === "/away") return send(response, 302, "text/plain", "", { location: "http://localhost:1/secret" })
  if (path === "/file") return send(response, 200, "image/png", Buffer.from([1, 2, 3]))
  if (path === "/deep") return send(response, 200, "text/html", "<div>".repeat(200_000))
  if (path === "/search")
    return send(
      response,
      200,
      "application/json",
      JSON.stringify({ organic: [{ title: "T", link: "https://t.test/", snippet: searchKey }] }),
    )
  if (path === "/mcp") {
    const { id, params } = JSON.parse(body) as { id: string; params: { arguments: unknown } }
    const result = { content: [], structuredContent: { got: params.arguments } }
    return send(response, 200, "application/json", JSON.stringify({ jsonrpc: "2.0", id, result }))
  }
  return send(response, 200, "application/json", JSON.stringify({ method, url, body }))
}

describe("built-in tools", () => {
  const upstream = createServer((request, response) => {
    void text(request).then((body) => {
      const one = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body }
      seen.push(one)
      answer(one, response)
    })
  })
  let product: Product
  let origin: string
  const run = async (code: string): Promise<ExecutionReply> =>
    (await product.request("POST", "/executions", { code })).body as ExecutionReply
  const resultOf = (reply: ExecutionReply): unknown => ("result" in reply.structured ? reply.structured.result : reply.text)
  const value = async (code: string): Promise<unknown> => resultOf(await run(`return await ${code}`))
  const allow = (pattern: string) => product.client.policies.create({ owner: "user", pattern, action: "allow" })
  const paused = (reply: ExecutionReply) => (reply.structured.status === "waiting_for_interaction" ? reply.structured.interactions : [])

  beforeAll(async () => {
    await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve))
    const { port } = upstream.address() as AddressInfo
    origin = `http://127.0.0.1:${port}`
    const dataDir = mkdtempSync(join(tmpdir(), "executor-e2e-builtins-"))
    writeFileSync(join(dataDir, "executor.config.ts"), config)
    const limits = JSON.stringify({ webPageReadMs: 1500, callTimeoutMs: 15_000 })
    product = await startProduct({
      dataDir,
      env: { EXECUTOR_ALLOW_PRIVATE_HOSTS: `127.0.0.1:${port}`, EXECUTOR_SECRET_KEY: secretKey, EXECUTOR_LIMITS: limits },
    })
  })
  afterAll(async () => {
    await product.stop()
    upstream.closeAllConnections()
    upstream.close()
  })

  test("all eight are listed, found, described and typed", async () => {
    const { items } = (await product.request("GET", "/tools?limit=1000")).body as { items: { address: string }[] }
    expect(items.map(({ address }) => address).filter((address) => address.startsWith("builtin."))).toEqual(
      [
        "datetime_utils",
        "function_call",
        "http_request",
        "json_transform",
        "mcp_call",
        "retrieval_pipeline",
        "web_fetch",
        "web_search",
      ].map((key) => `builtin.${key}`),
    )
    expect(JSON.stringify(await value(`tools.search({ query: "read a web page as markdown" })`))).toContain("builtin.web_fetch")
    expect(JSON.stringify(await value(`tools.describe.tool({ path: "builtin.json_transform" })`))).toContain("expression")
  })

  test("json_transform and datetime_utils answer without asking", async () => {
    expect(await value(`tools.builtin.json_transform({ data: { a: [1, 2] }, expression: "sum(a)" })`)).toEqual({ ok: true, data: 3 })
    expect(await value(`tools.builtin.json_transform({ data: {}, expression: "a[" })`)).toMatchObject({
      ok: false,
      error: { code: "invalid_arguments" },
    })
    expect(
      await value(`tools.builtin.datetime_utils({ operation: "parse", value: "2026-03-29T02:30", timezone: "Europe/Berlin" })`),
    ).toMatchObject({
      ok: true,
      data: { iso: "2026-03-29T03:30:00+02:00", clockChange: "gap" },
    })
    expect(await value(`tools.builtin.datetime_utils({ operation: "parse", value: "soon" })`)).toMatchObject({
      ok: false,
      error: { code: "invalid_arguments" },
    })
  })

  test("function_call runs registered functions, ends one that loops, and asks for one that may write", async () => {
    expect(await value(`tools.builtin.function_call({ function_name: "add", arguments: { a: 1, b: 2 } })`)).toEqual({ ok: true, data: 3 })
    expect(await value(`tools.builtin.function_call({ function_name: "later", arguments: { a: 1 } })`)).toEqual({ ok: true, data: 1 })
    expect(await value(`tools.builtin.function_call({ function_name: "ad", arguments: {} })`)).toMatchObject({
      ok: false,
      error: { code: "not_found", details: { suggestions: ["add", expect.any(String), expect.any(String)] } },
    })
    const looping = value(`tools.builtin.function_call({ function_name: "loop", arguments: {} })`)
    expect(paused(await run(`return await tools.builtin.function_call({ function_name: "write", arguments: {} })`))).toMatchObject([
      { address: "builtin.function_call", effect: "write" },
    ])
    expect(await looping).toMatchObject({ ok: false, error: { code: "timeout" } })
  })

  test("retrieval_pipeline says that there is no such pipeline", async () => {
    expect(await value(`tools.builtin.retrieval_pipeline({ pipeline_id: "p1", query: "tides" })`)).toMatchObject({
      ok: false,
      error: { code: "not_found", message: expect.stringContaining("'p1'") },
    })
  })

  test("an address asks, even for a read; always means its host and nothing else", async () => {
    seen.splice(0)
    const reply = await run(`return await tools.builtin.web_fetch({ url: "${origin}/page" })`)
    const [asked] = paused(reply)
    const rule = { arg: "url", op: "like", value: `${origin}/*` }
    expect(asked).toMatchObject({ effect: "read", request: { method: "GET", url: `${origin}/page` }, rememberWhen: [rule] })
    expect(seen).toEqual([])
    const answered = await product.request("POST", `/approvals/${asked?.approvalId}`, { action: "accept", remember: "always" })
    expect(answered.body).toMatchObject({ remembered: [{ pattern: "builtin.web_fetch", when: [rule] }] })
    expect(await value(`tools.builtin.web_fetch({ url: "${origin}/page", max_chars: 100 })`)).toMatchObject({
      ok: true,
      data: { truncated: true },
    })
    for (const url of [
      "http://127.0.0.1:1/page",
      `${origin.replace("http://", "http://x@")}/page`,
      `${origin}.evil.test/page`,
      `http://evil.test/?${origin}/`,
    ])
      expect(paused(await run(`return await tools.builtin.web_fetch({ url: ${JSON.stringify(url)} })`))).toHaveLength(1)
  })

  test("always for one method allows no other", async () => {
    const [asked] = paused(await run(`return await tools.builtin.http_request({ method: "GET", url: "${origin}/once" })`))
    await product.request("POST", `/approvals/${asked?.approvalId}`, { action: "accept", remember: "always" })
    expect(await value(`tools.builtin.http_request({ method: "GET", url: "${origin}/again" })`)).toMatchObject({ ok: true })
    expect(paused(await run(`return await tools.builtin.http_request({ method: "DELETE", url: "${origin}/again" })`))).toMatchObject([
      { effect: "destroy" },
    ])
  })

  describe("allowed by a policy", () => {
    beforeAll(async () => void (await allow("builtin.**")))

    test("web_fetch reads a page in its character set, after a redirect", async () => {
      const answered = await value(`tools.builtin.web_fetch({ url: "${origin}/moved" })`)
      expect(answered).toMatchObject({
        ok: true,
        data: { url: `${origin}/page`, title: "Café tides", truncated: false, contentType: "text/html" },
      })
      const { content } = (answered as { data: { content: string } }).data
      expect(content).toContain("Café")
      expect(content).not.toContain("Menu")
      expect(await value(`tools.builtin.web_fetch({ url: "${origin}/page", format: "html" })`)).toMatchObject({
        data: { content: expect.stringContaining("<nav>Menu</nav>") },
      })
      expect(await value(`tools.builtin.web_fetch({ url: "${origin}/json" })`)).toMatchObject({
        data: { title: null, content: expect.stringContaining('"method":"GET"') },
      })
    })

    test("web_fetch refuses what is no text, what leads elsewhere, and what is built to take long", async () => {
      expect(await value(`tools.builtin.web_fetch({ url: "${origin}/file" })`)).toMatchObject({
        error: { message: expect.stringContaining("image/png") },
      })
      expect(await value(`tools.builtin.web_fetch({ url: "${origin}/away" })`)).toMatchObject({
        ok: false,
        error: { status: 302, details: { location: "http://localhost:1/secret" } },
      })
      expect(await value(`tools.builtin.web_fetch({ url: "${origin}/deep" })`)).toMatchObject({
        ok: false,
        error: { code: "upstream_error", message: expect.stringContaining("cannot be made readable") },
      })
      expect((await product.request("GET", "/tools?limit=1")).status).toBe(200)
    })

    test.each([
      "http://127.0.0.1:1/",
      "http://localhost:22/",
      "http://169.254.169.254/latest/meta-data/",
      "http://[::1]/",
      "http://10.0.0.1/",
      "http://0x7f000001:1/",
    ])("%s is private, and never reached", async (url) => {
      for (const call of [
        `web_fetch({ url: "${url}" })`,
        `http_request({ method: "GET", url: "${url}" })`,
        `mcp_call({ server_url: "${url}", tool_name: "t", arguments: {} })`,
      ])
        expect(await value(`tools.builtin.${call}`)).toMatchObject({ ok: false, error: { code: "upstream_unreachable" } })
    })

    test("our own address is never reached", async () => {
      expect(await value(`tools.builtin.http_request({ method: "GET", url: "${product.url}/api/tools" })`)).toMatchObject({
        ok: false,
        error: { code: "upstream_unreachable" },
      })
    })

    test("http_request sends what it is told, and none of the forbidden headers", async () => {
      const request = { method: "POST", url: `${origin}/echo?a=1`, query: { b: ["x y", 2] }, body: { c: 3 }, headers: { "x-a": "1" } }
      expect(await value(`tools.builtin.http_request(${JSON.stringify(request)})`)).toMatchObject({
        ok: true,
        data: { method: "POST", url: "/echo?a=1&b=x%20y&b=2", body: '{"c":3}' },
        http: { status: 200 },
      })
      expect(seen.at(-1)?.headers).toMatchObject({ "x-a": "1", "content-type": "application/json" })
      const count = seen.length
      for (const headers of [{ Authorization: "x" }, { cookie: "x" }, { Host: "evil" }, { "x-a": "a\r\nb: c" }])
        expect(await value(`tools.builtin.http_request(${JSON.stringify({ method: "GET", url: origin, headers })})`)).toMatchObject({
          ok: false,
          error: { code: "invalid_arguments" },
        })
      expect(await value(`tools.builtin.http_request({ method: "GET", url: "http://user:pass@127.0.0.1/" })`)).toMatchObject({
        error: { code: "invalid_arguments" },
      })
      expect(await value(`tools.builtin.http_request({ method: "TRACE", url: "${origin}" })`)).toMatchObject({
        error: { code: "invalid_arguments" },
      })
      expect(seen).toHaveLength(count)
    })

    test("mcp_call calls a tool of a server by one request", async () => {
      const count = seen.length
      expect(await value(`tools.builtin.mcp_call({ server_url: "${origin}/mcp", tool_name: "t", arguments: { a: 1 } })`)).toEqual({
        ok: true,
        data: { got: { a: 1 } },
      })
      expect(seen.slice(count).map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
        { method: "tools/call", params: { name: "t", arguments: { a: 1 } } },
      ])
    })
  })

  test("web_search needs a key, and uses the tenant's, which nobody sees", async () => {
    expect(await value(`tools.builtin.web_search({ query: "tides" })`)).toMatchObject({ ok: false, error: { code: "auth_required" } })
    const store = await openSqliteStore({ path: join(product.dataDir, "executor.db") })
    const kind = { category: "custom", providerKey: "web_search", providerVariant: "serper" }
    const now = new Date().toISOString()
    const row = {
      id: "cred_1",
      ...kind,
      label: "Search",
      valueNames: '["api_key"]',
      endpoint: `${origin}/search`,
      createdAt: now,
      updatedAt: now,
    }
    await store.tenantCredentials.put(localHuman, row)
    await createEncryptedVault(keyFromText(secretKey))(store).put(localHuman, tenantCredentialRef(row.id), { api_key: searchKey })
    await store.close()
    const reply = await run(`return await tools.builtin.web_search({ query: "tides", top_k: 3 })`)
    expect(resultOf(reply)).toMatchObject({ ok: true, data: { results: [{ title: "T", url: "https://t.test/" }] } })
    expect(seen.at(-1)).toMatchObject({ url: "/search", headers: { "x-api-key": searchKey }, body: '{"q":"tides","num":3}' })
    const { body } = await product.request("GET", `/executions/${reply.executionId}`)
    for (const shown of [reply, body, product.output()]) expect(JSON.stringify(shown)).not.toContain(searchKey)
  })
})
