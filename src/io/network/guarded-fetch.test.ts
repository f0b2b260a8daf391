// Tests where the network may be reached, against real servers: private addresses, grants, redirects, our own address.
import type { LookupAddress } from "node:dns"
import { setImmediate } from "node:timers/promises"
import { setDefaultCACertificates } from "node:tls"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Echo } from "../../../test/servers/echo.ts"
import { startEcho } from "../../../test/servers/echo.ts"
import { startTls, testCertificate } from "../../../test/servers/tls.ts"
import { defaultLimits, withLimits } from "../../core/limits.ts"
import type { Lookup } from "./connect-guard.ts"
import type { NetworkOptions } from "./guarded-fetch.ts"
import { createNetwork } from "./guarded-fetch.ts"
import { silentLog } from "../log.ts"
import type { Network, Outbound, OutboundFailure, OutboundRequest, OutboundResponse } from "./outbound.ts"

let echo: Echo
let other: Echo
const networks: Network[] = []

beforeAll(async () => void ([echo, other] = await Promise.all([startEcho(), startEcho()])))
afterAll(() => Promise.all([echo.close(), other.close()]))
afterEach(async () => {
  await Promise.all(networks.splice(0).map((made) => made.close()))
  echo.ledger.length = 0
  other.ledger.length = 0
})

function network(options: Partial<NetworkOptions> = {}): Network {
  const made = createNetwork({ allowPrivateHosts: [], trustLiteralUrls: true, limits: defaultLimits, log: silentLog, ...options })
  networks.push(made)
  return made
}

const ask = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: "GET",
  url,
  timeoutMs: 5000,
  responseBytesMax: 1_000_000,
  ...more,
})

const get = (outbound: Outbound, url: string, more: Partial<OutboundRequest> = {}): Promise<OutboundResponse | OutboundFailure> =>
  outbound.send(ask(url, more))

const noGrants = { literalUrls: [] }

/** Resolves names as the test says, and counts how often it is asked. */
function resolver(answers: Record<string, (asked: number) => string[]>): { lookup: Lookup; asked: () => number } {
  let asked = 0
  const lookup: Lookup = (hostname, _options, callback) => {
    const addresses = (answers[hostname] ?? (() => []))(asked++)
    callback(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(":") ? 6 : 4 })),
    )
  }
  return { lookup, asked: () => asked }
}

describe("private addresses", () => {
  it.each([
    "http://127.0.0.1:PORT/",
    "http://localhost:PORT/",
    "http://2130706433:PORT/",
    "http://0x7f000001:PORT/",
    "http://0177.0.0.1:PORT/",
    "http://127.1:PORT/",
    "http://0.0.0.0:PORT/",
    "http://[::1]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://[::ffff:7f00:1]:PORT/",
    "http://①②⑦.0.0.1:PORT/",
  ])("refuses %s", async (url) => {
    const answer = await get(network().outbound(noGrants), url.replace("PORT", String(echo.port)))
    expect(answer).toMatchObject({
      ok: false,
      code: "upstream_unreachable",
      retryable: false,
      message: expect.stringContaining("is a private address"),
    })
    expect(echo.ledger).toEqual([])
  })

  it("refuses a name that resolves to one, and does not ask twice", async () => {
    const names = resolver({ "api.test": () => ["127.0.0.1"] })
    const answer = await get(network({ lookup: names.lookup }).outbound(noGrants), `http://api.test:${echo.port}/?key=secret`)
    expect(answer).toMatchObject({
      ok: false,
      message: `api.test:${echo.port} is a private address; to allow it, add 'api.test:${echo.port}' to EXECUTOR_ALLOW_PRIVATE_HOSTS`,
    })
    expect(names.asked()).toBe(1)
  })

  it("connects to the public one of several addresses only", async () => {
    const names = resolver({ "api.test": () => ["127.0.0.1", "240.0.0.1", "::1"] })
    const outbound = network({ lookup: names.lookup, allowPrivateHosts: ["240.0.0.0/8"] }).outbound(noGrants)
    const answer = await get(outbound, `http://api.test:${echo.port}/`, { timeoutMs: 500 })
    expect(answer.ok).toBe(false)
    expect(answer).not.toMatchObject({ message: expect.stringContaining("private") })
    expect(echo.ledger).toEqual([])
  })

  it("checks the address of each connection, so that a changed DNS answer does not help", async () => {
    const names = resolver({ "api.test": (asked) => (asked === 0 ? ["127.0.0.1"] : ["127.0.0.2"]) })
    const outbound = network({ lookup: names.lookup, allowPrivateHosts: ["127.0.0.1"] }).outbound(noGrants)
    expect(await get(outbound, `http://api.test:${echo.port}/`, { headers: { connection: "close" } })).toMatchObject({
      ok: true,
      status: 200,
    })
    expect(await get(outbound, `http://api.test:${echo.port}/`)).toMatchObject({
      ok: false,
      message: expect.stringContaining("private address"),
    })
  })

  it("reuses a connection without asking the resolver again", async () => {
    const names = resolver({ "api.test": () => ["127.0.0.1"] })
    const outbound = network({ lookup: names.lookup, allowPrivateHosts: ["api.test"] }).outbound(noGrants)
    for (let i = 0; i < 3; i++) {
      expect(await get(outbound, `http://api.test:${echo.port}/`)).toMatchObject({ ok: true })
      // undici hands a connection back one turn of the event loop after its answer.
      await setImmediate()
    }
    expect(names.asked()).toBe(1)
  })

  it.each(["127.0.0.1", "127.0.0.1:PORT", "127.0.0.0/8", " 127.0.0.1 ", "::ffff:127.0.0.1", "[::ffff:127.0.0.1]:PORT"])(
    "reaches what the operator allows as %j",
    async (entry) => {
      const outbound = network({ allowPrivateHosts: [entry.replace("PORT", String(echo.port))], trustLiteralUrls: false }).outbound(
        noGrants,
      )
      expect(await get(outbound, echo.url)).toMatchObject({ ok: true })
      const onlyThisPort = entry.includes("PORT")
      expect((await get(outbound, other.url)).ok).toBe(!onlyThisPort)
    },
  )

  it.each(["*.internal", "http://localhost", "localhost:http", "", "10.0.0.0/99", "a b", "user@host"])(
    "says that %j is no entry",
    (entry) => {
      expect(() => network({ allowPrivateHosts: [entry] })).toThrow("is neither a host, host:port nor a CIDR range")
    },
  )
})

describe("literal URLs", () => {
  it("allow their host and port as written, and nothing else", async () => {
    const outbound = network().outbound({ literalUrls: [`http://localhost:${echo.port}/openapi.json`, "no url", "ftp://127.0.0.1"] })
    expect(await get(outbound, `http://localhost:${echo.port}/pets`)).toMatchObject({ ok: true })
    expect(await get(outbound, `http://127.0.0.1:${echo.port}/pets`)).toMatchObject({ ok: false })
    expect(await get(outbound, `http://localhost:${other.port}/pets`)).toMatchObject({ ok: false })
  })

  it("allow nothing where we listen beyond loopback", async () => {
    expect(await get(network({ trustLiteralUrls: false }).outbound({ literalUrls: [echo.url] }), echo.url)).toMatchObject({ ok: false })
  })

  it("do not lend their open connections to other integrations", async () => {
    const shared = network()
    expect(await get(shared.outbound({ literalUrls: [echo.url] }), `${echo.url}/mine`)).toMatchObject({ ok: true })
    expect(await get(shared.outbound(noGrants), `${echo.url}/yours`)).toMatchObject({
      ok: false,
      message: expect.stringContaining("private address"),
    })
    expect(echo.ledger.map(({ path }) => path)).toEqual(["/mine"])
  })

  it.each([
    "http://169.254.169.254/latest/meta-data",
    "http://[fe80::1]/",
    "http://[::ffff:169.254.169.254]/",
    "http://[64:ff9b::a9fe:a9fe]/",
  ])("never allow the link-local %s", async (url) => {
    const outbound = network({ allowPrivateHosts: ["169.254.0.0/16", "fe80::/10", "64:ff9b::/96"] }).outbound({ literalUrls: [url] })
    expect(await get(outbound, url)).toMatchObject({ ok: false, message: expect.stringContaining("link-local") })
  })

  it.each(["127.0.0.1", "0.0.0.0", "::", "localhost", "::1"])("never allow our own address, listening on %s", async (listening) => {
    const names = resolver({ localhost: () => ["127.0.0.1"], "me.test": () => ["::ffff:127.0.0.1"] })
    const hosts = ["127.0.0.1", "localhost", "me.test", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "127.0.0.2"]
    const urls = hosts.map((host) => `http://${host}:${echo.port}/`)
    const ours = network({ lookup: names.lookup, allowPrivateHosts: ["127.0.0.0/8", "::1"] })
    ours.forbid(listening, echo.port)
    const outbound = ours.outbound({ literalUrls: urls })
    for (const url of urls)
      expect(await get(outbound, url)).toMatchObject({ ok: false, message: expect.stringContaining("Executor's own address") })
    expect(await get(outbound, other.url)).toMatchObject({ ok: true })
    expect(echo.ledger).toEqual([])
  })
})

describe("redirects", () => {
  const redirect = (to: string, status = 302): string => `${echo.url}/redirect?status=${status}&to=${encodeURIComponent(to)}`

  it("are followed by reads, and the answer says where it came from", async () => {
    const outbound = network().outbound({ literalUrls: [echo.url] })
    expect(await get(outbound, redirect("/pets?limit=1"), { headers: { "X-Key": "1" } })).toMatchObject({
      status: 200,
      url: `${echo.url}/pets?limit=1`,
    })
    expect(echo.ledger[1]?.headers).toMatchObject({ "x-key": "1" })
    expect(await get(outbound, redirect("/pets"), { method: "HEAD" })).toMatchObject({ status: 200 })
  })

  it.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])("are handed back to %s", async (method) => {
    const answer = await get(network().outbound({ literalUrls: [echo.url] }), redirect("/pets", 307), { method })
    expect(answer).toMatchObject({ ok: true, status: 307, headers: { location: "/pets" } })
    expect(echo.ledger).toHaveLength(1)
  })

  it("do not lead to a private address", async () => {
    const outbound = network().outbound({ literalUrls: [echo.url] })
    for (const target of [other.url, `http://localhost:${echo.port}/`, "http://169.254.169.254/", "http://[::1]:1/"]) {
      expect(await get(outbound, redirect(target))).toMatchObject({ ok: false, code: "upstream_unreachable", retryable: false })
    }
    expect(other.ledger).toEqual([])
  })

  it("take no credential, cookie or custom header to another origin, nor back again", async () => {
    const outbound = network().outbound({ literalUrls: [echo.url, other.url] })
    const back = `${other.url}/redirect?to=${encodeURIComponent(`${echo.url}/back`)}`
    const headers = {
      Authorization: "Bearer secret",
      cookie: "a=1",
      "x-api-key": "secret",
      accept: "text/x",
      "accept-language": "de",
      "content-type": "x/y",
    }
    await get(outbound, redirect(back), { headers })
    for (const seen of [other.ledger[0], echo.ledger[1]]) {
      expect(Object.keys(seen?.headers ?? {}).toSorted()).toEqual([
        "accept",
        "accept-encoding",
        "accept-language",
        "connection",
        "host",
        "user-agent",
      ])
    }
    expect(echo.ledger[0]?.headers).toMatchObject({ authorization: "Bearer secret", cookie: "a=1", "x-api-key": "secret" })
  })

  it("end after the limit", async () => {
    const outbound = network({ limits: withLimits({ redirectsMax: 3 }) }).outbound({ literalUrls: [echo.url] })
    expect(await get(outbound, `${echo.url}/loop`)).toMatchObject({
      ok: false,
      message: `127.0.0.1:${echo.port} redirected more than 3 times`,
    })
    expect(echo.ledger).toHaveLength(4)
  })

  it.each(["ftp://127.0.0.1/", "file:///etc/passwd", "http://", "data:text/plain,x"])("do not lead to %s", async (to) => {
    expect(await get(network().outbound({ literalUrls: [echo.url] }), redirect(to))).toMatchObject({
      ok: false,
      message: expect.stringContaining("redirected to"),
    })
  })

  it("do not lead from https to http, and certificates are checked", async () => {
    const tls = await startTls((_request, response) => void response.writeHead(302, { location: echo.url }).end())
    const outbound = network().outbound({ literalUrls: [tls.url, echo.url] })
    expect(await get(outbound, tls.url)).toMatchObject({
      ok: false,
      retryable: false,
      message: expect.stringContaining("TLS: DEPTH_ZERO_SELF_SIGNED_CERT"),
    })
    setDefaultCACertificates([testCertificate])
    expect(await get(outbound, tls.url)).toMatchObject({ ok: false, message: `127.0.0.1:${tls.port} redirected from https to http` })
    await tls.close()
    expect(echo.ledger).toEqual([])
  })
})
