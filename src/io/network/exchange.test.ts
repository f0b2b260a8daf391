// Tests what an upstream can do with its answer, against servers that do it: never end, lie, flood, compress, break off.
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Echo } from "../../../test/servers/echo.ts"
import { startEcho } from "../../../test/servers/echo.ts"
import type { Raw } from "../../../test/servers/raw.ts"
import { startRaw } from "../../../test/servers/raw.ts"
import { withLimits } from "../../core/limits.ts"
import { createNetwork } from "./guarded-fetch.ts"
import { silentLog } from "../log.ts"
import type { Network, OutboundFailure, OutboundRequest, OutboundResponse } from "./outbound.ts"

let echo: Echo
let network: Network

beforeAll(async () => {
  echo = await startEcho()
  network = createNetwork({
    allowPrivateHosts: ["127.0.0.1"],
    trustLiteralUrls: false,
    limits: withLimits({ connectTimeoutMs: 1000 }),
    log: silentLog,
  })
})
afterAll(() => Promise.all([echo.close(), network.close()]))

const send = (url: string, more: Partial<OutboundRequest> = {}): Promise<OutboundResponse | OutboundFailure> =>
  network.outbound({ literalUrls: [] }).send({ method: "GET", url, timeoutMs: 5000, responseBytesMax: 1_000_000, ...more })

const text = (answer: OutboundResponse | OutboundFailure): string =>
  answer.ok ? Buffer.from(answer.bytes).toString("utf8") : answer.message

/** Asks a server that sends exactly these bytes, and closes the connection after them where `end` says so. */
async function askRaw(
  bytes: string | Buffer,
  end: "close" | "stay" = "close",
  more: Partial<OutboundRequest> = {},
): Promise<OutboundResponse | OutboundFailure> {
  const raw = await startRaw((socket) => (end === "close" ? socket.end(bytes) : socket.write(bytes)))
  try {
    return await send(`${raw.url}/path?key=secret`, more)
  } finally {
    await raw.close()
  }
}

describe("time", () => {
  it("ends an exchange that is never answered", async () => {
    expect(await send(`${echo.url}/slow`, { timeoutMs: 50 })).toEqual({
      ok: false,
      code: "timeout",
      message: `127.0.0.1:${echo.port} did not respond within 50 ms`,
      retryable: true,
      mayHaveArrived: true,
    })
  })

  it("ends an answer that drips", async () => {
    const raw = await startRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
      const timer = setInterval(() => socket.write("a"), 5)
      socket.on("close", () => clearInterval(timer))
    })
    expect(await send(raw.url, { timeoutMs: 100 })).toMatchObject({ ok: false, code: "timeout" })
    await raw.close()
  })

  it("ends headers that drip", async () => {
    const raw = await startRaw((socket) => {
      const timer = setInterval(() => socket.write("H"), 5)
      socket.on("close", () => clearInterval(timer))
    })
    expect(await send(raw.url, { timeoutMs: 100 })).toMatchObject({ ok: false })
    await raw.close()
  })

  it("follows the caller's signal", async () => {
    const cancel = new AbortController()
    const answer = send(`${echo.url}/slow`, { signal: cancel.signal })
    cancel.abort()
    expect(await answer).toMatchObject({ ok: false, code: "timeout", message: expect.stringContaining("was cancelled"), retryable: false })
    expect(await send(echo.url, { signal: AbortSignal.abort() })).toMatchObject({
      ok: false,
      message: expect.stringContaining("was cancelled"),
    })
    expect(await send(`${echo.url}/slow`, { signal: AbortSignal.timeout(20) })).toMatchObject({
      ok: false,
      message: expect.stringContaining("did not respond"),
    })
  })

  it("does not send what waited for a free connection until its deadline", async () => {
    const narrow = createNetwork({
      allowPrivateHosts: ["127.0.0.1"],
      trustLiteralUrls: false,
      limits: withLimits({ upstreamConnectionsMax: 1 }),
      log: silentLog,
    })
    const outbound = narrow.outbound({ literalUrls: [] })
    const request = { method: "POST", responseBytesMax: 1000 }
    const first = outbound.send({ ...request, url: `${echo.url}/slow?ms=150`, timeoutMs: 5000 })
    expect(await outbound.send({ ...request, url: `${echo.url}/late`, timeoutMs: 30 })).toMatchObject({ ok: false, code: "timeout" })
    expect(await first).toMatchObject({ ok: true })
    expect(await outbound.send({ ...request, url: `${echo.url}/next`, timeoutMs: 5000 })).toMatchObject({ ok: true })
    expect(echo.ledger.map(({ path }) => path)).not.toContain("/late")
    await narrow.close()
  })
})

describe("size", () => {
  const tooLarge = {
    ok: false,
    code: "response_too_large",
    message: expect.stringContaining("is larger than 1000000 bytes"),
    retryable: false,
  }

  it("stops an answer of a gigabyte, announced or not", async () => {
    expect(await send(`${echo.url}/large?bytes=1000000000`)).toMatchObject(tooLarge)
    expect(await send(`${echo.url}/large?bytes=1000000000&honest`)).toMatchObject(tooLarge)
  })

  it("refuses an announced size without waiting for the bytes", async () => {
    expect(await askRaw("HTTP/1.1 200 OK\r\ncontent-length: 1000001\r\n\r\n", "stay")).toMatchObject(tooLarge)
  })

  it("takes exactly the limit, and does not read HEAD's length as a body", async () => {
    expect(await send(`${echo.url}/large?bytes=65536&honest`, { responseBytesMax: 65_536 })).toMatchObject({ ok: true, isComplete: true })
    expect(await send(`${echo.url}/large?bytes=65536&honest`, { responseBytesMax: 65_535 })).toMatchObject({
      ok: false,
      code: "response_too_large",
    })
    expect(await askRaw("HTTP/1.1 200 OK\r\ncontent-length: 9000000\r\n\r\n", "close", { method: "HEAD" })).toMatchObject({
      ok: true,
      headers: { "content-length": "9000000" },
    })
  })

  it("stops a compression bomb at the limit of what it unpacks to", async () => {
    expect(await send(`${echo.url}/bomb`)).toMatchObject(tooLarge)
    const nested = gzipSync(gzipSync(Buffer.alloc(50_000_000)))
    const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip, gzip\r\ncontent-length: ${nested.length}\r\n\r\n`
    expect(await askRaw(Buffer.concat([Buffer.from(head), nested]))).toMatchObject(tooLarge)
  })

  it("joins an answer that comes in single bytes", async () => {
    const chunks = "1\r\na\r\n".repeat(50_000)
    const answer = await askRaw(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`)
    expect(text(answer)).toBe("a".repeat(50_000))
  })
})

describe("encoding", () => {
  it.each(["gzip", "deflate", "deflate-raw", "br", "zstd", "gzip, br", "identity"])("undoes %s", async (encoding) => {
    const answer = await send(`${echo.url}/encoded?as=${encodeURIComponent(encoding)}`)
    expect(JSON.parse(text(answer))).toEqual({ encoding })
    expect(answer.ok && Object.keys(answer.headers)).not.toContain(encoding === "identity" ? "" : "content-encoding")
  })

  it("leaves an unknown encoding as it is, with its header", async () => {
    expect(await askRaw("HTTP/1.1 200 OK\r\ncontent-encoding: rot13\r\ncontent-length: 1\r\n\r\na")).toMatchObject({
      ok: true,
      headers: { "content-encoding": "rot13" },
    })
    expect(await askRaw("HTTP/1.1 200 OK\r\ncontent-encoding: gzip,gzip,gzip,gzip\r\ncontent-length: 1\r\n\r\na")).toMatchObject({
      ok: true,
    })
  })

  it("reports what is not what its encoding says", async () => {
    const broken = { ok: false, code: "upstream_unreachable", message: expect.stringContaining("could not be decompressed") }
    expect(await askRaw("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 5\r\n\r\nplain")).toMatchObject(broken)
    const cut = gzipSync("hello world").subarray(0, 20)
    expect(
      await askRaw(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${cut.length}\r\n\r\n`), cut])),
    ).toMatchObject(broken)
  })

  it("accepts an encoding without a body", async () => {
    expect(await askRaw("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 0\r\n\r\n")).toMatchObject({ ok: true })
    expect(await askRaw("HTTP/1.1 304 Not Modified\r\ncontent-encoding: br\r\n\r\n")).toMatchObject({ ok: true, status: 304 })
  })
})

describe("an answer that breaks the protocol", () => {
  const cases: readonly [string, string, string][] = [
    ["announces more than it sends", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc", "closed the connection"],
    ["ends inside a chunk", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nabc", ""],
    ["has two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd", "length"],
    ["has length and chunks", "HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "length"],
    ["is no HTTP", "SSH-2.0-OpenSSH_9.6\r\n", "HTTP/1.1"],
    ["is empty", "", "closed the connection"],
    ["switches protocols", "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", ""],
    ["is a lone 100", "HTTP/1.1 100 Continue\r\n\r\n", ""],
    ["has huge headers", `HTTP/1.1 200 OK\r\nx: ${"a".repeat(100_000)}\r\n\r\n`, "too large"],
    ["has a broken header", "HTTP/1.1 200 OK\r\nbad header\r\n\r\n", "HTTP/1.1"],
  ]
  it.each(cases)("%s is a failure without secrets", async (_name, bytes, message) => {
    const answer = await askRaw(bytes, "close", { method: "POST", headers: { authorization: "Bearer secret" } })
    expect(answer).toMatchObject({ ok: false, code: "upstream_unreachable", message: expect.stringContaining(message) })
    expect(text(answer)).not.toContain("secret")
    expect(text(answer)).toMatch(/127\.0\.0\.1:\d+/)
  })

  it("keeps early hints out of the answer and what follows it out of the next", async () => {
    const two =
      "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil"
    const raw: Raw = await startRaw((socket) => socket.write(two))
    for (let i = 0; i < 3; i++) expect(text(await send(raw.url, { method: "POST" }))).not.toBe("evil")
    await raw.close()
  })

  it("keeps headers with the names of prototypes as plain data", async () => {
    const answer = await askRaw(
      "HTTP/1.1 200 OK\r\n__proto__: a\r\n__proto__: b\r\nconstructor: c\r\ntoString: d\r\nset-cookie: s=1\r\nx: 1\r\nX: 2\r\ncontent-length: 0\r\n\r\n",
    )
    expect(answer.ok && Object.entries(answer.headers).toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
      ["__proto__", "a, b"],
      ["constructor", "c"],
      ["content-length", "0"],
      ["tostring", "d"],
      ["x", "1, 2"],
    ])
  })
})

describe("what cannot be sent", () => {
  it.each([
    ["not a url", {}],
    ["ftp://example.com/", {}],
    ["http://user:secret@127.0.0.1/", {}],
    ["http://127.0.0.1/", { method: "GET /\r\nX: y" }],
    ["http://127.0.0.1/", { method: "CONNECT" }],
    ["http://127.0.0.1/", { headers: { "x-a": "1\r\nx-secret: 2" } }],
    ["http://127.0.0.1/", { headers: { "x a": "secret" } }],
    ["http://127.0.0.1/", { headers: { "x-a": "secret✓" } }],
    ["http://127.0.0.1/", { headers: { "transfer-encoding": "secret" } }],
    ["http://127.0.0.1/", { headers: { "content-length": "1" }, method: "POST", body: "secret" }],
  ])("%s %j is a failure", async (url, more) => {
    const answer = await send(url, more)
    expect(answer).toMatchObject({ ok: false, code: "upstream_unreachable" })
    expect(text(answer)).not.toContain("secret")
  })

  it("says in words why there is no connection", async () => {
    expect(await send("http://127.0.0.1:1/a?key=secret")).toMatchObject({
      message: "Could not connect to 127.0.0.1:1 (connection refused)",
    })
    expect(await send("http://no-such-host.invalid/")).toMatchObject({
      message: expect.stringMatching(/^Could not connect to no-such-host\.invalid:80 \((host name not found|name resolution failed)\)$/),
    })
  })
})

describe("streams", () => {
  const reading = (itemsMax: number, idleMs = 2000): NonNullable<OutboundRequest["stream"]> => {
    let items = 0
    return {
      appliesTo: (type) => type.startsWith("text/event-stream"),
      idleMs,
      isEnough: (chunk) => (items += Buffer.from(chunk).toString().split("\n\n").length - 1) >= itemsMax,
    }
  }

  it("end when there is enough", async () => {
    const answer = await send(`${echo.url}/ticks`, { stream: reading(3) })
    expect(answer).toMatchObject({ ok: true, isComplete: false })
    expect(text(answer)).toContain('data: {"id":2}')
  })

  it("end at the byte limit, at the deadline and in silence, with what came", async () => {
    expect(text(await send(`${echo.url}/ticks`, { stream: reading(1e6), responseBytesMax: 20 }))).toHaveLength(20)
    expect(await send(`${echo.url}/ticks`, { stream: reading(1e6), timeoutMs: 2000 })).toMatchObject({ ok: true, isComplete: false })
    expect(
      await askRaw("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: 1\n\n", "stay", { stream: reading(1e6, 30) }),
    ).toMatchObject({ ok: true, isComplete: false })
    expect(
      await askRaw("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n1\r\nd\r\n", "close", {
        stream: reading(1),
      }),
    ).toMatchObject({ ok: true, isComplete: false })
  })

  it("that break off before the first byte are failures", async () => {
    expect(
      await askRaw("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n", "close", {
        stream: reading(1),
      }),
    ).toMatchObject({ ok: false })
  })

  it("of another content type are read to their end", async () => {
    expect(await send(`${echo.url}/ticks?type=application/json`, { stream: reading(1), timeoutMs: 200 })).toMatchObject({
      ok: false,
      code: "timeout",
    })
    expect(await send(`${echo.url}/sse`, { stream: reading(100) })).toMatchObject({ ok: true, isComplete: true })
  })
})
