// Tests how real answers become envelopes.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Caller, Given } from "../../../../test/servers/openapi-call.ts"
import { startCaller } from "../../../../test/servers/openapi-call.ts"
import { startRaw } from "../../../../test/servers/raw.ts"
import type { ToolResult } from "../../../core/result.ts"

let caller: Caller
beforeAll(async () => void (caller = await startCaller()))
afterAll(() => caller.close())

const get = (path: string, given: Given = {}): Promise<ToolResult> => caller.call({}, { ...given, binding: { path, ...given.binding } })

/** Calls a server that answers with these headers and this body. */
async function answered(head: string[], body: string | Buffer = "", given: Given = {}): Promise<ToolResult> {
  const bytes = Buffer.from(body)
  const raw = await startRaw((socket) =>
    socket.end(Buffer.concat([Buffer.from(`${[...head, `content-length: ${bytes.length}`].join("\r\n")}\r\n\r\n`, "latin1"), bytes])),
  )
  try {
    return await caller.call({}, { ...given, binding: { servers: [raw.url], ...given.binding }, credential: { origins: [raw.url] } })
  } finally {
    await raw.close()
  }
}

const json = (body: string, type = "application/json"): Promise<ToolResult> => answered(["HTTP/1.1 200 OK", `content-type: ${type}`], body)

describe("a successful answer", () => {
  it("is read the same when it is long", async () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => `{"id":${id},"long":9007199254740993${id % 10}}`).join(",")
    const long = await json(`{"rows":[${rows}],"last":[1]}`)
    expect(long).toMatchObject({ ok: true, data: { last: [1] } })
    expect((long as { data: { rows: unknown[] } }).data.rows[19_999]).toEqual({ id: 19_999, long: "90071992547409939" })
    expect(await json(`{"rows":[${rows}],}`)).toMatchObject({ ok: true, data: `{"rows":[${rows}],}` })
  })

  it("keeps the digits of integers that no number holds", async () => {
    expect(await json('{"id":12345678901234567890,"n":1}')).toMatchObject({ data: { id: "12345678901234567890", n: 1 } })
    expect(await json('{"id":9007199254740993}\n[1]\n', "application/jsonl")).toMatchObject({ data: [{ id: "9007199254740993" }, [1]] })
  })

  it("has status and headers, without cookies", async () => {
    const result = await get("/pets")
    expect(result).toMatchObject({
      ok: true,
      data: { method: "GET", path: "/pets" },
      http: { status: 200, headers: { "content-type": "application/json" } },
    })
    expect(JSON.stringify(result)).not.toContain("set-cookie")
  })

  it.each([
    ["/text", "Grüße"],
    ["/latin1", "Grüße"],
    ["/xml", "<note><to>you</to></note>"],
    ["/empty", null],
    ["/status/205", null],
    ["/status/201", { message: "This is status 201" }],
    ["/ndjson", [{ id: 0 }, { id: 1 }, { id: 2 }]],
    ["/ndjson?n=0", []],
    ["/encoded?as=br", { encoding: "br" }],
  ])("of %s is %j", async (path, data) => expect(await get(path)).toMatchObject({ ok: true, data }))

  it("to HEAD is null, whatever its headers promise", async () => {
    expect(await get("/sse", { binding: { method: "head" } })).toMatchObject({
      ok: true,
      data: null,
      http: { headers: { "content-type": "text/event-stream" } },
    })
  })

  it.each<[string, string, unknown]>([
    ['{"a":1}', "application/problem+json; charset=utf-8", { a: 1 }],
    ["\ufeff[1]", "application/json", [1]],
    ["{broken", "application/json", "{broken"],
    ["", "application/json", null],
    ["null", "application/json", null],
    ['{"a":1}', "text/plain", '{"a":1}'],
    ["a: 1", "application/yaml", "a: 1"],
    ["a", "text/plain; charset=no-such-charset", "a"],
  ])("%j as %s is %j", async (body, type, data) => expect(await json(body, type)).toMatchObject({ ok: true, data }))

  it("keeps names of prototypes as plain data", async () => {
    const result = await json('{"__proto__":{"admin":true},"constructor":1}')
    expect(result.ok && JSON.stringify(result.data)).toBe('{"__proto__":{"admin":true},"constructor":1}')
    expect(result.ok && (result.data as { admin?: boolean }).admin).toBeUndefined()
  })

  it("that is deeply nested does no harm", async () => {
    expect(await json("[".repeat(20_000) + "]".repeat(20_000))).toMatchObject({ ok: true })
  })

  it.each([
    ["plain", "plain"],
    ['{"a":1}', { a: 1 }],
    [Buffer.from([0xff, 0xfe, 0]), { _tag: "ToolFile", mimeType: "application/octet-stream", byteLength: 3 }],
  ])("without a type is what it looks like: %j", async (body, data) => {
    expect(await answered(["HTTP/1.1 200 OK"], body)).toMatchObject({ ok: true, data })
  })
})

describe("a binary answer", () => {
  it("is a file", async () => {
    const result = await get("/binary")
    expect(result).toMatchObject({
      ok: true,
      data: { _tag: "ToolFile", name: "all bytes.bin", mimeType: "application/octet-stream", encoding: "base64", byteLength: 256 },
    })
    const data = result.ok ? (result.data as { data: string }).data : ""
    expect([...Buffer.from(data, "base64")]).toEqual(Array.from({ length: 256 }, (_, byte) => byte))
  })

  it.each([
    ["attachment; filename=plain.pdf", "plain.pdf"],
    [`attachment; filename="fallback.pdf"; filename*=UTF-8''na%C3%AFve%20plan.pdf`, "naïve plan.pdf"],
    ["attachment; filename*=UTF-8''%zz; filename=x.pdf", "x.pdf"],
    ['attachment; filename="../../etc/passwd"', "passwd"],
    ['attachment; filename="C:\\\\temp\\\\a.txt"', "a.txt"],
    ['attachment; filename=".."', undefined],
    ["inline", undefined],
  ])("with %s is named %j", async (disposition, name) => {
    const result = await answered(["HTTP/1.1 200 OK", "content-type: application/pdf", `content-disposition: ${disposition}`], "%PDF")
    expect(result.ok && (result.data as { name?: string }).name).toBe(name)
  })
})

describe("a sequence", () => {
  it("is read the same when it is long", async () => {
    const row = "r".repeat(2000)
    const lines = await answered(["HTTP/1.1 200 OK", "content-type: application/x-ndjson"], `${JSON.stringify({ row })}\n`.repeat(200))
    expect(lines).toMatchObject({ data: Array.from({ length: 200 }, () => ({ row })) })
    const event = `event: e\n${"data: 12345678\n".repeat(3000)}\n`
    const events = await answered(["HTTP/1.1 200 OK", "content-type: text/event-stream"], event.repeat(10))
    expect(events).toMatchObject({
      data: Array.from({ length: 10 }, () => ({ event: "e", data: "12345678\n".repeat(3000).slice(0, -1) })),
    })
  })

  it("of events is a list of them", async () => {
    expect(await get("/sse?n=2")).toMatchObject({
      data: [
        { event: "tick", id: "0", data: { id: 0 } },
        { event: "tick", id: "1", data: { id: 1 } },
      ],
    })
    const text = ": comment\r\n\r\ndata: a\r\ndata: b\r\n\r\nevent: x\r\n\r\ndata:[DONE]\r\nretry: 5\r\n\r\ndata: last"
    expect(await json(text, "text/event-stream")).toMatchObject({
      data: [
        { event: "message", data: "a\nb" },
        { event: "message", data: "[DONE]" },
        { event: "message", data: "last" },
      ],
    })
  })

  it("of lines keeps what is not JSON as text", async () => {
    expect(await json('{"a":1}\r\n\n not json \n2', "application/jsonl")).toMatchObject({ data: [{ a: 1 }, "not json", 2] })
    expect(await json('\u001e{"a":1}\n\u001e2\n', "application/json-seq")).toMatchObject({ data: [{ a: 1 }, 2] })
  })

  it("ends at its limits with whole items", async () => {
    const ticks = await get("/ticks", { limits: { streamItemsMax: 3 } })
    expect(ticks).toMatchObject({ ok: true, data: [{ data: { id: 0 } }, { data: { id: 1 } }, { data: { id: 2 } }] })
    expect(await get("/ndjson?n=100", { limits: { streamItemsMax: 5 } })).toMatchObject({ data: { length: 5 } })
    expect(await get("/ndjson?n=100", { limits: { responseBytesMax: 21 } })).toMatchObject({ data: [{ id: 0 }, { id: 1 }] })
    expect(
      await answered(["HTTP/1.1 200 OK", "content-type: application/json-seq"], "\u001e1\n\u001e2\n\u001e3\n", {
        limits: { streamItemsMax: 2 },
      }),
    ).toMatchObject({ data: [1, 2] })
  })

  it("that does not end is cut at the deadline", async () => {
    const result = await get("/ticks", { limits: { callTimeoutMs: 2000 } })
    expect(result).toMatchObject({ ok: true, data: expect.arrayContaining([{ event: "message", data: { id: 0 } }]) })
  })
})

describe("an error of the upstream", () => {
  it.each([
    ['{"message":"m","error":"e"}', "m"],
    ['{"error":{"message":"em","code":1}}', "em"],
    ['{"error":"e","detail":"d"}', "e"],
    ['{"error":{},"detail":"d","title":"t"}', "d"],
    ['{"title":"t","message":""}', "t"],
    ['{"message":{"a":1}}', "Teapot"],
    ['["a"]', "Teapot"],
    ["{broken", "Teapot"],
    ["", "Teapot"],
  ])("with body %s says %j", async (body, message) => {
    const result = await answered(["HTTP/1.1 418 Teapot", "content-type: application/problem+json"], body)
    expect(result).toMatchObject({ ok: false, error: { code: "upstream_error", message, status: 418 } })
    expect(result.ok || result.error.details).toEqual(body === "" ? undefined : body === "{broken" ? body : JSON.parse(body))
  })

  it("without a reason in its status line gets the usual one", async () => {
    expect(await answered(["HTTP/1.1 404 "], "")).toMatchObject({ error: { message: "Not Found" } })
    expect(await answered(["HTTP/1.1 599 "], "")).toMatchObject({ error: { message: "The upstream answered 599" } })
  })

  it("has its body within bounds", async () => {
    const page = await answered(["HTTP/1.1 500 Internal Server Error", "content-type: text/html"], "x".repeat(5000), {
      limits: { errorDetailsBytesMax: 100 },
    })
    expect(page).toMatchObject({ error: { message: "Internal Server Error", details: "x".repeat(100) } })
    const large = JSON.stringify({ message: "y".repeat(5000), rest: "z".repeat(5000) })
    const cut = await answered(["HTTP/1.1 500 Oops", "content-type: application/json"], large, { limits: { errorDetailsBytesMax: 100 } })
    expect(cut).toMatchObject({ error: { message: "y".repeat(1000), details: large.slice(0, 100) } })
    const vast = JSON.stringify({ message: "y", rest: "z".repeat(300_000) })
    const unread = await answered(["HTTP/1.1 500 Oops", "content-type: application/json"], vast)
    expect(unread).toMatchObject({ error: { message: "Oops", details: expect.stringMatching(/^\{"message":"y","rest":"z+$/) } })
    const binary = await answered(["HTTP/1.1 502 Bad Gateway", "content-type: image/png"], Buffer.from([0, 255]))
    expect(binary).toEqual({ ok: false, error: { code: "upstream_error", message: "Bad Gateway", status: 502 } })
  })

  it("429 is a rate limit", async () => {
    expect(await get("/status/429?retryAfter=60")).toEqual({
      ok: false,
      error: {
        code: "rate_limited",
        message: "This is status 429",
        status: 429,
        retryable: true,
        details: { retryAfter: "60", body: { message: "This is status 429" } },
      },
    })
  })

  it("is also a redirect that is not followed", async () => {
    const result = await caller.call({}, { binding: { method: "post", path: "/redirect?status=307&to=/there" } })
    expect(result).toMatchObject({ ok: false, error: { code: "upstream_error", status: 307, details: { location: "/there" } } })
    expect(await get("/status/304")).toMatchObject({ ok: true, data: null, http: { status: 304 } })
  })

  it("of a request that was sent says of what is no read that it may have happened", async () => {
    const raw = await startRaw((socket) => socket.destroy())
    const given = { credential: { origins: [raw.url] } }
    const call = (method: string, servers = [raw.url]) => caller.call({}, { ...given, binding: { method, servers } })
    expect(await call("get")).toMatchObject({ error: { code: "upstream_unreachable", retryable: true } })
    const maybe = { retryable: false, message: expect.stringContaining("It may have taken effect anyway") }
    expect(await call("post")).toMatchObject({ error: { code: "upstream_unreachable", ...maybe } })
    expect(await call("delete")).toMatchObject({ error: { code: "upstream_unreachable", ...maybe } })
    await raw.close()
    expect(await call("post")).toMatchObject({ error: { code: "upstream_unreachable", retryable: true } })
    expect(await caller.call({}, { binding: { method: "post", path: "/slow" }, limits: { callTimeoutMs: 30 } })).toMatchObject({
      error: { code: "timeout", ...maybe },
    })
  })

  it("of the network keeps its code", async () => {
    expect(await get("/slow", { limits: { callTimeoutMs: 30 } })).toMatchObject({ ok: false, error: { code: "timeout", retryable: true } })
    expect(await get("/large", { limits: { responseBytesMax: 1000 } })).toMatchObject({
      ok: false,
      error: { code: "response_too_large", retryable: false },
    })
    const closed = { binding: { servers: ["http://127.0.0.1:1"] }, credential: { origins: ["http://127.0.0.1:1"] } }
    expect(await caller.call({}, closed)).toMatchObject({ ok: false, error: { code: "upstream_unreachable", retryable: true } })
  })
})
