// Tests answers that are read while they arrive, against servers that drip, flood, hang and redirect.
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { listen } from "../../../test/servers/listen.ts"
import type { Listening } from "../../../test/servers/listen.ts"
import { withLimits } from "../../core/limits.ts"
import { createNetwork } from "./guarded-fetch.ts"
import { silentLog } from "../log.ts"
import { OutboundBreak } from "./outbound.ts"
import type { Network, Outbound, OutboundFailure, OutboundOpening, OutboundStream } from "./outbound.ts"

let network: Network
let server: Listening
let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {}

beforeAll(async () => {
  server = await listen(createServer((request, response) => handle(request, response)))
  network = createNetwork({ allowPrivateHosts: ["127.0.0.1"], trustLiteralUrls: false, limits: withLimits({}), log: silentLog })
})
afterEach(() => void (handle = () => {}))
afterAll(async () => {
  await network.close()
  await server.close()
})

const outbound = (): Outbound => network.outbound({ literalUrls: [] })

const open = (more: Partial<OutboundOpening> = {}): Promise<OutboundStream | OutboundFailure> =>
  outbound().open({ method: "GET", url: `${server.url}/stream`, headTimeoutMs: 5000, ...more })

async function opened(more: Partial<OutboundOpening> = {}): Promise<OutboundStream> {
  const answer = await open(more)
  if (!answer.ok) throw new Error(answer.message)
  return answer
}

const textOf = async (stream: OutboundStream): Promise<string> => new Response(stream.body).text()

describe("open", () => {
  it("hands on each piece when it arrives", async () => {
    let finish = (): void => {}
    handle = (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.write("one")
      finish = () => response.end("two")
    }
    const reader = (await opened()).body.getReader()
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("one")
    finish()
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("two")
    expect((await reader.read()).done).toBe(true)
  })

  it("sends method, headers and body, and decompresses the answer", async () => {
    handle = (request, response) => {
      void (async () => {
        let text = ""
        for await (const chunk of request) text += String(chunk)
        response.writeHead(200, { "content-encoding": "gzip" })
        response.end(gzipSync(`${request.method} ${String(request.headers["x-key"])} ${text}`))
      })()
    }
    const answer = await opened({ method: "POST", headers: { "X-Key": "k" }, body: "{}" })
    expect(answer.headers["content-encoding"]).toBeUndefined()
    expect(await textOf(answer)).toBe("POST k {}")
  })

  it("leaves the connection when the reader leaves the stream", async () => {
    const closed = new Promise<void>((resolve) => {
      handle = (_, response) => {
        response.writeHead(200).write("first")
        response.on("close", resolve)
      }
    })
    await (await opened()).body.cancel()
    await closed
  })

  it("ends by the signal, before and within the body", async () => {
    const before = new AbortController()
    const asked = new Promise<void>((resolve) => (handle = () => resolve()))
    const silent = open({ signal: before.signal })
    await asked
    before.abort()
    expect(await silent).toMatchObject({ ok: false, code: "timeout", retryable: false })

    const within = new AbortController()
    handle = (_, response) => void response.writeHead(200).write("first")
    const reader = (await opened({ signal: within.signal })).body.getReader()
    await reader.read()
    within.abort()
    await expect(reader.read()).rejects.toThrow(OutboundBreak)
  })

  it("gives up when no head comes", async () => {
    expect(await open({ headTimeoutMs: 30 })).toMatchObject({ ok: false, code: "timeout", retryable: true })
  })

  it("breaks with the failure when the server breaks off", async () => {
    handle = (_, response) => {
      response.writeHead(200, { "content-length": "100" }).write("half")
      setImmediate(() => response.destroy())
    }
    await expect(textOf(await opened())).rejects.toThrow()
  })

  it("follows no redirect", async () => {
    handle = (_, response) => void response.writeHead(302, { location: "/elsewhere" }).end()
    expect(await opened()).toMatchObject({ status: 302, headers: { location: "/elsewhere" } })
  })

  it("reaches no private address that is not allowed", async () => {
    const strict = createNetwork({ allowPrivateHosts: [], trustLiteralUrls: false, limits: withLimits({}), log: silentLog })
    const answer = await strict.outbound({ literalUrls: [] }).open({ method: "GET", url: server.url, headTimeoutMs: 1000 })
    await strict.close()
    expect(answer).toMatchObject({ ok: false, code: "upstream_unreachable", retryable: false })
  })

  it("takes no more from a flood than its reader wants", async () => {
    let sent = 0
    handle = (_, response) => {
      response.writeHead(200)
      const block = Buffer.alloc(1024 * 1024)
      const pump = (): void => {
        while (response.write(block)) sent += block.byteLength
        response.once("drain", pump)
      }
      pump()
      response.on("error", () => {})
    }
    const { body } = await opened()
    const reader = body.getReader()
    await reader.read()
    await new Promise((resolve) => setTimeout(resolve, 200))
    // Sockets buffer some megabytes on the way; without a pause it would be gigabytes.
    expect(sent).toBeLessThan(64 * 1024 * 1024)
    await reader.cancel()
  })
})
