// The server below the API: hostile bytes, slow and vanishing clients, and how it stops.
import { connect } from "node:net"
import type { Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { makeAuthority } from "../../../test/servers/certificate.ts"
import { trustingFetch } from "../../../test/servers/trusting-fetch.ts"
import { withLimits } from "../../core/limits.ts"
import { serveHttp } from "./serve.ts"
import type { TestServer } from "./testing/server.ts"
import { startTestServer } from "./testing/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ limits: { requestHeadersMs: 500, requestReceiveMs: 1500, requestBodyBytesMax: 1_000_000 } })
})
afterAll(() => server.close())

const head = (lines: string): string => `${lines}\r\nauthorization: Bearer ${server.tokens.human}\r\n`
const isAlive = async (): Promise<boolean> => (await server.call("GET", "/api/health")).status === 200

const open = (port: number): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket.on("error", () => {})))
  })

describe("hostile bytes", () => {
  test.each([
    ["no HTTP at all", "\u0000\u0001\u0002 hello\r\n\r\n", "400"],
    ["a TLS handshake", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n", "400"],
    ["no Host", "GET / HTTP/1.1\r\n\r\n", "400"],
    ["an empty Host", "GET / HTTP/1.1\r\nhost:\r\nconnection: close\r\n\r\n", "40[03]"],
    ["two Hosts", "GET / HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\nconnection: close\r\n\r\n", "40[03]"],
    ["a Host that is no host", "GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n", "40[03]"],
    ["another Host", "GET / HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n", "403"],
    ["HTTP/1.0 without Host", "GET / HTTP/1.0\r\n\r\n", "40[03]"],
    ["headers without end", `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${"a".repeat(20_000)}\r\n\r\n`, "431"],
    ["a target that is no path", "GET foo HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n", "40[04]"],
    ["an asterisk", "OPTIONS * HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n", "40[045]"],
    [
      "both kinds of length",
      "POST /api/tokens HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /",
      "400",
    ],
    ["two lengths", "POST /api/tokens HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello", "400"],
    ["a negative length", "POST /api/tokens HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n", "400"],
    ["a length that is no number", "POST /api/tokens HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1e3\r\n\r\n", "400"],
    ["a folded header", "GET / HTTP/1.1\r\nhost: localhost\r\nx: a\r\n b: c\r\nconnection: close\r\n\r\n", "(200|400)"],
  ])("%s", async (_, text, status) => {
    expect(await server.raw(text)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(await isAlive()).toBe(true)
  })

  test("a proxy's form of the target names our path, not another's", async () => {
    const answer = await server.raw("GET http://evil.example/api/health HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n")
    expect(answer).toMatch(/^HTTP\/1.1 403 /)
  })

  test("pipelined requests are answered in turn", async () => {
    const one = "GET /api/health HTTP/1.1\r\nhost: localhost\r\n"
    const answer = await server.raw(`${one}\r\n${one}\r\n${one}connection: close\r\n\r\n`)
    expect(answer.match(/"status":"ok"/g)).toHaveLength(3)
  })
})

describe("bodies on the wire", () => {
  const chunk = (size: number): string => `${size.toString(16)}\r\n${" ".repeat(size)}\r\n`

  test("a chunked body is cut at the limit, not at its end", async () => {
    const start = head("POST /api/integrations HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked")
    const socket = await open(server.port)
    let sent = 0
    const answer = await new Promise<string>((resolve) => {
      let text = ""
      const pump = setInterval(() => {
        socket.write(chunk(200_000))
        sent += 200_000
      }, 5)
      socket.on("data", (data) => {
        // Who goes on sending to a closed connection is reset, and may lose the answer.
        clearInterval(pump)
        text += data.toString()
      })
      socket.on("close", () => {
        clearInterval(pump)
        resolve(text)
      })
      socket.write(`${start}\r\n`)
    })
    expect(answer).toMatch(/^HTTP\/1.1 413 /)

    expect(answer).toContain("payload_too_large")
    expect(sent).toBeLessThan(200_000_000)
    expect(await isAlive()).toBe(true)
  })

  test("a declared length over the limit is refused at once", async () => {
    const answer = await server.raw(
      `${head("POST /api/integrations HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 99999999999")}\r\n{`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
  })

  test("a body ends where it was declared to, and the next request begins there", async () => {
    const body = '{"name":"x","kind":"agent"}'
    const first = head(`POST /api/tokens HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`)
    const answer = await server.raw(`${first}\r\n${body}GET /api/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`)
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 201", "HTTP/1.1 200"])
  })

  test("a body in many small chunks is read", async () => {
    const body = Array.from('{"name":"dripped","kind":"agent"}')
      .map((letter) => `1\r\n${letter}\r\n`)
      .join("")
    const answer = await server.raw(
      `${head("POST /api/tokens HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked")}connection: close\r\n\r\n${body}0\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 201 /)
  })
})

describe("slow and vanishing clients", () => {
  test("headers that trickle are cut off", async () => {
    const socket = await open(server.port)
    socket.write("GET / HTTP/1.1\r\nhost: loc")
    const drip = setInterval(() => socket.write("a"), 100)
    const closed = await new Promise<boolean>((resolve) => socket.resume().on("close", () => resolve(true)))
    clearInterval(drip)
    expect(closed).toBe(true)
  })

  test("a body that never comes is cut off", async () => {
    const answer = await server.raw(
      `${head("POST /api/tokens HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100")}\r\n{"na`,
    )
    expect(answer).toMatch(/^(HTTP\/1.1 4|$)/)
    expect(await isAlive()).toBe(true)
  })

  test("clients that leave in the middle do no harm", async () => {
    const starts = [
      "GET / HT",
      head("POST /api/tokens HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100") + "\r\n{",
      head("POST /api/tokens HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked") + "\r\n5\r\n{",
      `${head("GET /api/tools HTTP/1.1\r\nhost: localhost")}\r\n`,
      "GET /api/docs HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(50),
    ]
    for (const text of [...starts, ...starts]) {
      const socket = await open(server.port)
      await new Promise<void>((resolve) => socket.write(text, () => resolve()))
      socket.resetAndDestroy()
    }
    expect(await isAlive()).toBe(true)
  })
})

describe("start and stop", () => {
  const answerAfter = (wait: Promise<void>) => ({ fetch: async () => wait.then(() => new Response("done")), close: () => {} })

  test("a port in use is said", async () => {
    await expect(serveHttp(answerAfter(Promise.resolve()), { host: "127.0.0.1", port: server.port })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("--port"),
    })
  })

  test("an address of another machine is said", async () => {
    await expect(serveHttp(answerAfter(Promise.resolve()), { host: "192.0.2.1", port: 0 })).rejects.toMatchObject({
      code: "invalid_request",
    })
  })

  test("it serves IPv6", async () => {
    const six = await serveHttp(answerAfter(Promise.resolve()), { host: "::1", port: 0 })
    expect(six.url).toBe(`http://[::1]:${six.port}`)
    expect(await (await fetch(six.url)).text()).toBe("done")
    await six.close()
  })

  test("closing waits for requests under way and refuses new ones", async () => {
    const work = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    const app = {
      async fetch() {
        started.resolve()
        await work.promise
        return new Response("done")
      },
      close: () => {},
    }
    const slow = await serveHttp(app, { host: "127.0.0.1", port: 0 })
    const underWay = fetch(slow.url).then((response) => response.text())
    await started.promise
    const closed = slow.close()
    await expect(fetch(slow.url)).rejects.toThrow("fetch failed")
    work.resolve()
    expect(await underWay).toBe("done")
    await closed
  })

  test("closing does not wait for connections on which nothing was asked, or nothing more", async () => {
    const fine = await serveHttp(answerAfter(Promise.resolve()), { host: "127.0.0.1", port: 0 })
    const [silent, served] = [await open(fine.port), await open(fine.port)]
    const closed = [silent, served].map((socket) => new Promise((resolve) => socket.on("close", resolve)))
    const answer = new Promise((resolve) => served.once("data", resolve))
    served.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
    await answer
    silent.resume()
    await fine.close()
    await Promise.all(closed)
  })

  test("closing under TLS waits for requests, and not for handshakes", async () => {
    const authority = makeAuthority()
    const [work, started] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const fetchSlowly = async (): Promise<Response> => {
      started.resolve()
      return work.promise.then(() => new Response("done"))
    }
    const tls = authority.issue(["127.0.0.1"])
    const secure = await serveHttp({ fetch: fetchSlowly, close: () => {} }, { host: "127.0.0.1", port: 0, tls })
    const unfinished = await open(secure.port)
    const cut = new Promise((resolve) => unfinished.resume().on("close", resolve))
    const client = trustingFetch(authority.cert)
    const underWay = client.fetch(secure.url).then((response) => response.text())
    await started.promise
    const closed = secure.close()
    await cut
    work.resolve()
    expect(await underWay).toBe("done")
    await closed
    await client.close()
  })

  test("closing cuts off who does not end in time", async () => {
    const stuck = await serveHttp(answerAfter(new Promise(() => {})), {
      host: "127.0.0.1",
      port: 0,
      limits: withLimits({ shutdownGraceMs: 100 }),
    })
    const pending = fetch(stuck.url).catch((error: unknown) => error)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await stuck.close()
    expect(await pending).toBeInstanceOf(TypeError)
  })
})
