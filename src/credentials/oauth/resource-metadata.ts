// Asks a resource what it requires of its callers: its challenge and its metadata (RFC 9728).
import { customFetch } from "oauth4webapi"
import { ExecutorError } from "../../core/errors.ts"
import type { OauthResource } from "../../core/oauth.ts"
import { providerFetch } from "./provider-network.ts"
import type { ProviderNetwork } from "./provider-network.ts"
import { textList } from "./server-metadata.ts"

export type ResourceProbe = {
  readonly status: number | null
  readonly challenge: string | null
  /** Which scopes the challenge asks for; null when it says nothing. */
  readonly challengeScopes: readonly string[] | null
  readonly resource: OauthResource | null
  readonly problems: readonly string[]
}

/** `mcp`: a server may refuse to be read, so it is also asked as a client would begin. */
export type ResourceStyle = "mcp" | "plain"

/** Never throws for what the resource does. */
export async function probeResource(url: string, style: ResourceStyle, network: ProviderNetwork): Promise<ResourceProbe> {
  const problems: string[] = []
  const attempt = async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ExecutorError)) throw error
      if (!problems.includes(error.message)) problems.push(error.message)
      return null
    }
  }
  const answer = await attempt(() => askWithoutToken(url, style, network))
  const header = answer?.headers.get("www-authenticate") ?? null
  const named = header === null ? null : parameterOf(header, "resource_metadata")
  const places = named === null ? wellKnownPlaces(url) : [named]
  let resource: OauthResource | null = null
  for (const place of places) resource ??= await attempt(() => readResource(place, url, network))
  return {
    status: answer?.status ?? null,
    challenge: header === null ? null : (/^\s*([A-Za-z][\w-]*)/.exec(header)?.[1] ?? null),
    challengeScopes: header === null ? null : (parameterOf(header, "scope")?.split(" ").filter(Boolean) ?? null),
    resource,
    problems,
  }
}

async function askWithoutToken(url: string, style: ResourceStyle, network: ProviderNetwork): Promise<Response> {
  const send = providerFetch(network)[customFetch]
  const accept = "application/json, text/event-stream"
  const read = await send(url, { method: "GET", headers: { accept } })
  if (read.status === 401 || style === "plain") return read
  const post = (body: unknown, headers: Record<string, string>): Promise<Response> =>
    send(url, { method: "POST", headers: { accept, "content-type": "application/json", ...headers }, body: JSON.stringify(body) })
  const asked = await post(newestGreeting, newestHeaders)
  return asked.status === 401 ? asked : post(olderGreeting, {})
}

/** Servers that know one kind of greeting refuse the other before they ask who greets. */
const clientInfo = { name: "executor", version: "1" }
const newestRevision = "2026-07-28"
const newestHeaders = { "mcp-protocol-version": newestRevision, "mcp-method": "server/discover" }
const newestGreeting = {
  jsonrpc: "2.0",
  id: 1,
  method: "server/discover",
  params: {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": newestRevision,
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": clientInfo,
    },
  },
}
const olderGreeting = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
}

function wellKnownPlaces(url: string): string[] {
  const { origin, pathname } = new URL(url)
  const path = pathname.replace(/\/+$/, "")
  const root = `${origin}/.well-known/oauth-protected-resource`
  return path === "" ? [root] : [`${root}${path}`, root]
}

/** Null where there is none. Throws when it speaks of another resource: whoever wrote it may not speak for this one. */
async function readResource(place: string, url: string, network: ProviderNetwork): Promise<OauthResource | null> {
  const response = await providerFetch(network)[customFetch](place, { method: "GET", headers: { accept: "application/json" } })
  if (response.status !== 200) return null
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null // read as unknown below
  const resource = body?.["resource"]
  if (typeof resource !== "string" || !URL.canParse(resource)) return null
  if (!speaksFor(new URL(resource), new URL(url)))
    throw new ExecutorError(
      "invalid_request",
      `The metadata of ${url} describes another resource, ${JSON.stringify(resource.slice(0, 200))}`,
    )
  return { resource, authorizationServers: textList(body?.["authorization_servers"]), scopes: textList(body?.["scopes_supported"]) }
}

/** The same, or what the URL lies below. */
function speaksFor(resource: URL, url: URL): boolean {
  const below = resource.pathname.endsWith("/") ? resource.pathname : `${resource.pathname}/`
  return resource.origin === url.origin && `${url.pathname}/`.startsWith(below)
}

/** One parameter of a challenge, quoted or not. */
function parameterOf(header: string, name: string): string | null {
  const match = new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,"]+))`, "i").exec(header)
  return match === null ? null : (match[1]?.replaceAll(/\\(.)/g, "$1") ?? match[2] ?? null)
}
