// Tests in which order the key of a web search is found, and that it appears nowhere.
import { createServer } from "node:http"
import type { IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { defaultLimits } from "../../../core/limits.ts"
import { silentLog } from "../../../io/log.ts"
import { createNetwork } from "../../../io/network/guarded-fetch.ts"
import { noSettings } from "../builtin.ts"
import { resolveSearchKey } from "./search-key.ts"
import type { OpenCredential, TenantCredentials } from "./search-key.ts"
import { searchWeb } from "./search-web.ts"

const scope = { tenant: "default", user: "alice" }
const key = "planted-key-8d1f"

function credentials(known: Record<string, OpenCredential>): TenantCredentials {
  return {
    find: async (_, { category, providerKey, providerVariant }) => known[`${category}/${providerKey}/${providerVariant ?? ""}`] ?? null,
  }
}
const opened = (values: Record<string, string>, endpoint: string | null = null): OpenCredential => ({ values, endpoint })

describe("the key", () => {
  const tenantCredentials = credentials({
    "custom/web_search/serper": opened({ api_key: "third" }, "https://search.test/"),
    "custom/serper/": opened({ token: "fourth" }),
  })
  const none = credentials({})

  test("is the tool's own, else the one it names, else the tenant's, else the operator's", async () => {
    const parts = { tenantCredentials, serperApiKey: "last" }
    const credential = opened({ api_key: "second" }, "https://named.test/")
    expect(await resolveSearchKey(scope, { apiKey: "first", credential }, parts)).toEqual({ ok: true, apiKey: "first", endpoint: null })
    expect(await resolveSearchKey(scope, { apiKey: null, credential }, parts)).toEqual({
      ok: true,
      apiKey: "second",
      endpoint: "https://named.test/",
    })
    expect(await resolveSearchKey(scope, noSettings, parts)).toEqual({ ok: true, apiKey: "third", endpoint: "https://search.test/" })
    expect(await resolveSearchKey(scope, { apiKey: " ", credential: opened({}) }, { ...parts, tenantCredentials: none })).toMatchObject({
      apiKey: "last",
    })
  })

  test("is api_key before token, of web_search before serper", async () => {
    const only = credentials({ "custom/serper/": opened({ token: "fourth" }) })
    expect(await resolveSearchKey(scope, noSettings, { tenantCredentials: only, serperApiKey: "last" })).toMatchObject({ apiKey: "fourth" })
    const both = credentials({ "custom/serper/": opened({ token: "t", api_key: "k" }) })
    expect(await resolveSearchKey(scope, noSettings, { tenantCredentials: both, serperApiKey: null })).toMatchObject({ apiKey: "k" })
  })

  test("that is nowhere is asked for, with all four places", async () => {
    const missing = await resolveSearchKey(scope, noSettings, { tenantCredentials: none, serperApiKey: null })
    expect(missing).toMatchObject({ ok: false, error: { code: "auth_required" } })
    for (const place of ["implementation.api_key", "credentials_ref", "provider_key web_search", "SERPER_API_KEY"])
      expect(JSON.stringify(missing)).toContain(place)
  })
})

describe("a search", () => {
  const requests: { url: string; headers: IncomingHttpHeaders; body: unknown }[] = []
  let answer: { status: number; body: string } = { status: 200, body: "{}" }
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ url: request.url ?? "", headers: request.headers, body: JSON.parse(body) as unknown })
      response.writeHead(answer.status, { "content-type": "application/json", location: "https://elsewhere.test/" }).end(answer.body)
    })
  })
  let endpoint = ""
  const network = createNetwork({ allowPrivateHosts: ["127.0.0.1"], trustLiteralUrls: false, limits: defaultLimits, log: silentLog })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/search`
  })
  beforeEach(() => void requests.splice(0))
  afterAll(async () => {
    await network.close()
    server.close()
  })
  const search = (topK?: number) =>
    searchWeb(
      "tides of Brest",
      { apiKey: key, endpoint },
      {
        outbound: network.outbound({ literalUrls: [] }),
        limits: defaultLimits,
        timeoutMs: 5000,
        signal: new AbortController().signal,
        ...(topK === undefined ? {} : { topK }),
      },
    )

  test("speaks Serper's format", async () => {
    const organic = [
      { title: "Tides", link: "https://example.com/tides", snippet: "Twice a day", date: "2 days ago", position: 1 },
      { title: "No link" },
      { title: "Boats", link: "https://example.com/boats", position: 2 },
      { title: "More", link: "https://example.com/more", snippet: "x", position: 3 },
    ]
    answer = { status: 200, body: JSON.stringify({ searchParameters: { q: "x" }, answerBox: { answer: "7 m" }, organic, credits: 1 }) }
    expect(await search(2)).toEqual({
      ok: true,
      data: {
        query: "tides of Brest",
        provider: "serper",
        answer: "7 m",
        results: [
          { title: "Tides", url: "https://example.com/tides", snippet: "Twice a day", date: "2 days ago" },
          { title: "Boats", url: "https://example.com/boats", snippet: "" },
        ],
      },
    })
    expect(requests).toMatchObject([{ url: "/search", headers: { "x-api-key": key }, body: { q: "tides of Brest", num: 2 } }])
  })

  test.each([
    [200, JSON.stringify({ organic: [{ title: key, link: `https://evil.test/?k=${key}`, snippet: `your key is ${key}` }] })],
    [400, JSON.stringify({ message: `bad key ${key}` })],
    [500, key],
    [200, `"${key}"`],
    [302, `{"message":"${key}"}`],
    [500, JSON.stringify({ message: Buffer.from(key).toString("base64") })],
    [200, JSON.stringify({ organic: [{ title: "x", link: Buffer.from(key).toString("hex") }] })],
  ])("never shows the key, whatever the provider answers (%i)", async (status, body) => {
    answer = { status, body }
    const shown = JSON.stringify(await search())
    for (const form of [key, Buffer.from(key).toString("base64"), Buffer.from(key).toString("hex")]) expect(shown).not.toContain(form)
    expect(requests).toHaveLength(1)
  })

  test.each([
    [401, "auth_required"],
    [403, "auth_required"],
    [429, "rate_limited"],
    [502, "upstream_error"],
  ])("%i is %s", async (status, code) => {
    answer = { status, body: "{}" }
    expect(await search()).toMatchObject({ ok: false, error: { code, status } })
  })
})
