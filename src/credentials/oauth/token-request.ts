// The three requests to a token endpoint: for a code, for a refresh token, and for the client itself.
import * as oauth from "oauth4webapi"
import { ExecutorError } from "../../core/errors.ts"
import type { OauthAuthMethod, OauthServer } from "../../core/oauth.ts"
import { providerFetch } from "./provider-network.ts"
import type { ProviderNetwork } from "./provider-network.ts"
import { plainText, readTokenAnswer, standardAnswer } from "./token-answer.ts"
import type { TokenAnswer } from "./token-answer.ts"

/** Who we are at a provider. */
export type ProviderClient = { readonly clientId: string; readonly secret: string | null; readonly authMethod: OauthAuthMethod }

export type TokenTarget = { readonly server: OauthServer; readonly client: ProviderClient; readonly resource: string | null }

export type CodeGrant = {
  readonly answer: URLSearchParams
  readonly state: string
  readonly verifier: string
  readonly redirectUri: string
}

/** Throws when the provider's answer is not for this state, or of another issuer: then no code is sent anywhere. */
export async function exchangeCode(grant: CodeGrant, target: TokenTarget, network: ProviderNetwork): Promise<TokenAnswer> {
  const as = serverOf(target.server)
  const client = { client_id: target.client.clientId }
  const checked = checkAnswer(grant, target.server, as, client)
  return readTokenAnswer(async () => {
    const auth = authOf(target.client)
    const options = { ...providerFetch(network), ...extraOf(target) }
    const response = await oauth.authorizationCodeGrantRequest(as, client, auth, checked, grant.redirectUri, grant.verifier, options)
    return oauth.processAuthorizationCodeResponse(as, client, await standardAnswer(response))
  }, [target.client.secret, grant.answer.get("code"), grant.verifier])
}

export function refreshTokens(refreshToken: string, target: TokenTarget, network: ProviderNetwork): Promise<TokenAnswer> {
  const as = serverOf(target.server)
  const client = { client_id: target.client.clientId }
  return readTokenAnswer(async () => {
    const options = { ...providerFetch(network), ...extraOf(target) }
    const response = await oauth.refreshTokenGrantRequest(as, client, authOf(target.client), refreshToken, options)
    return oauth.processRefreshTokenResponse(as, client, await standardAnswer(response))
  }, [target.client.secret, refreshToken])
}

export function requestClientToken(scopes: readonly string[], target: TokenTarget, network: ProviderNetwork): Promise<TokenAnswer> {
  const as = serverOf(target.server)
  const client = { client_id: target.client.clientId }
  return readTokenAnswer(async () => {
    const parameters = new URLSearchParams(scopes.length === 0 ? {} : { scope: scopes.join(" ") })
    if (target.resource !== null) parameters.set("resource", target.resource)
    const response = await oauth.clientCredentialsGrantRequest(as, client, authOf(target.client), parameters, providerFetch(network))
    return oauth.processClientCredentialsResponse(as, client, await standardAnswer(response))
  }, [target.client.secret])
}

function checkAnswer(
  { answer, state }: CodeGrant,
  server: OauthServer,
  as: oauth.AuthorizationServer,
  client: oauth.Client,
): ReturnType<typeof oauth.validateAuthResponse> {
  const iss = answer.get("iss")
  if (server.issuer !== null && iss !== null && iss !== server.issuer)
    throw refuse(
      `The response came from the issuer ${JSON.stringify(iss.slice(0, 200))}, but the consent was requested from ${server.issuer}`,
    )
  if (server.issuer === null && iss !== null && !isOwnOrigin(iss, server))
    throw refuse(`The response came from the issuer ${JSON.stringify(iss.slice(0, 200))}, from which no consent was requested`)
  if (iss === null && server.sendsIssuer) throw refuse(`The response does not name its issuer, although ${server.issuer} always does`)
  const parameters = new URLSearchParams(answer)
  if (server.issuer === null) parameters.delete("iss")
  try {
    return oauth.validateAuthResponse(as, client, parameters, state)
  } catch (error) {
    if (!(error instanceof oauth.AuthorizationResponseError)) throw refuse("The provider's response does not belong to this request")
    const reason = [error.error, error.error_description].filter(Boolean).join(": ")
    throw new ExecutorError("forbidden", `The provider did not grant access (${plainText(reason)})`)
  }
}

const refuse = (message: string): ExecutorError => new ExecutorError("invalid_request", `${message}; nothing was sent. Start again`)

/** Where an admin gave endpoints and no issuer, an answer may only name the origin of one of them. */
const isOwnOrigin = (iss: string, server: OauthServer): boolean =>
  URL.canParse(iss) &&
  [server.authorizationEndpoint, server.tokenEndpoint].some((url) => url !== null && new URL(url).origin === new URL(iss).origin)

export const serverOf = (server: OauthServer): oauth.AuthorizationServer => ({
  issuer: server.issuer ?? new URL(server.tokenEndpoint).origin,
  token_endpoint: server.tokenEndpoint,
  ...(server.authorizationEndpoint === null ? {} : { authorization_endpoint: server.authorizationEndpoint }),
  ...(server.registrationEndpoint === null ? {} : { registration_endpoint: server.registrationEndpoint }),
  authorization_response_iss_parameter_supported: server.sendsIssuer,
})

export function authOf({ secret, authMethod }: ProviderClient): oauth.ClientAuth {
  if (secret === null || authMethod === "none") return oauth.None()
  return authMethod === "client_secret_post" ? oauth.ClientSecretPost(secret) : clientSecretBasic(secret)
}

/** Encoded as a form, and no further: providers that do not decode it still recognise an id such as `my-client`. */
const clientSecretBasic =
  (secret: string): oauth.ClientAuth =>
  (_as, client, _body, headers) => {
    const pair = [client.client_id, secret].map((text) => new URLSearchParams({ text }).toString().slice("text=".length)).join(":")
    headers.set("authorization", `Basic ${Buffer.from(pair).toString("base64")}`)
  }

const extraOf = ({ resource }: TokenTarget) => (resource === null ? {} : { additionalParameters: { resource } })
