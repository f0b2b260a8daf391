// What is at a URL: every kind of source is recognised, and pages about an API lead to its document.
import { createServer } from "node:http"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { listen } from "../servers/listen.ts"
import type { Listening } from "../servers/listen.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const document = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Pets API", version: "1" },
  servers: [{ url: "https://pets.example" }],
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
  security: [{ key: [] }],
  paths: { "/pets": { get: { operationId: "listPets", responses: { 200: { description: "ok" } } } } },
})

type Answer = { readonly status?: number; readonly type?: string; readonly body?: string; readonly headers?: Record<string, string> }
type Handle = (request: IncomingMessage, body: string) => Answer | undefined

const html = (body: string, headers: Record<string, string> = {}): Answer => ({
  type: "text/html",
  body: `<!doctype html>${body}`,
  headers,
})
const json = (body: string): Answer => ({ type: "application/json", body })

/** A server that knows these paths and nothing else, and keeps what it was asked. */
async function serve(handle: Record<string, Answer> | Handle): Promise<Listening & { readonly asked: string[] }> {
  const asked: string[] = []
  const find: Handle =
    typeof handle === "function" ? handle : (request) => (request.method === "GET" ? handle[request.url ?? ""] : undefined)
  const server: Server = createServer((request: IncomingMessage, response: ServerResponse) => {
    asked.push(`${request.method} ${request.url}`)
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      const { status = 200, type = "text/plain", body: text = "", headers = {} } = find(request, body) ?? { status: 404, body: "no" }
      response.writeHead(status, { "content-type": type, ...headers }).end(text)
    })
  })
  const listening = await listen(server)
  open.push(listening)
  return { ...listening, asked }
}

const open: Listening[] = []
let product: Product
beforeAll(async () => {
  product = await startProduct({ env: { EXECUTOR_LIMITS: JSON.stringify({ detectMs: 10_000 }) } })
})
afterAll(async () => {
  await product.stop()
  for (const server of open) await server.close()
})

const detect = (url: string) => product.request("POST", "/integrations/detect", { url })

describe("an OpenAPI document", () => {
  const pages: Record<string, Record<string, Answer>> = {
    "at the URL itself": { "/start": json(document) },
    "at /openapi.json": { "/openapi.json": json(document) },
    "at springdoc's place": { "/v3/api-docs": json(document) },
    "near the URL": { "/start/openapi.json": json(document) },
    "in a Link header": { "/start": html("hello", { link: '</d/a.json>; rel="service-desc"' }), "/d/a.json": json(document) },
    "in a link element": { "/start": html('<link href="d/b.json" rel="service-desc">'), "/d/b.json": json(document) },
    "of Swagger UI": {
      "/start": html("<div id=swagger-ui></div><script>SwaggerUIBundle({ url: '/d/c.json', dom_id: '#swagger-ui' })</script>"),
      "/d/c.json": json(document),
    },
    "of Swagger UI with an initializer": {
      "/start": html('<script src="./swagger-initializer.js" charset="UTF-8"> </script>'),
      "/swagger-initializer.js": { type: "text/javascript", body: 'window.ui = SwaggerUIBundle({ "configUrl" : "/d/config" })' },
      "/d/config": json('{"urls":[{"url":"/d/d.json","name":"v1"}]}'),
      "/d/d.json": json(document),
    },
    "of Redoc": { "/start": html('<redoc spec-url="/d/e.json?a=1&amp;b=2"></redoc>'), "/d/e.json?a=1&b=2": json(document) },
    "of Scalar": { "/start": html('<script id="api-reference" data-url="/d/f.yaml"></script>'), "/d/f.yaml": json(document) },
    "in a catalog of APIs": {
      "/.well-known/api-catalog": {
        type: "application/linkset+json",
        body: '{"linkset":[{"anchor":"x","service-desc":[{"href":"/d/g.json"}]}]}',
      },
      "/d/g.json": json(document),
    },
    "behind a docs page": { "/docs": html('<a href="/d/openapi.yaml">Download</a>'), "/d/openapi.yaml": json(document) },
  }

  test.each(Object.entries(pages))("%s is found", async (_name, paths) => {
    const server = await serve(paths)
    const { status, body } = await detect(`${server.url}/start`)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { kind: "openapi", slug: "pets", name: "Pets API", auth: [{ template: "api_key", values: ["key"] }] },
    })
    const { spec } = (body as { config: { spec: string } }).config
    const place = spec.slice(server.url.length)
    expect(paths[place]?.body).toBe(document)
  })

  test("that is no OpenAPI does not end the search, and is named when nothing else is found", async () => {
    const broken = { "/start": json('{"swagger": "1.2"}') }
    const found = await serve({ ...broken, "/swagger.json": json(document) })
    expect((await detect(`${found.url}/start`)).body).toMatchObject({ config: { spec: `${found.url}/swagger.json` } })
    const lost = await serve(broken)
    expect((await detect(`${lost.url}/start`)).body).toMatchObject({
      error: { code: "not_found", message: expect.stringContaining("version 1.2") },
    })
  })

  test("a page cannot lead to a private host that nobody named", async () => {
    const secret = await serve({ "/openapi.json": json(document) })
    const page = await serve({ "/start": html(`<redoc spec-url="${secret.url}/openapi.json"></redoc>`) })
    expect((await detect(`${page.url}/start`)).status).toBe(404)
    expect(secret.asked).toEqual([])
  })

  test("a page that leads to ever more pages is left", async () => {
    const server = await serve(({ method, url }) =>
      method === "GET" ? html(Array.from({ length: 50 }, (_, at) => `<a href="${url}/${at}-openapi">x</a>`).join("")) : undefined,
    )
    expect((await detect(`${server.url}/start`)).status).toBe(404)
    expect(server.asked.filter((one) => one.startsWith("GET")).length).toBeLessThanOrEqual(45)
  })
})

describe("other kinds", () => {
  const graphql: Handle = ({ method, url }, body) =>
    method === "POST" && url === "/graphql" && body.includes("__typename") ? json('{"data":{"__typename":"Query"}}') : undefined
  const mcp: Handle = ({ method, url }, body) =>
    method === "POST" && url === "/mcp" && body.includes("initialize")
      ? json(
          '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"Tool Box","version":"1"}}}',
        )
      : undefined

  test("a GraphQL endpoint and an MCP server are told apart on one host", async () => {
    const server = await serve((request, body) => graphql(request, body) ?? mcp(request, body))
    expect((await detect(`${server.url}/graphql`)).body).toMatchObject({
      kind: "graphql",
      config: { endpoint: `${server.url}/graphql` },
      auth: [{ template: "none" }, { template: "bearer" }, { template: "api_key" }],
    })
    expect((await detect(`${server.url}/mcp`)).body).toMatchObject({
      kind: "mcp",
      slug: "tool_box",
      config: { transport: "http", url: `${server.url}/mcp` },
    })
  })

  test("what is at the URL comes before the host's OpenAPI document, which comes first for the host alone", async () => {
    const server = await serve((request, body) => {
      if (request.method === "GET") return request.url === "/openapi.json" ? json(document) : undefined
      return graphql(request, body) ?? mcp(request, body)
    })
    expect((await detect(`${server.url}/mcp`)).body).toMatchObject({ kind: "mcp" })
    expect((await detect(`${server.url}/graphql`)).body).toMatchObject({ kind: "graphql" })
    expect((await detect(server.url)).body).toMatchObject({ kind: "openapi" })
  })

  test("an API that answers everything with JSON errors is no GraphQL endpoint when it has a document", async () => {
    const server = await serve(({ method, url }) =>
      method === "GET" && url === "/v1/openapi.json"
        ? json(document)
        : { status: 404, type: "application/json", body: '{"errors":[{"message":"Not found"}]}' },
    )
    expect((await detect(`${server.url}/v1`)).body).toMatchObject({ kind: "openapi" })
  })

  test("an MCP server that wants authorization says so", async () => {
    const server = await serve(({ method, url }) =>
      method === "POST" && url === "/mcp"
        ? {
            status: 401,
            headers: { "www-authenticate": 'Bearer resource_metadata="https://example.com/.well-known/oauth-protected-resource"' },
          }
        : undefined,
    )
    expect((await detect(`${server.url}/mcp`)).body).toMatchObject({ kind: "mcp", auth: [{ template: "oauth2" }, { template: "bearer" }] })
  })
})

describe("an ordinary API", () => {
  const bearer = { "www-authenticate": "Bearer" }
  const rpc = '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}'
  test.each<[string, Answer]>([
    ["/", { status: 401, body: '{"message":"no"}' }],
    ["/v1", { status: 401, body: '{"message":"no"}' }],
    ["/", { status: 401, body: "{}", headers: bearer }],
    ["/v1/users", { status: 401, body: "{}", headers: bearer }],
    ["/", { status: 401, body: "{}", headers: { "www-authenticate": 'Bearer resource_metadata="https://x.example/m"' } }],
    ["/", { status: 403, body: '{"message":"no"}' }],
    ["/", { status: 404, body: '{"errors":[{"message":"Not found"}]}' }],
    ["/v1/users", { status: 200, body: '{"errors":[{"message":"x"}]}' }],
    ["/rpc", { status: 200, body: rpc }],
    ["/", { status: 200, body: rpc }],
    ["/", { status: 405, body: "{}" }],
  ])("that answers everything as it does at %s, with %j, is nothing else", async (path, answer) => {
    const server = await serve(({ method, url }) =>
      method === "GET" && url === path && answer.status === 200 ? json('{"name":"mine"}') : { type: "application/json", ...answer },
    )
    const { status, body } = await detect(server.url + (path === "/" ? "" : path))
    const challenged = answer.headers?.["www-authenticate"]?.includes("resource_metadata") === true
    expect([status, (body as { kind?: string }).kind]).toEqual(challenged ? [200, "mcp"] : [404, undefined])
  })

  test("a server of MCP is known by its answer, its complaint, or its place among others", async () => {
    const at = (path: string, answer: Answer) => serve(({ url }) => (url === path ? { type: "application/json", ...answer } : undefined))
    const token = await at("/mcp", { status: 401, body: "{}" })
    expect((await detect(token.url)).body).toMatchObject({
      kind: "mcp",
      config: { url: `${token.url}/mcp` },
      auth: [{ template: "bearer" }],
    })
    const strict = await at("/tools", {
      status: 400,
      body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unsupported protocol version"}}',
    })
    expect((await detect(`${strict.url}/tools`)).body).toMatchObject({ kind: "mcp" })
    const named = await at("/mcp", { body: rpc })
    expect((await detect(`${named.url}/mcp`)).body).toMatchObject({ kind: "mcp" })
  })

  test("a refusal that could be one of MCP does not hide the API's document", async () => {
    const server = await serve(({ method, url }) =>
      method === "GET" && url === "/openapi.json"
        ? json(document)
        : { status: 401, headers: { "www-authenticate": 'Bearer resource_metadata="https://x.example/m"' } },
    )
    expect((await detect(`${server.url}/v1`)).body).toMatchObject({ kind: "openapi" })
  })
})

describe("nothing", () => {
  test("where something answers, it says what was tried", async () => {
    const server = await serve({ "/": html("Welcome") })
    const { status, body } = await detect(server.url)
    expect(status).toBe(404)
    expect(body).toMatchObject({ error: { code: "not_found", message: expect.stringContaining("GET /openapi.json (404)") } })
    const { tried } = (body as { error: { details: { tried: string[] } } }).error.details
    expect(tried).toEqual(expect.arrayContaining(["GET / (200)", "POST /graphql (404)", "POST /mcp (404)", "GET /v3/api-docs (404)"]))
  })

  test("where nothing answers, it says that", async () => {
    expect((await detect("http://127.0.0.1:1/")).body).toMatchObject({
      error: { code: "invalid_request", message: expect.stringContaining("Could not connect to 127.0.0.1:1") },
    })
    expect((await detect("ftp://example.com")).body).toMatchObject({ error: { code: "invalid_request" } })
  })

  test("a server that never answers is not waited for", async () => {
    const silent = createServer(() => {})
    const listening = await listen(silent)
    open.push(listening)
    expect((await detect(listening.url)).body).toMatchObject({ error: { message: expect.stringMatching(/No OpenAPI document/) } })
  })
})
