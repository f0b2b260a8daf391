// Tests that a client's metadata document is read from the public internet alone, within limits, and only where it names itself.
import { createServer } from "node:http"
import { afterAll, describe, expect, test } from "vitest"
import { defaultLimits, withLimits } from "../../core/limits.ts"
import type { Outbound } from "../../io/network/outbound.ts"
import { silentLog } from "../../io/log.ts"
import { createNetwork } from "../../io/network/guarded-fetch.ts"
import { listen } from "../../../test/servers/listen.ts"
import { createClientDocuments, isDocumentUrl } from "./client-document.ts"

const url = "https://client.example/metadata.json"
const good = { client_id: url, client_name: "Client", redirect_uris: ["https://client.example/cb"] }

/** The internet as the test has it. */
function internet(answer: () => { status?: number; body: string | ReadableStream<Uint8Array> }): {
  outbound: Pick<Outbound, "open">
  count: () => number
} {
  let count = 0
  const open: Outbound["open"] = async () => {
    count += 1
    const { status = 200, body } = answer()
    return { ok: true, status, statusText: "", headers: {}, body: new Response(body).body ?? new ReadableStream() }
  }
  return { outbound: { open }, count: () => count }
}

const time = { nowMs: 0 }
const clock = { now: () => new Date(time.nowMs), monotonicMs: () => time.nowMs }
const read = (body: unknown, status?: number) => {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  const { outbound } = internet(() => (status === undefined ? { body: text } : { status, body: text }))
  return createClientDocuments({ outbound, clock, limits: defaultLimits })(url)
}

test("a document says what the client is called, and where codes go", async () => {
  expect(await read({ ...good, logo_uri: "https://client.example/logo.svg", unknown: 1 })).toEqual({
    id: url,
    host: "client.example",
    name: "Client",
    redirectUris: ["https://client.example/cb"],
  })
})

test.each([
  ["another id", { ...good, client_id: "https://other.example/metadata.json" }, /names another client_id/],
  ["no id", { redirect_uris: good.redirect_uris }, /names another client_id/],
  ["a list", [good], /names another client_id/],
  ["null", null, /names another client_id/],
  ["no JSON", "<html>", /not JSON/],
  ["a secret", { ...good, token_endpoint_auth_method: "client_secret_basic" }, /only 'none' is/],
  ["no redirect", { ...good, redirect_uris: [] }, /at least one/],
  ["an http redirect", { ...good, redirect_uris: ["http://client.example/cb"] }, /must be https/],
  ["too much", { ...good, padding: "x".repeat(6000) }, /larger than 5120 bytes/],
])("%s is refused", async (_, body, message) => {
  await expect(read(body)).rejects.toMatchObject({ code: "invalid_request", message: expect.stringMatching(message) })
})

test.each([302, 404, 500])("the status %i is refused: nothing is followed", async (status) => {
  await expect(read(good, status)).rejects.toMatchObject({ message: expect.stringContaining(`answered ${status}`) })
})

test("a document that never ends is left", async () => {
  const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(1000).fill(32)) })
  const { outbound } = internet(() => ({ body: endless }))
  await expect(createClientDocuments({ outbound, clock, limits: defaultLimits })(url)).rejects.toMatchObject({ code: "invalid_request" })
})

test("it is kept for a minute, and a failure is not", async () => {
  let status = 500
  const { outbound, count } = internet(() => ({ status, body: JSON.stringify(good) }))
  const documents = createClientDocuments({ outbound, clock, limits: defaultLimits })
  await expect(documents(url)).rejects.toThrow()
  status = 200
  await documents(url)
  await documents(url)
  expect(count()).toBe(2)
  time.nowMs += 60_000
  await documents(url)
  expect(count()).toBe(3)
})

test.each([
  "http://client.example/metadata.json",
  "https://client.example",
  "https://client.example/",
  "https://user@client.example/m.json",
  "https://client.example/m.json#x",
  "https://client.example/m.json#",
  "https://client.example/a/../m.json",
  "https://CLIENT.example/m.json",
  "https://client.example:443/m.json",
  "file:///etc/passwd",
  `https://client.example/${"x".repeat(500)}`,
  "nonsense",
])("%s is no address of a document", (text) => expect(isDocumentUrl(text)).toBe(false))

describe("through the real network", () => {
  const network = createNetwork({
    allowPrivateHosts: [],
    trustLiteralUrls: false,
    limits: withLimits({ connectTimeoutMs: 2000 }),
    log: silentLog,
    // What a hostile name server says.
    lookup: (_host, _options, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]),
  })
  afterAll(() => network.close())

  test("no private host is asked, by whatever name", async () => {
    const asked: string[] = []
    const server = await listen(
      createServer((request, response) => {
        asked.push(request.url ?? "")
        response.end("{}")
      }),
    )
    const documents = createClientDocuments({ outbound: network.outbound({ literalUrls: [] }), clock, limits: defaultLimits })
    for (const host of ["127.0.0.1", "localhost", "[::1]", "10.0.0.1", "169.254.169.254", "rebound.example", "2130706433"])
      await expect(documents(`https://${host}:${server.port}/m.json`)).rejects.toMatchObject({ code: "invalid_request" })
    expect(asked).toEqual([])
    await server.close()
  })
})
