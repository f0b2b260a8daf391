// Writes the URL to which a human's browser is sent to consent, with PKCE and a state of its own.
import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from "oauth4webapi"
import { ExecutorError } from "../../core/errors.ts"
import type { OauthServer } from "../../core/oauth.ts"

export type AuthorizationRequest = {
  readonly server: Pick<OauthServer, "authorizationEndpoint">
  readonly clientId: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly resource: string | null
  /** What an admin added; it never replaces what is ours. */
  readonly extra: Readonly<Record<string, string>>
}

/** To be kept in the vault until the answer comes. */
export type Authorization = { readonly url: string; readonly state: string; readonly verifier: string }

export async function authorizationUrl(request: AuthorizationRequest): Promise<Authorization> {
  const { server, scopes, resource } = request
  if (server.authorizationEndpoint === null)
    throw new ExecutorError("invalid_request", "The provider has no authorization endpoint, so a human cannot consent there")
  const state = generateRandomState()
  const verifier = generateRandomCodeVerifier()
  const url = new URL(server.authorizationEndpoint)
  const parameters = {
    ...request.extra,
    // A provider gives a refresh token for `offline_access` only when it asks the human.
    ...(scopes.includes("offline_access") && request.extra["prompt"] === undefined ? { prompt: "consent" } : {}),
    response_type: "code",
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
    ...(resource === null ? {} : { resource }),
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { url: url.href, state, verifier }
}
