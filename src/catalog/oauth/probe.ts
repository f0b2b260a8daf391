// Finds out what an upstream requires of its callers: its challenge, its metadata and its providers.
import { ExecutorError } from "../../core/errors.ts"
import type { OauthProbe, OauthProbedServer, OauthProbeRequest } from "../../core/oauth.ts"
import { requireRight } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import { secureUrl, probeResource, discoverServer } from "../../credentials/oauth/oauth.ts"
import type { ProviderNetwork, ResourceStyle } from "../../credentials/oauth/oauth.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { adminOrigins, refusePrivateUrls } from "../integrations/admin-text.ts"
import { getIntegration, readFacts } from "../integrations/integration.ts"
import { documentOauth } from "./document.ts"
import { networkOf, resourceUrl } from "./provider.ts"

const serversMax = 5

export async function probeOauth(principal: Principal, request: OauthProbeRequest, parts: CatalogParts): Promise<OauthProbe> {
  requireRight(principal, "connections.org", "probe an upstream")
  const redirectUri = parts.oauthLinks.redirectUri()
  if ("url" in request) {
    const url = secureUrl(request.url, "url")
    refusePrivateUrls(principal, [url])
    return { ...(await probe(url, "plain", [new URL(url).origin], networkOf(adminOrigins(principal, [url]), parts))), redirectUri }
  }
  const integration = await getIntegration(principal, request.integration, parts)
  const url = await resourceUrl(principal, integration, parts)
  const stated = documentOauth(integration)
  const network = networkOf(readFacts(integration).literalUrls, parts)
  const issuers = stated?.kind === "issuer" ? [stated.issuer] : integration.kind === "mcp" ? [new URL(url).origin] : []
  const found = await probe(url, integration.kind === "mcp" ? "mcp" : "plain", issuers, network)
  if (stated?.kind !== "endpoints") return { ...found, redirectUri }
  return { ...found, redirectUri, servers: [{ ...stated.server, supportsRegistration: false }, ...found.servers] }
}

/** `others`: issuers to try where the resource names none. */
async function probe(
  url: string,
  style: ResourceStyle,
  others: readonly string[],
  network: ProviderNetwork,
): Promise<Omit<OauthProbe, "redirectUri">> {
  const { status, challenge, resource, problems } = await probeResource(url, style, network)
  const named = resource?.authorizationServers ?? []
  const tried = await Promise.all((named.length > 0 ? named : others).slice(0, serversMax).map((issuer) => tryServer(issuer, network)))
  const servers = tried.filter((one): one is OauthProbedServer => typeof one !== "string")
  // A guess that led nowhere is no problem; what the resource itself names and is wrong is one.
  const wrong = named.length > 0 ? tried.filter((one): one is string => typeof one === "string") : []
  return { url, status, challenge, resource, servers, problems: [...problems, ...wrong] }
}

async function tryServer(issuer: string, network: ProviderNetwork): Promise<OauthProbedServer | string> {
  try {
    const server = await discoverServer(issuer, network)
    return { ...server, supportsRegistration: server.registrationEndpoint !== null }
  } catch (error) {
    if (error instanceof ExecutorError) return error.message
    throw error
  }
}
