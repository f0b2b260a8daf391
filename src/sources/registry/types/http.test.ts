// Tests tools that send one HTTP request, as a real server sees them, with arguments that want to leave their place.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startEcho } from "../../../../test/servers/echo.ts"
import type { Echo, SeenRequest } from "../../../../test/servers/echo.ts"
import type { Given, RegistryCaller } from "../testing/caller.ts"
import { bindingOf, secret, startRegistryCaller } from "../testing/caller.ts"

let caller: RegistryCaller
let other: Echo
beforeAll(async () => {
  caller = await startRegistryCaller()
  other = await startEcho()
})
afterAll(async () => {
  await caller.close()
  await other.close()
})

type Config = { path: string; method?: string } & Record<string, unknown>

const call = ({ path, ...config }: Config, args: Record<string, unknown> = {}, given: Given = {}) =>
  caller.call("http", { method: "GET", url: `${caller.echo.url}${path}`, ...config }, args, given)

async function seen(config: Config, args: Record<string, unknown> = {}): Promise<SeenRequest> {
  expect(await call(config, args)).toMatchObject({ ok: true })
  expect(caller.echo.ledger).toHaveLength(1)
  return caller.echo.ledger[0] as SeenRequest // just counted
}

describe("arguments", () => {
  it("fill the URL, and become the query of a read", async () => {
    const { path, body } = await seen({ path: "/users/{id}/pets?view={view}" }, { id: "a/b c", view: "x&y=1", limit: 10, tags: ["a", "b"] })
    expect(path).toBe("/users/a%2Fb%20c/pets?view=x%26y%3D1&limit=10&tags=a&tags=b")
    expect(body.length).toBe(0)
  })

  it.each(["GET", "DELETE", "HEAD"])("become the query of %s", async (method) => {
    expect(await seen({ path: "/pets", method }, { limit: 1 })).toMatchObject({ method, path: "/pets?limit=1" })
  })

  it.each(["POST", "PUT", "PATCH"])("become the JSON body of %s", async (method) => {
    const { path, headers, body } = await seen({ path: "/users/{id}", method }, { id: 7, name: "Ada", tags: [1] })
    expect(path).toBe("/users/7")
    expect(headers["content-type"]).toBe("application/json")
    expect(JSON.parse(body.toString())).toEqual({ name: "Ada", tags: [1] })
  })

  it("do not change what the config says of query, body and headers", async () => {
    const read = await seen({ path: "/pets", query: { tenant: "ours" } }, { tenant: "theirs", q: 1 })
    expect(read.path).toBe("/pets?tenant=ours&q=1")
    const write = await seen(
      { path: "/pets", method: "POST", body: { tenant: "ours" }, headers: { "X-Team": "a" } },
      { tenant: "theirs", n: 1 },
    )
    expect(JSON.parse(write.body.toString())).toEqual({ tenant: "ours", n: 1 })
    expect(write.headers["x-team"]).toBe("a")
    const text = await seen({ path: "/pets", method: "POST", body: "as it is" }, { n: 1 })
    expect({ path: text.path, body: text.body.toString() }).toEqual({ path: "/pets?n=1", body: "as it is" })
  })
})

describe("hostile arguments", () => {
  const values = ["", ".", "..", "%2e%2e", "%2E", "../admin", "..%2fadmin", "a/../../b", "..\\admin", {}, [], null]
  it.each(values)("%j never fills a path", async (id) => {
    expect(await call({ path: "/users/{id}/pets" }, { id })).toMatchObject({ ok: false, error: { code: "invalid_arguments" } })
    expect(caller.echo.ledger).toEqual([])
  })

  it("may be missing, which is said", async () => {
    const answer = await call({ path: "/users/{id}" })
    expect(answer).toMatchObject({ ok: false, error: { code: "invalid_arguments", message: expect.stringContaining("'id'") } })
  })

  it.each(["@evil.example", "/..//evil.example", "?admin=1#x", "\r\nx-injected: 1", "a\u0000b", "\ud800", "http://evil.example"])(
    "%j stays one segment of the path",
    async (id) => {
      const answer = await call({ path: "/users/{id}" }, { id })
      if (!answer.ok) return expect(answer.error.code).toBe("invalid_arguments")
      const [request] = caller.echo.ledger
      expect(request?.path).toMatch(/^\/users\/[^/?#]+$/)
      expect(Object.keys(request?.headers ?? {})).not.toContain("x-injected")
    },
  )

  it("of a query may be empty or dots", async () => {
    expect((await seen({ path: "/pets?in={in}&q={q}" }, { in: "..", q: "" })).path).toBe("/pets?in=..&q=")
  })

  it("never name the host: such a URL is not called", async () => {
    for (const url of ["http://{host}/", "http://127.0.0.1{port}/", "{scheme}://x/", "http://a@b/", "file:///etc/passwd"]) {
      const answer = await caller.call("http", { method: "GET", url }, { host: "127.0.0.1", port: ":1", scheme: "http" })
      expect(answer).toMatchObject({
        ok: false,
        error: { code: "invalid_request", message: expect.stringContaining("executor registry edit") },
      })
    }
  })

  it("named like parts of prototypes are data", async () => {
    const args = JSON.parse('{"__proto__":{"x":1},"constructor":2}') as Record<string, unknown> // an object by its text
    expect((await seen({ path: "/pets", method: "POST" }, args)).body.toString()).toBe('{"__proto__":{"x":1},"constructor":2}')
    expect(await call({ path: "/users/{constructor}" })).toMatchObject({ ok: false, error: { code: "invalid_arguments" } })
  })
})

describe("secrets", () => {
  const headers = { Authorization: secret("Bearer planted-key"), Accept: secret("application/json") }

  it("are put in place for the call, and redacted from answers", async () => {
    const config = { path: "/pets", headers, query: { key: secret("${env:KEY}") } }
    const request = await seen(config)
    expect(request.headers["authorization"]).toBe("Bearer planted-key")
    expect(request.path).toBe("/pets?key=key-of-the-environment")
    const binding = JSON.stringify(bindingOf("http", { headers, query: config.query }))
    const openSecret = async (ref: string) => ({ value: ref.slice("ref:".length) })
    const credential = await caller.adapter.openCredential?.({ scope: { tenant: "t", user: "u" }, binding, openSecret })
    expect(credential?.secrets).toEqual(["Bearer planted-key", "key-of-the-environment"])
  })

  it("that are missing say how to set them again, and nothing is sent", async () => {
    const answer = await call({ path: "/pets", headers: { "X-Key": { $secret: "gone" } } })
    expect(answer).toMatchObject({
      ok: false,
      error: { code: "auth_required", message: expect.stringMatching(/headers\.X-Key .*executor registry edit sample/) },
    })
    expect(caller.echo.ledger).toEqual([])
  })

  it("with a line break are not sent", async () => {
    const answer = await call({ path: "/pets", headers: { "X-Key": secret("a\r\nx-injected: 1") } })
    expect(answer).toMatchObject({ ok: false, error: { message: expect.stringContaining("line break") } })
    expect(JSON.stringify(answer)).not.toContain("x-injected")
    expect(caller.echo.ledger).toEqual([])
  })

  it("are not in the preview", () => {
    const implementation = { method: "POST", url: `${caller.echo.url}/users/{id}`, headers, query: { key: secret("planted"), page: "1" } }
    const binding = JSON.stringify(bindingOf("http", implementation))
    expect(caller.adapter.previewRequest?.({ config: {}, binding, args: { id: "7", n: 1 } })).toEqual({
      method: "POST",
      url: `${caller.echo.url}/users/7?page=1`,
    })
    expect(caller.adapter.previewRequest?.({ config: {}, binding, args: { id: ".." } })).toBeNull()
  })

  it("are not taken along by a redirect to another origin", async () => {
    other.ledger.length = 0
    const path = `/redirect?to=${encodeURIComponent(`${other.url}/there`)}`
    const literalUrls = [caller.echo.url, other.url]
    expect(await call({ path, headers, query: { key: secret("planted-key") } }, {}, { binding: { literalUrls } })).toMatchObject({
      ok: true,
    })
    expect(other.ledger).toHaveLength(1)
    expect(JSON.stringify(other.ledger)).not.toContain("planted-key")
  })
})

describe("the network", () => {
  it("reaches a private host only where an admin wrote it", async () => {
    expect(await call({ path: "/pets" }, {}, { binding: { literalUrls: [] } })).toMatchObject({
      ok: false,
      error: { code: "upstream_unreachable" },
    })
    expect(caller.echo.ledger).toEqual([])
  })

  it("follows no redirect to another private host", async () => {
    other.ledger.length = 0
    const answer = await call({ path: `/redirect?to=${encodeURIComponent(other.url)}` })
    expect(answer).toMatchObject({ ok: false, error: { code: "upstream_unreachable" } })
    expect(other.ledger).toEqual([])
  })

  it("follows no redirect of a write", async () => {
    const answer = await call({ path: "/redirect?to=/there", method: "POST" })
    expect(answer).toMatchObject({ ok: false, error: { code: "upstream_error", status: 302 } })
    expect(caller.echo.ledger).toHaveLength(1)
  })

  it("ends an answer that is too large", async () => {
    expect(await call({ path: "/large" }, {}, { limits: { responseBytesMax: 100_000 } })).toMatchObject({
      ok: false,
      error: { code: "response_too_large" },
    })
  })

  it("waits no longer than timeout_s, or than the call may take", async () => {
    expect(await call({ path: "/slow", timeout_s: 0.05 })).toMatchObject({ ok: false, error: { code: "timeout" } })
    expect(await call({ path: "/slow", timeout_s: 600 }, {}, { limits: { callTimeoutMs: 50 } })).toMatchObject({
      ok: false,
      error: { code: "timeout" },
    })
  })

  it("reads answers as those of an OpenAPI source", async () => {
    expect(await call({ path: "/status/404" })).toMatchObject({ ok: false, error: { code: "upstream_error", status: 404 } })
    expect(await call({ path: "/text" })).toMatchObject({ ok: true, data: "Grüße", http: { status: 200 } })
    expect(await call({ path: "/binary" })).toMatchObject({ ok: true, data: { _tag: "ToolFile", byteLength: 256 } })
    expect(await call({ path: "/pets" })).not.toHaveProperty("http.headers.set-cookie")
  })
})
