// Tests headers, cookies and credentials as a real server sees them.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Echo } from "../../../../test/servers/echo.ts"
import { startEcho } from "../../../../test/servers/echo.ts"
import type { Caller } from "../../../../test/servers/openapi-call.ts"
import { parameter, startCaller } from "../../../../test/servers/openapi-call.ts"
import type { Placement } from "../../../core/auth.ts"

let caller: Caller
let other: Echo
beforeAll(async () => void ([caller, other] = await Promise.all([startCaller(), startEcho()])))
afterAll(() => Promise.all([caller.close(), other.close()]))

describe("headers and cookies", () => {
  it("are written as the document says, and unknown arguments are not", async () => {
    const parameters = [
      parameter("X-List", "header"),
      parameter("X-Object", "header", { explode: true }),
      parameter("X-Json", "header", { contentType: "application/json" }),
      parameter("X-None", "header"),
      parameter("X-Text", "header", { arg: "text" }),
    ]
    const args = { "X-List": [1, "b c"], "X-Object": { a: 1, b: 2 }, "X-Json": { a: "ü\n" }, "X-None": null, text: "Grüße ✓", "X-Extra": 1 }
    const { headers } = await caller.seen(args, { binding: { parameters } })
    expect(headers).toMatchObject({
      "x-list": "1,b c",
      "x-object": "a=1,b=2",
      "x-json": '{"a":"\\u00fc\\n"}',
      accept: "application/json, */*;q=0.1",
      "user-agent": "executor",
    })
    expect(Buffer.from(headers["x-text"] ?? "", "latin1").toString("utf8")).toBe("Grüße ✓")
    expect(Object.keys(headers)).not.toContain("x-none")
    expect(Object.keys(headers)).not.toContain("x-extra")
  })

  it.each([
    [[], "*/*"],
    [["*/*"], "*/*"],
    [["text/csv", "image/*"], "text/csv, image/*, */*;q=0.1"],
  ])("accept %j, and anything rather than nothing", async (accept, expected) => {
    expect((await caller.seen({}, { binding: { accept } })).headers["accept"]).toBe(expected)
  })

  const forbidden = ["Authorization", "COOKIE", "host", "Content-Length", "transfer-encoding", "connection"]
  it.each([...forbidden, "Proxy-Authorization", "proxy-connection", "expect", "upgrade", "te"])(
    "may not be set by an argument: %s",
    async (name) => {
      const message = await caller.refusal({ [name]: "x" }, { binding: { parameters: [parameter(name, "header")] } })
      expect(message).toBe(`An argument may not set the header '${name}'`)
    },
  )

  it.each(["a\r\nauthorization: x", "a\nb", "a\u0000b", "a\u007fb", ["a", "b\rc"], { "a\n": 1 }])(
    "may not hold the control characters of %j",
    async (value) => {
      const message = await caller.refusal({ "X-A": value }, { binding: { parameters: [parameter("X-A", "header")] } })
      expect(message).toContain("must not hold control characters")
    },
  )

  it("go together in one Cookie header, in which the credential wins", async () => {
    const parameters = [parameter("session", "cookie"), parameter("theme", "cookie"), parameter("list", "cookie", { explode: false })]
    const placements: Placement[] = [
      { in: "cookie", name: "session", value: "secret" },
      { in: "cookie", name: "csrf", value: "a=b" },
    ]
    const args = { session: "mine", theme: 'a; admin=1,"ü"', list: ["a", "b"] }
    const { headers } = await caller.seen(args, {
      binding: { parameters },
      credential: { placements },
      config: { headers: { Cookie: "fixed=1" } },
    })
    expect(headers["cookie"]).toBe("fixed=1; theme=a%3B%20admin=1%2C%22%C3%BC%22; list=a,b; session=secret; csrf=a=b")
  })
})

describe("credentials", () => {
  const placements: Placement[] = [
    { in: "header", name: "Authorization", value: "Bearer secret" },
    { in: "query", name: "api_key", value: "s&cret" },
    { in: "cookie", name: "sid", value: "secret" },
  ]
  const config = { headers: { "x-tenant": "secret" } }

  it("go to a confirmed origin, over what arguments say", async () => {
    const parameters = [
      parameter("api_key", "query"),
      parameter("q", "query"),
      parameter("filter", "query"),
      parameter("X-Tenant", "header"),
    ]
    const args = { api_key: "mine", q: 1, filter: { api_key: "mine" }, "X-Tenant": "mine" }
    const { path, headers } = await caller.seen(args, { binding: { parameters }, credential: { placements }, config })
    expect(path).toBe("/pets?q=1&api_key=s%26cret")
    expect(headers).toMatchObject({ authorization: "Bearer secret", cookie: "sid=secret", "x-tenant": "secret" })
  })

  it("and all else stay here when the origin was not confirmed", async () => {
    const result = await caller.call({}, { binding: { servers: [other.url] }, credential: { placements }, config })
    expect(result).toMatchObject({
      ok: false,
      error: { code: "auth_required", message: expect.stringContaining(other.url), details: { origin: other.url } },
    })
    expect(other.ledger).toEqual([])
  })

  it("and all else stay here when no origin was confirmed at all", async () => {
    caller.echo.ledger.length = 0
    const baseUrl = caller.echo.url.replace("//", "//user:pass@")
    const result = await caller.call({}, { credential: { placements, origins: [] }, config: { ...config, baseUrl } })
    expect(result).toMatchObject({ ok: false, error: { code: "auth_required", details: { origin: caller.echo.url } } })
    expect(caller.echo.ledger).toEqual([])
  })

  it("are not sent where the document wants none", async () => {
    const { headers, path } = await caller.seen({}, { binding: { anonymous: true }, credential: { placements }, config })
    expect(path).toBe("/pets")
    expect(headers).toMatchObject({ "x-tenant": "secret" })
    expect(headers).not.toHaveProperty("authorization")
    expect(headers).not.toHaveProperty("cookie")
  })

  it("are not taken along by a redirect to another origin", async () => {
    const binding = { path: `/redirect?to=${encodeURIComponent(`${other.url}/there`)}` }
    const credential = { placements, origins: [caller.echo.url, other.url] }
    expect(await caller.call({}, { binding, credential, config })).toMatchObject({ ok: true })
    expect(other.ledger).toHaveLength(1)
    expect(JSON.stringify(other.ledger)).not.toContain("secret")
  })

  it("may stand in the base URL, and the connection's own win over them", async () => {
    const inUrl = { baseUrl: caller.echo.url.replace("//", "//us%40er:p%3Ass@") }
    expect((await caller.seen({}, { config: inUrl })).headers["authorization"]).toBe(
      `Basic ${Buffer.from("us@er:p:ss").toString("base64")}`,
    )
    expect((await caller.seen({}, { config: inUrl, credential: { placements } })).headers["authorization"]).toBe("Bearer secret")
  })
})
