// Tests the URL that a call becomes, as a real server sees it.
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Caller } from "../../../../test/servers/openapi-call.ts"
import { parameter, startCaller } from "../../../../test/servers/openapi-call.ts"
import type { OpenApiBinding } from "../binding.ts"
import { baseOf, planOf } from "./request-plan.ts"
import { buildUrl, hasDotSegment } from "./request-url.ts"

let caller: Caller
beforeAll(async () => void (caller = await startCaller()))
afterAll(() => caller.close())

describe("the URL", () => {
  it("joins base, path and query", async () => {
    const parameters = [parameter("user id", "path"), parameter("limit", "query"), parameter("tenant", "query")]
    const binding = { path: "/users/{user id}/pets", servers: [`${caller.echo.url}/v1/?tenant=a#x`], parameters }
    const { path } = await caller.seen({ "user id": "a/b c", limit: 10, tenant: "b" }, { binding })
    expect(path).toBe("/v1/users/a%2Fb%20c/pets?tenant=a&limit=10")
  })

  it("prefers the base URL of the config", async () => {
    const given = { binding: { servers: ["https://api.example.com/v9"] }, config: { baseUrl: `${caller.echo.url}/v2/` } }
    expect((await caller.seen({}, given)).path).toBe("/v2/pets")
  })

  it("writes every style where it belongs", async () => {
    const parameters = [
      parameter("m", "path", { style: "matrix", explode: true }),
      parameter("l", "path", { style: "label" }),
      parameter("s", "path"),
      parameter("deep", "query", { style: "deepObject" }),
      parameter("pipe", "query", { style: "pipeDelimited", explode: false }),
      parameter("json", "query", { contentType: "application/json" }),
      parameter("raw", "query", { allowReserved: true }),
      parameter("renamed", "query", { arg: "renamed_query" }),
    ]
    const args = {
      m: ["a", "b"],
      l: 5,
      s: ["x", "y"],
      deep: { a: { b: 1 } },
      pipe: [1, 2],
      json: { a: "ü" },
      raw: "a/b?c",
      renamed_query: true,
    }
    const { path } = await caller.seen(args, { binding: { path: "/x{m}/{l}/{s}", parameters } })
    expect(path).toBe("/x;m=a;m=b/.5/x,y?deep%5Ba%5D%5Bb%5D=1&pipe=1%7C2&json=%7B%22a%22%3A%22%C3%BC%22%7D&raw=a/b?c&renamed=true")
  })

  it.each<[unknown, string | null, string]>([
    [{ a: 1, b: "x y" }, "application/x-www-form-urlencoded", "?a=1&b=x%20y"],
    ["a=1&b=2#c", "application/x-www-form-urlencoded", "?a=1&b=2%23c"],
    [{ a: [1] }, "application/json", "?%7B%22a%22%3A%5B1%5D%7D"],
    ["$.a[?(@.b)]", "text/plain", "?%24.a%5B%3F%28%40.b%29%5D"],
    ["", "text/plain", ""],
  ])("takes %j as the whole query (%s)", async (value, contentType, query) => {
    const binding = { parameters: [parameter("q", "querystring", { contentType })] }
    expect((await caller.seen({ q: value }, { binding })).path).toBe(`/pets${query}`)
  })

  it("keeps a query that stands in the path, drops a fragment, and leaves what no parameter fills", async () => {
    const binding = { path: "/do?action=list#second", parameters: [parameter("limit", "query")] }
    expect((await caller.seen({ limit: 1 }, { binding })).path).toBe("/do?action=list&limit=1")
    expect((await caller.seen({}, { binding: { path: "/a/{unknown}" } })).path).toBe("/a/%7Bunknown%7D")
  })

  it.each([".evil.test/", "@evil.test/", "//evil.test/", "\\\\evil.test/", ":1/"])(
    "does not leave its origin for the path %j",
    async (path) => {
      expect((await caller.seen({}, { binding: { path } })).headers["host"]).toBe(`127.0.0.1:${caller.echo.port}`)
    },
  )

  it.each([[[]], [["/relative"]], [["ftp://x"]], [[""]]])("needs a server, and %j is none", async (servers) => {
    const error = { code: "upstream_unreachable", message: expect.stringContaining("set baseUrl"), retryable: false }
    expect(await caller.call({}, { binding: { servers } })).toMatchObject({ ok: false, error })
  })
})

describe("a path value", () => {
  const given = { binding: { path: "/files/{name}/raw", parameters: [parameter("name", "path")] } }

  it.each([["", null, [], {}, [null], [""], undefined]].flat())("that is %j is refused as empty", async (value) => {
    expect(await caller.refusal(value === undefined ? {} : { name: value }, given)).toBe("Path parameter 'name' must not be empty")
  })

  const dotted = [".", "..", "%2e", "%2E.", "%252e%252e", "%25%32%65.", "../etc", "a/../b", "a\\..\\b", "a%2f..%2fb", "..%5cb"]
  it.each([...dotted, [".."], ["a", ".."], { a: ".." }])("that is %j is refused as a dot segment", async (value) => {
    expect(await caller.refusal({ name: value }, given)).toContain("must not be or contain the path segment")
  })

  it("that is encoded without end is refused in no time", async () => {
    expect(await caller.refusal({ name: `%${"25".repeat(200_000)}2e` }, given)).toContain("must not be or contain")
  })

  it("that only its style would make a dot segment is refused", async () => {
    const label = parameter("name", "path", { style: "label", explode: true })
    expect(await caller.refusal({ name: ["", ""] }, { binding: { path: "/{name}", parameters: [label] } })).toContain(
      "must not be or contain",
    )
  })

  it.each([
    ["...", "..."],
    [".hidden", ".hidden"],
    ["a..b", "a..b"],
    ["50%", "50%25"],
    ["%zz", "%25zz"],
    ["%2F", "%252F"],
    ["ü?#;", "%C3%BC%3F%23%3B"],
    ["a\tb\n", "a%09b%0A"],
    [0, "0"],
    [false, "false"],
  ])("that is %j is sent as %s", async (value, text) => {
    expect((await caller.seen({ name: value }, given)).path).toBe(`/files/${text}/raw`)
  })
})

describe("whatever the text is", () => {
  const parameters = [
    parameter("name", "path"),
    parameter("q", "query"),
    parameter("list", "query"),
    parameter("r", "query", { allowReserved: true }),
  ]
  const binding: OpenApiBinding = { method: "get", path: "/files/{name}/raw", servers: [], parameters, body: null, accept: [] }
  const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }), fc.stringMatching(/^[.%2eEfF5cC/\\&=#?+]{0,8}$/))
  const urlOf = (args: Record<string, unknown>): URL => {
    const base = baseOf("https://api.test/v1")
    expect(base).not.toBeNull()
    return new URL(base ? buildUrl(planOf(JSON.stringify(binding)), base, args, []) : "")
  }

  it("arrives as one path segment, in its place", () => {
    const name = text.filter((value) => value !== "" && !hasDotSegment(value))
    fc.assert(
      fc.property(name, (value) => {
        const url = urlOf({ name: value })
        expect(url.origin).toBe("https://api.test")
        const segments = url.pathname.split("/")
        expect(segments).toHaveLength(5)
        expect(decodeURIComponent(segments[3] ?? "")).toBe(value.toWellFormed())
      }),
    )
  })

  it("arrives as the value of its parameter, and of no other", () => {
    fc.assert(
      fc.property(text, text, (first, second) => {
        const { searchParams, hash } = urlOf({ name: "x", q: first, list: [second, first], r: "" })
        expect([...searchParams]).toEqual([
          ["q", first.toWellFormed()],
          ["list", second.toWellFormed()],
          ["list", first.toWellFormed()],
          ["r", ""],
        ])
        expect(hash).toBe("")
      }),
    )
  })

  it("adds no parameter of its own where reserved characters are allowed", () => {
    fc.assert(
      fc.property(text, (value) => {
        const { searchParams, hash } = urlOf({ name: "x", r: value })
        expect([...searchParams.keys()]).toEqual(["r"])
        expect(hash).toBe("")
      }),
    )
  })
})
