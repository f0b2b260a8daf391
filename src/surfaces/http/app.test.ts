// The API over a real socket and a real store: who gets in, and where things are.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { TestServer } from "./testing/server.ts"
import { startTestServer } from "./testing/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const protectedPaths = [
  "/api/tools",
  "/api/tools/schema?address=a.b",
  "/api/integrations",
  "/api/connections",
  "/api/tokens",
  "/api/tools/search?query=a",
  "/api/executions",
  "/api/executions/exe_1",
  "/api/executions/exe_1/result",
  "/api/executions/exe_1/events",
  "/api/approvals",
  "/api/policies",
  "/api/audit",
  "/api/nope",
  "/api",
]

describe("token", () => {
  test.each(protectedPaths)("%s needs one", async (path) => {
    const { status, headers, body } = await server.call("GET", path, { token: null })
    expect(status).toBe(401)
    expect(headers.get("www-authenticate")).toBe('Bearer realm="executor"')
    expect(body).toMatchObject({ error: { code: "unauthorized", message: expect.stringContaining("EXECUTOR_DATA_DIR/token") } })
  })

  test.each([
    "Bearer",
    "Bearer ",
    "Basic abc",
    "Bearer a b",
    "Bearer ünïcode",
    "exh_abc",
    "Bearer wrong",
    `Bearer ${"x".repeat(10_000)}`,
    "Bearer ' OR 1=1",
  ])("'%s' is none", async (authorization) => {
    const header = Buffer.from(authorization).toString("latin1")
    expect(await server.call("GET", "/api/tools", { token: null, headers: { authorization: header } })).toMatchObject({
      status: 401,
      body: { error: { code: "unauthorized" } },
    })
  })

  test("the scheme is read in any case", async () => {
    const headers = { authorization: `bEARER ${server.tokens.human}` }
    expect(await server.call("GET", "/api/tools", { token: null, headers })).toMatchObject({ status: 200 })
  })

  test("two Authorization headers are none", async () => {
    const line = `authorization: Bearer ${server.tokens.human}\r\n`
    const answer = await server.raw(
      `GET /api/tools HTTP/1.1\r\nhost: localhost\r\n${line}authorization: Bearer other\r\nconnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 401 /)
  })

  test("a revoked token is refused at the next request", async () => {
    const made = await server.call("POST", "/api/tokens", { body: { name: "short-lived", kind: "agent" } })
    const { id, token } = made.body as { id: string; token: string }
    expect(await server.call("GET", "/api/tools", { token })).toMatchObject({ status: 200 })
    expect(await server.call("DELETE", `/api/tokens/${id}`)).toMatchObject({ status: 204, body: "" })
    expect(await server.call("GET", "/api/tools", { token })).toMatchObject({ status: 401 })
    expect(await server.call("DELETE", `/api/tokens?id=${id}`)).toMatchObject({ status: 404, body: { error: { code: "not_found" } } })
  })

  test("an agent neither makes nor lists tokens", async () => {
    const token = server.tokens.agent
    expect(await server.call("POST", "/api/tokens", { token, body: { name: "x", kind: "human" } })).toMatchObject({ status: 403 })
    expect(await server.call("GET", "/api/tokens", { token })).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } })
  })
})

describe("what is open", () => {
  test("health", async () => {
    expect(await server.call("GET", "/api/health", { token: null })).toMatchObject({
      status: 200,
      body: { status: "ok", version: "1.2.3", store: "sqlite" },
    })
  })

  test.each(["/", "/api/docs", "/api/openapi.json", "/api/health", "/favicon.ico"])(
    "%s answers GET and HEAD without a token",
    async (path) => {
      const got = await server.call("GET", path, { token: null })
      const head = await server.call("HEAD", path, { token: null })
      expect([200, 204]).toContain(got.status)
      expect(head).toMatchObject({ status: got.status, body: "" })
      expect(head.headers.get("content-type")).toBe(got.headers.get("content-type"))
    },
  )
})

describe("headers", () => {
  test.each(["/api/health", "/api/tools", "/api/nope", "/nope", "/", "/api/docs"])(
    "%s carries the protective ones and an id",
    async (path) => {
      const { headers } = await server.call("GET", path)
      expect(headers.get("x-content-type-options")).toBe("nosniff")
      expect(headers.get("referrer-policy")).toBe("no-referrer")
      expect(headers.get("cache-control")).toBe("no-store")
      expect(headers.get("content-security-policy")).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/)
      expect(headers.get("x-request-id")).toMatch(/^req_/)
      expect(headers.has("access-control-allow-origin")).toBe(false)
      expect(headers.has("x-powered-by")).toBe(false)
    },
  )

  test("request ids differ, and a client can not choose them", async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () =>
        (await server.call("GET", "/api/health", { headers: { "x-request-id": "mine" } })).headers.get("x-request-id"),
      ),
    )
    expect(new Set(ids).size).toBe(3)
    expect(ids).not.toContain("mine")
  })

  test("another site is refused whatever it asks for, also with a token", async () => {
    for (const path of ["/", "/api/health", "/api/tools"]) {
      const answer = await server.call("GET", path, { headers: { origin: "http://evil.example" } })
      expect(answer).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } })
    }
    const preflight = await server.call("OPTIONS", "/api/tools", {
      token: null,
      headers: { origin: "http://evil.example", "access-control-request-method": "GET" },
    })
    expect(preflight.status).toBe(403)
  })

  test("the server's own pages are let in", async () => {
    expect(await server.call("GET", "/api/tools", { headers: { origin: server.url } })).toMatchObject({ status: 200 })
  })
})

describe("paths and methods", () => {
  test.each([
    ["PUT", "/api/tokens", "GET, POST, DELETE, HEAD"],
    ["PATCH", "/api/tools", "GET, HEAD, POST"],
    ["POST", "/api/integrations/github", "GET, PATCH, DELETE, HEAD"],
    ["GET", "/api/connections/org/github/main/refresh", "POST"],
    ["DELETE", "/api/health", "GET, HEAD"],
    ["DELETE", "/api/executions/exe_1", "GET, HEAD"],
    ["GET", "/api/executions/exe_1/cancel", "POST"],
    ["PUT", "/api/approvals/apr_1", "GET, HEAD, POST"],
    ["PUT", "/api/policies/pol_1", "PATCH, DELETE"],
    ["GET", "/api/policies/explain", "PATCH, DELETE, POST"],
    ["POST", "/", "GET, HEAD"],
    ["OPTIONS", "/api/tools", "GET, HEAD, POST"],
  ])("%s %s is answered with what is allowed", async (method, path, allow) => {
    const { status, headers, body } = await server.call(method, path)
    expect(status).toBe(405)
    expect(headers.get("allow")?.split(", ").toSorted()).toEqual(allow.split(", ").toSorted())
    expect(body).toMatchObject({ error: { code: "invalid_request" } })
  })

  test.each([
    "/api/nope",
    "/api",
    "/api/tools/schema/x",
    "/nope",
    "/tools",
    "/api/connections/org/x",
    "/API/tools",
    "/api//tools",
    "/index.html",
    "/.env",
  ])("%s is not found, with a hint", async (path) => {
    const { status, body } = await server.call("GET", path)
    expect(status).toBe(404)
    expect(body).toMatchObject({ error: { code: "not_found", message: expect.stringContaining("/api/docs") } })
  })

  test("a trailing slash does not matter", async () => {
    expect(await server.call("GET", "/api/tools/")).toMatchObject({ status: 200 })
    expect(await server.call("PUT", "/api/tools/")).toMatchObject({ status: 405 })
  })

  test.each(["TRACE", "CONNECT", "PROPFIND", "BREW", "get"])("%s does no harm", async (method) => {
    const answer = await server.raw(
      `${method} /api/tools HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${server.tokens.human}\r\nconnection: close\r\n\r\n`,
    )
    expect(answer).not.toMatch(/^HTTP\/1.1 (2|5)/)
  })

  test.each([
    "/api/connections/org/%2e%2e/%2e%2e",
    "/api/connections/org/..%2f..%2f..%2fetc/passwd",
    "/api/integrations/%00",
    "/api/integrations/%zz",
    "/api/integrations/%F0%28%8C%28",
    "/api/integrations/__proto__",
    "/api/integrations/constructor",
    `/api/integrations/${"a".repeat(150)}`,
    "/api/integrations/'%20OR%20'1'='1",
    "/api/connections/user/a%2Fb/main",
  ])("%s names nothing", async (path) => {
    const answer = await server.raw(
      `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${server.tokens.human}\r\nconnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 40[04] /)
    expect(answer).toMatch(/"code":"(invalid_request|not_found)"/)
  })

  test("an unknown owner is named", async () => {
    expect(await server.call("GET", "/api/connections/everyone/github/main")).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_request", message: expect.stringContaining("'owner'") } },
    })
  })
})
