// Finds the endpoints of a provider, only from the issuer's own metadata (RFC 8414, OpenID Connect Discovery).
import { isRecord } from "../../core/json/record.ts"
import { customFetch, processDiscoveryResponse } from "oauth4webapi"
import type { AuthorizationServer } from "oauth4webapi"
import { ExecutorError } from "../../core/errors.ts"
import type { OauthServer } from "../../core/oauth.ts"
import { providerFetch, secureUrl } from "./provider-network.ts"
import type { ProviderNetwork } from "./provider-network.ts"

const listItemsMax = 1000

/** Throws an `ExecutorError` that says what is wrong with the issuer. */
export async function discoverServer(issuerText: string, network: ProviderNetwork): Promise<OauthServer> {
  const issuer = new URL(secureUrl(issuerText, "The issuer"))
  const tried: string[] = []
  for (const url of metadataUrls(issuer)) {
    const response = await providerFetch(network)[customFetch](url, { method: "GET", headers: { accept: "application/json" } })
    // A site that answers everything with a page of its own says nothing here; the next place may.
    const isMetadata = response.status === 200 && (await isJsonObject(response.clone()))
    tried.push(`${new URL(url).pathname} (${response.status}${response.status === 200 && !isMetadata ? ", not JSON" : ""})`)
    if (!isMetadata) continue
    return readMetadata(await processMetadata(issuer, response))
  }
  throw new ExecutorError("invalid_request", `${issuer.host} does not publish its OAuth endpoints; tried ${tried.join(", ")}`)
}

async function isJsonObject(response: Response): Promise<boolean> {
  const body: unknown = await response.json().catch(() => null)
  return isRecord(body)
}

/** The places in the order in which the MCP specification wants them tried. */
function metadataUrls(issuer: URL): string[] {
  const path = issuer.pathname.replace(/\/+$/, "")
  const at = (pathname: string): string => new URL(pathname, issuer.origin).href
  const inserted = [at(`/.well-known/oauth-authorization-server${path}`), at(`/.well-known/openid-configuration${path}`)]
  return path === "" ? inserted : [...inserted, at(`${path}/.well-known/openid-configuration`)]
}

async function processMetadata(issuer: URL, response: Response): Promise<AuthorizationServer> {
  try {
    return await processDiscoveryResponse(issuer, response.clone())
  } catch {
    const named = await namedIssuer(response)
    throw new ExecutorError(
      "invalid_request",
      named === null || named === issuer.href
        ? `The metadata of ${issuer.href} is not valid`
        : `The metadata of ${issuer.href} names another issuer, ${JSON.stringify(named)}, so it is not trusted`,
    )
  }
}

async function namedIssuer(response: Response): Promise<string | null> {
  const body = (await response.json().catch(() => null)) as { issuer?: unknown } | null // read as unknown below
  return typeof body?.issuer === "string" ? body.issuer.slice(0, 200) : null
}

function readMetadata(metadata: AuthorizationServer): OauthServer {
  const endpoint = (name: "authorization_endpoint" | "token_endpoint" | "registration_endpoint"): string | null => {
    const value: unknown = metadata[name]
    return typeof value === "string" && value !== "" ? secureUrl(value, `The issuer's ${name}`) : null
  }
  const tokenEndpoint = endpoint("token_endpoint")
  if (tokenEndpoint === null)
    throw new ExecutorError("invalid_request", `The metadata of ${metadata.issuer} does not name a token endpoint`)
  const methods = metadata.code_challenge_methods_supported
  if (Array.isArray(methods) && !methods.includes("S256"))
    throw new ExecutorError("invalid_request", `${metadata.issuer} does not support PKCE with S256, without which a code can be stolen`)
  return {
    issuer: metadata.issuer,
    authorizationEndpoint: endpoint("authorization_endpoint"),
    tokenEndpoint,
    registrationEndpoint: endpoint("registration_endpoint"),
    scopesSupported: textList(metadata.scopes_supported),
    authMethods: textList(metadata.token_endpoint_auth_methods_supported),
    sendsIssuer: metadata.authorization_response_iss_parameter_supported === true,
  }
}

export const textList = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string").slice(0, listItemsMax) : []
