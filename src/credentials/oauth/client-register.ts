// Registers Executor at a provider that supports dynamic registration (RFC 7591).
import { dynamicClientRegistrationRequest, processDynamicClientRegistrationResponse, ResponseBodyError } from "oauth4webapi"
import { ExecutorError } from "../../core/errors.ts"
import type { OauthAuthMethod, OauthServer } from "../../core/oauth.ts"
import { oauthAuthMethods } from "../../core/oauth.ts"
import { providerFetch } from "./provider-network.ts"
import type { ProviderNetwork } from "./provider-network.ts"
import { plainText } from "./token-answer.ts"
import { serverOf } from "./token-request.ts"
import type { ProviderClient } from "./token-request.ts"

export type RegisteredClient = ProviderClient & {
  /** When its secret runs out; null: never. */
  readonly expiresAtMs: number | null
}

export async function registerClient(server: OauthServer, redirectUri: string, network: ProviderNetwork): Promise<RegisteredClient> {
  if (server.registrationEndpoint === null)
    throw new ExecutorError(
      "invalid_request",
      `${server.issuer ?? "The provider"} does not support dynamic client registration: register Executor there with the redirect URI ${redirectUri}, then add its client id and secret with POST /oauth/clients`,
    )
  const wanted = authMethodFor(server, "public")
  const metadata = {
    client_name: "Executor",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: wanted,
    // Providers accept a plain http redirect from native applications alone.
    application_type: redirectUri.startsWith("http:") ? "native" : "web",
  }
  const client = await send(server, metadata, network)
  const secret = typeof client.client_secret === "string" ? client.client_secret : null
  const given = client.token_endpoint_auth_method
  const authMethod = oauthAuthMethods.find((method) => method === given) ?? (secret === null ? "none" : "client_secret_basic")
  const expires = client["client_secret_expires_at"]
  return {
    clientId: client.client_id,
    secret,
    authMethod: secret === null ? "none" : authMethod,
    expiresAtMs: typeof expires === "number" && expires > 0 ? expires * 1000 : null,
  }
}

async function send(server: OauthServer, metadata: Record<string, string | string[]>, network: ProviderNetwork) {
  try {
    const response = await dynamicClientRegistrationRequest(serverOf(server), metadata, providerFetch(network))
    return await processDynamicClientRegistrationResponse(await withExpiry(response))
  } catch (error) {
    if (error instanceof ExecutorError) throw error
    const isRefusal = error instanceof ResponseBodyError
    const reason = isRefusal ? [error.error, error.error_description].filter(Boolean).join(": ") : "its answer is not valid"
    throw new ExecutorError("invalid_request", `${server.issuer} refused to register Executor: ${plainText(reason)}`)
  }
}

/** Providers that give secrets for ever often do not say so, although they must. */
async function withExpiry(response: Response): Promise<Response> {
  const body: unknown =
    response.status === 201
      ? await response
          .clone()
          .json()
          .catch(() => null)
      : null
  const isOpenEnded = typeof body === "object" && body !== null && "client_secret" in body && !("client_secret_expires_at" in body)
  if (!isOpenEnded) return response
  return Response.json({ ...body, client_secret_expires_at: 0 }, { status: response.status })
}

/** What the provider takes: as little as it accepts for a public client, HTTP Basic for one with a secret unless it says otherwise. */
export function authMethodFor(server: OauthServer, kind: "public" | "secret"): OauthAuthMethod {
  const known = oauthAuthMethods.filter((method) => server.authMethods.includes(method))
  if (kind === "public" && known.includes("none")) return "none"
  return known.find((method) => method !== "none") ?? "client_secret_basic"
}
