// The API over a real socket and a real store: which requests are refused, and how failures are told.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ExecutorError } from "../../core/errors.ts"
import type { TestServer } from "./testing/server.ts"
import { startTestServer } from "./testing/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ limits: { requestSmallBodyBytesMax: 2000 } })
})
afterAll(() => server.close())

describe("queries", () => {
  test.each([
    ["/api/tools?limit=0", "'limit'"],
    ["/api/tools?limit=1001", "'limit'"],
    ["/api/tools?limit=-1", "'limit'"],
    ["/api/tools?limit=1.5", "'limit'"],
    ["/api/tools?limit=ten", "'limit'"],
    ["/api/tools?limit=1&limit=2", "twice"],
    ["/api/tools?limit=1&cursor=garbage", "cursor"],
    ["/api/tools?cursor=%00", "cursor"],
    ["/api/tools?cursor=WyJhIl0", "cursor"],
    [`/api/tools?cursor=${"a".repeat(3000)}`, "cursor"],
    ["/api/tools?owner=root", "'owner'"],
    ["/api/tools?includeBlocked=perhaps", "'includeBlocked'"],
    ["/api/tools?include_annotations=true&includeAnnotations=true", "twice"],
    ["/api/tools?__proto__=x", "__proto__"],
    ["/api/tools?integratoin=github", "integratoin"],
    ["/api/tools/schema", "'address'"],
    ["/api/tools/schema?address=", "'address'"],
    ["/api/integrations?cursor=garbage", "cursor"],
    ["/api/connections?cursor=e30", "cursor"],
    ["/api/tokens?cursor=W10", "cursor"],
    ["/api/tokens?limit=%31%30%30%31", "'limit'"],
  ])("%s is refused by name", async (path, named) => {
    const { status, body } = await server.call("GET", path)
    expect(body).toMatchObject({ error: { code: "invalid_request", message: expect.stringContaining(named) } })
    expect(status).toBe(400)
  })

  test("a tool that is not there is not found", async () => {
    const { status, body } = await server.call("GET", "/api/tools/schema?address=tools.github.org.main.getRepo")
    expect(status).toBe(404)
    expect(body).toMatchObject({
      error: {
        code: "tool_not_found",
        message: "Tool path 'github.org.main.getRepo' not found",
        details: { suggestions: expect.any(Array) },
      },
    })
  })

  test.each(["tools", "....", "__proto__.constructor", "a".repeat(5000), "tools.github.org.main.\u0000", "../../etc/passwd"])(
    "the address %j resolves to nothing",
    async (address) => {
      const { status, body } = await server.call("GET", `/api/tools/schema?address=${encodeURIComponent(address)}`)
      expect([400, 404]).toContain(status)
      expect(JSON.stringify(body).length).toBeLessThan(1000)
    },
  )
})

describe("bodies", () => {
  test.each([
    ["{}", "'name'"],
    ['{"name":"x"}', "'kind'"],
    ['{"name":"","kind":"human"}', "'name'"],
    ['{"name":7,"kind":"human"}', "'name'"],
    ['{"name":"x","kind":"robot"}', "'kind'"],
    ['{"name":"x","kind":"agent","elicitation":["telepathy"]}', "'elicitation.0'"],
    ['{"name":"x","kind":"agent","admin":true}', "'admin'"],
    ['{"__proto__":{"kind":"human"},"name":"x"}', "'kind'"],
    ['{"name":"x","kind":"human","__proto__":{}}', "'__proto__'"],
    ["[]", "body"],
    ["null", "body"],
    ['"text"', "body"],
    ["{", "JSON"],
    ["", "JSON"],
    ["[".repeat(1500), "JSON"],
    [`{"name":${"[".repeat(900)}${"]".repeat(900)}}`, "'name'"],
  ])("%.60s is refused by name", async (body, named) => {
    const answer = await server.call("POST", "/api/tokens", { body })
    expect(answer.body).toMatchObject({ error: { code: "invalid_request", message: expect.stringContaining(named) } })
    expect(answer.status).toBe(400)
  })

  test("a nest of objects is refused before anything walks it", async () => {
    const config = `${'{"a":'.repeat(1200)}1${"}".repeat(1200)}`
    const answer = await server.call("POST", "/api/integrations", { body: `{"slug":"x","kind":"openapi","config":${config}}` })
    expect(answer).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining("nested more than 1000 levels") } } })
  })

  test("a form, which a web page may send anywhere, is refused", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    expect(await server.call("POST", "/api/tokens", { body: "name=x&kind=human", headers })).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_request", message: expect.stringContaining("content-type: application/json") } },
    })
  })

  test("a body over the limit is refused", async () => {
    const answer = await server.call("POST", "/api/tokens", { body: { name: "x".repeat(3000), kind: "human" } })
    expect(answer).toMatchObject({
      status: 413,
      body: { error: { code: "payload_too_large", message: expect.stringContaining("2000 bytes") } },
    })
  })

  test("the token is asked for before the body is read", async () => {
    expect(await server.call("POST", "/api/tokens", { token: null, body: "{" })).toMatchObject({ status: 401 })
  })
})

describe("failures behind the surface", () => {
  const boom = new TypeError("secret-of-the-house")
  const logged: { fields: Record<string, unknown>; message: string }[] = []
  const note = (fields: Record<string, unknown>, message: string): void => void logged.push({ fields, message })
  let broken: TestServer
  beforeAll(async () => {
    broken = await startTestServer({
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: note },
      wrap: (api) => ({
        ...api,
        tools: { ...api.tools, list: () => Promise.reject(boom), schema: () => Promise.reject("text") },
        integrations: {
          ...api.integrations,
          list: () => Promise.reject(new ExecutorError("rate_limited", "Slow down", { retryAfterMs: 5 })),
        },
        connections: {
          ...api.connections,
          list: () => Promise.reject(new ExecutorError("conflict", "Twice", { circular: boom, big: 1n })),
        },
      }),
    })
  })
  afterAll(() => broken.close())

  test.each(["/api/tools", "/api/tools/schema?address=a.b.c.d"])(
    "a bug at %s is an id for the caller and a line in the log",
    async (path) => {
      logged.length = 0
      const { status, headers, body } = await broken.call("GET", path)
      const id = headers.get("x-request-id") ?? ""
      expect(status).toBe(500)
      expect(body).toEqual({ error: { code: "internal", message: expect.stringContaining(id), details: { id } } })
      expect(JSON.stringify(body)).not.toContain("secret-of-the-house")
      expect(logged).toMatchObject([{ fields: { requestId: id } }])
    },
  )

  test("an error of the table keeps its code, message and details", async () => {
    expect(await broken.call("GET", "/api/integrations")).toMatchObject({
      status: 429,
      body: { error: { code: "rate_limited", message: "Slow down", details: { retryAfterMs: 5 } } },
    })
  })

  test("details that are no JSON are left out", async () => {
    expect(await broken.call("GET", "/api/connections")).toMatchObject({
      status: 409,
      body: { error: { code: "conflict", message: "Twice" } },
    })
  })
})
