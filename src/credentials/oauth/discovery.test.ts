// What resources and issuers say of themselves, over real sockets: found where the standards put it, and refused where it is not theirs.
import { createServer } from "node:http"
import { afterEach, describe, expect, it } from "vitest"
import { listen } from "../../../test/servers/listen.ts"
import type { Listening } from "../../../test/servers/listen.ts"
import { defaultLimits } from "../../core/limits.ts"
import { createNetwork } from "../../io/network/guarded-fetch.ts"
import { silentLog } from "../../io/log.ts"
import { probeResource } from "./resource-metadata.ts"
import { discoverServer } from "./server-metadata.ts"

type Page = { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: unknown }
const open: Listening[] = []
const seen: string[] = []

afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
  seen.splice(0)
})

/** Answers `<method> <path>` as told, everything else with 404. */
async function serve(pages: (url: string) => Record<string, Page>): Promise<string> {
  const server = createServer((request, response) => {
    const key = `${request.method} ${request.url}`
    seen.push(key)
    const page = pages(address.url)[key] ?? { status: 404, body: {} }
    response.writeHead(page.status ?? 200, { "content-type": "application/json", ...page.headers }).end(JSON.stringify(page.body ?? {}))
  })
  const address = await listen(server)
  open.push(address)
  return address.url
}

const networkFor = (...literalUrls: string[]) => {
  const network = createNetwork({ allowPrivateHosts: [], trustLiteralUrls: true, limits: defaultLimits, log: silentLog })
  return { outbound: network.outbound({ literalUrls }), limits: defaultLimits }
}

const metadata = (issuer: string, change: Record<string, unknown> = {}): Page => ({
  body: { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`, ...change },
})

describe("an issuer's metadata", () => {
  it("is looked for further where a site answers with a page of its own", async () => {
    const url = await serve((base) => ({
      "GET /.well-known/oauth-authorization-server": { body: "<html>" },
      "GET /.well-known/openid-configuration": metadata(base),
    }))
    expect(await discoverServer(url, networkFor(url))).toMatchObject({ tokenEndpoint: `${url}/token` })
    const pages = await serve(() => ({ "GET /.well-known/oauth-authorization-server": { body: [] } }))
    await expect(discoverServer(pages, networkFor(pages))).rejects.toThrow(
      /oauth-authorization-server \(200, not JSON\), .*configuration \(404\)/,
    )
  })

  it("is found in each of the well-known places, and nowhere else", async () => {
    const places: [string, string][] = [
      ["", "GET /.well-known/oauth-authorization-server"],
      ["", "GET /.well-known/openid-configuration"],
      ["/tenant/a", "GET /.well-known/oauth-authorization-server/tenant/a"],
      ["/tenant/a", "GET /.well-known/openid-configuration/tenant/a"],
      ["/tenant/a", "GET /tenant/a/.well-known/openid-configuration"],
    ]
    for (const [path, key] of places) {
      const url = await serve((base) => ({
        [key]: metadata(`${base}${path}`, { scopes_supported: ["a", 5], token_endpoint_auth_methods_supported: null }),
      }))
      const server = await discoverServer(`${url}${path}`, networkFor(url))
      expect(server).toEqual({
        issuer: `${url}${path}`,
        authorizationEndpoint: `${url}${path}/authorize`,
        tokenEndpoint: `${url}${path}/token`,
        registrationEndpoint: null,
        scopesSupported: ["a"],
        authMethods: [],
        sendsIssuer: false,
      })
    }
    const empty = await serve(() => ({ "GET /metadata": metadata("x") }))
    await expect(discoverServer(empty, networkFor(empty))).rejects.toThrow(/does not publish its OAuth endpoints/)
  })

  it("is refused when it is another's, or no metadata at all", async () => {
    const bodies: [unknown, RegExp][] = [
      [{ issuer: "https://accounts.example.com", token_endpoint: "https://accounts.example.com/token" }, /another issuer/],
      [{ token_endpoint: "https://accounts.example.com/token" }, /not valid/],
      [[1, 2], /not JSON/],
      ["text", /not JSON/],
      [null, /not valid/],
    ]
    for (const [body, message] of bodies) {
      const url = await serve(() => ({ "GET /.well-known/oauth-authorization-server": { body } }))
      await expect(discoverServer(url, networkFor(url))).rejects.toThrow(message)
    }
    const bare = await serve((base) => ({ "GET /.well-known/oauth-authorization-server": { body: { issuer: base } } }))
    await expect(discoverServer(bare, networkFor(bare))).rejects.toThrow(/does not name a token endpoint/)
    for (const issuer of ["http://idp.example.com", "ftp://x", "nonsense", "https://a:b@c", "https://a/#b"])
      await expect(discoverServer(issuer, networkFor())).rejects.toMatchObject({ code: "invalid_request" })
  })

  it("does not lead into the private network", async () => {
    const url = await serve((base) => ({ "GET /.well-known/oauth-authorization-server": metadata(base) }))
    await expect(discoverServer(url, networkFor())).rejects.toMatchObject({ code: "upstream_unreachable" })
    expect(seen).toEqual([])
  })
})

describe("a resource", () => {
  const about = (base: string, change: Record<string, unknown> = {}): Page => ({
    body: { resource: `${base}/mcp`, authorization_servers: ["https://auth.example.com"], scopes_supported: ["tools"], ...change },
  })

  it("names its metadata in its challenge", async () => {
    const challenge = (base: string): Page => ({
      status: 401,
      headers: { "www-authenticate": `Bearer realm="x", scope="one two", resource_metadata="${base}/about?me"` },
    })
    const url = await serve((base) => ({ "GET /mcp": challenge(base), "GET /about?me": about(base) }))
    expect(await probeResource(`${url}/mcp`, "mcp", networkFor(url))).toEqual({
      status: 401,
      challenge: "Bearer",
      challengeScopes: ["one", "two"],
      resource: { resource: `${url}/mcp`, authorizationServers: ["https://auth.example.com"], scopes: ["tools"] },
      problems: [],
    })
  })

  it("that is not to be read is asked as a client begins", async () => {
    const url = await serve((base) => ({
      "GET /mcp": { status: 405 },
      "POST /mcp": { status: 401, headers: { "www-authenticate": `Bearer resource_metadata=${base}/about` } },
      "GET /about": about(base),
    }))
    expect(await probeResource(`${url}/mcp`, "mcp", networkFor(url))).toMatchObject({
      status: 401,
      challengeScopes: null,
      resource: { scopes: ["tools"] },
    })
    seen.splice(0)
    await probeResource(`${url}/mcp`, "plain", networkFor(url))
    expect(seen.filter((key) => key.startsWith("POST"))).toEqual([])
  })

  it("is also found by its well-known places, for its path and for all", async () => {
    for (const key of ["GET /.well-known/oauth-protected-resource/mcp", "GET /.well-known/oauth-protected-resource"]) {
      const url = await serve((base) => ({ [key]: about(base, { resource: key.endsWith("mcp") ? `${base}/mcp` : base }) }))
      const probe = await probeResource(`${url}/mcp`, "plain", networkFor(url))
      expect(probe).toMatchObject({ status: 404, challenge: null, resource: { authorizationServers: ["https://auth.example.com"] } })
    }
  })

  it("may not speak for another", async () => {
    for (const resource of ["https://bank.example.com/", "/other", "/mcpx", "/mcp/below"]) {
      const url = await serve((base) => ({
        "GET /.well-known/oauth-protected-resource/mcp": about(base, {
          resource: resource.startsWith("/") ? `${base}${resource}` : resource,
        }),
      }))
      const probe = await probeResource(`${url}/mcp`, "plain", networkFor(url))
      expect([resource, probe.resource]).toEqual([resource, null])
      expect(probe.problems.join()).toContain("another resource")
    }
  })

  it("that says nonsense gives nothing, and does not fail", async () => {
    const headers = ["Bearer", "", `Bearer resource_metadata="`, `Bearer resource_metadata="not a url"`, `Basic realm="\\"x"`, ",,,=,"]
    for (const header of headers) {
      const url = await serve(() => ({ "GET /": { status: 401, headers: { "www-authenticate": header } } }))
      expect(await probeResource(url, "plain", networkFor(url))).toMatchObject({ status: 401, resource: null })
    }
    expect(await probeResource("http://127.0.0.1:9/", "plain", networkFor())).toMatchObject({ status: null, resource: null })
  })
})
