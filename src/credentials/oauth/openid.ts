// OpenID Connect: leads a human to their provider, and reads from its answer who they are.
//
// What is trusted is the ID token alone, and only once its signature, issuer, audience, nonce and times are checked,
// whatever came over TLS. Where the provider is, is read once, when the human is sent there: what the flow began with is
// also where its code goes.
import * as oauth from "oauth4webapi"
import { ExecutorError } from "../../core/errors.ts"
import { isRecord } from "../../core/json/record.ts"
import { authorizationUrl } from "./authorization-url.ts"
import { providerFetch, secureUrl } from "./provider-network.ts"
import type { ProviderNetwork } from "./provider-network.ts"
import { textList } from "./server-metadata.ts"
import { plainText } from "./token-answer.ts"
import { authOf } from "./token-request.ts"

/** To be kept in the vault until the answer comes. */
export type OpenidRequest = {
  readonly url: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The provider's metadata, as JSON. */
  readonly server: string
}

type OpenidTarget = { readonly issuer: string; readonly clientId: string; readonly redirectUri: string; readonly scopes: readonly string[] }

export type OpenidPerson = {
  readonly issuer: string
  readonly subject: string
  readonly claims: Readonly<Record<string, unknown>>
  /** More claims of the same person; none where the provider has no such endpoint. */
  moreClaims(): Promise<Readonly<Record<string, unknown>>>
}

/** Those whose keys are public: with the others, whoever checks could also sign. */
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"]

export async function requestOpenid(target: OpenidTarget, network: ProviderNetwork): Promise<OpenidRequest> {
  const server = await discover(target.issuer, network)
  const nonce = oauth.generateRandomNonce()
  const authorization = await authorizationUrl({
    server: { authorizationEndpoint: server.authorization_endpoint ?? null },
    clientId: target.clientId,
    redirectUri: target.redirectUri,
    scopes: target.scopes,
    resource: null,
    extra: { nonce },
  })
  return { ...authorization, nonce, server: JSON.stringify(server) }
}

/** Throws an `ExecutorError` that says what is wrong with the provider, to whoever set it up. */
async function discover(issuerText: string, network: ProviderNetwork): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(secureUrl(issuerText, "The issuer"))
  const response = await oauth.discoveryRequest(issuer, { algorithm: "oidc", ...providerFetch(network) })
  if (response.status !== 200) throw unusable(issuer, `its metadata at ${metadataPath(issuer)} answers ${response.status}`)
  const named = await issuerIn(response.clone())
  const metadata = await oauth.processDiscoveryResponse(issuer, response).catch(() => {
    throw unusable(issuer, named === null ? "its metadata is not valid" : `its metadata names another issuer, ${JSON.stringify(named)}`)
  })
  const endpoint = (name: "authorization_endpoint" | "token_endpoint" | "jwks_uri"): string => {
    const value: unknown = metadata[name]
    if (typeof value !== "string" || value === "") throw unusable(issuer, `its metadata has no ${name}`)
    return secureUrl(value, `The issuer's ${name}`)
  }
  const stated = metadata.id_token_signing_alg_values_supported
  const usable = Array.isArray(stated) ? textList(stated).filter((name) => algorithms.includes(name)) : ["RS256"]
  if (usable.length === 0) throw unusable(issuer, "it signs ID tokens in no way that can be checked with a public key")
  const userinfo: unknown = metadata.userinfo_endpoint
  return {
    issuer: metadata.issuer,
    authorization_endpoint: endpoint("authorization_endpoint"),
    token_endpoint: endpoint("token_endpoint"),
    jwks_uri: endpoint("jwks_uri"),
    id_token_signing_alg_values_supported: usable,
    token_endpoint_auth_methods_supported: textList(metadata.token_endpoint_auth_methods_supported),
    authorization_response_iss_parameter_supported: metadata.authorization_response_iss_parameter_supported === true,
    ...(typeof userinfo === "string" ? { userinfo_endpoint: secureUrl(userinfo, "The issuer's userinfo_endpoint") } : {}),
  }
}

const metadataPath = (issuer: URL): string => `${issuer.pathname.replace(/\/$/, "")}/.well-known/openid-configuration`

async function issuerIn(response: Response): Promise<string | null> {
  const body: unknown = await response.json().catch(() => null)
  return isRecord(body) && typeof body["issuer"] === "string" ? body["issuer"].slice(0, 200) : null
}

const unusable = (issuer: URL, reason: string): ExecutorError =>
  new ExecutorError("invalid_request", `${issuer.href} cannot be used as an issuer: ${plainText(reason)}`, { reason: "provider" })

export type OpenidRedeem = {
  readonly answer: URLSearchParams
  readonly request: Omit<OpenidRequest, "url">
  readonly clientId: string
  readonly secret: string | null
  readonly redirectUri: string
}

/** Throws where any of it is not what was asked for; `details.reason` says in a word what. */
export async function redeemOpenid(redeem: OpenidRedeem, network: ProviderNetwork): Promise<OpenidPerson> {
  const { request, clientId } = redeem
  const as = JSON.parse(request.server) as oauth.AuthorizationServer // written by `requestOpenid`
  const client = { client_id: clientId }
  try {
    const code = oauth.validateAuthResponse(as, client, checkIssuer(redeem.answer, as), request.state)
    const options = providerFetch(network)
    const auth = authOf({ clientId, secret: redeem.secret, authMethod: authMethodOf(as) })
    const response = await oauth.authorizationCodeGrantRequest(as, client, auth, code, redeem.redirectUri, request.verifier, options)
    const wanted = { expectedNonce: request.nonce, requireIdToken: true }
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, wanted)
    await oauth.validateApplicationLevelSignature(as, response, options)
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    if (claims === undefined) throw invalid("id_token")
    if (claims["azp"] !== undefined && claims["azp"] !== clientId) throw invalid("azp")
    return { issuer: claims.iss, subject: claims.sub, claims, moreClaims: () => readUserinfo(as, client, claims.sub, tokens, network) }
  } catch (error) {
    throw refusalOf(error)
  }
}

async function readUserinfo(
  as: oauth.AuthorizationServer,
  client: oauth.Client,
  subject: string,
  { access_token: token }: oauth.TokenEndpointResponse,
  network: ProviderNetwork,
): Promise<Readonly<Record<string, unknown>>> {
  if (as.userinfo_endpoint === undefined) return {}
  try {
    return await oauth.processUserInfoResponse(as, client, subject, await oauth.userInfoRequest(as, client, token, providerFetch(network)))
  } catch (error) {
    if (error instanceof ExecutorError) throw error
    throw invalid("userinfo")
  }
}

const authMethodOf = ({ token_endpoint_auth_methods_supported: methods = [] }: oauth.AuthorizationServer) =>
  methods.includes("client_secret_post") && !methods.includes("client_secret_basic") ? "client_secret_post" : "client_secret_basic"

/** Another issuer's answer may be an attempt to have the code sent to the wrong one. */
function checkIssuer(answer: URLSearchParams, as: oauth.AuthorizationServer): URLSearchParams {
  const iss = answer.get("iss")
  if (iss !== null && iss !== as.issuer) throw invalid("iss")
  if (iss === null && as.authorization_response_iss_parameter_supported === true) throw invalid("iss")
  return answer
}

const invalid = (reason: string): ExecutorError =>
  new ExecutorError(
    "unauthorized",
    `The provider's answer does not belong to this sign-in, or is not valid (${reason}). Start again; if that does not help, tell an admin`,
    { reason },
  )

function refusalOf(error: unknown): ExecutorError {
  if (error instanceof ExecutorError) return error
  if (error instanceof oauth.AuthorizationResponseError) {
    const reason = plainText([error.error, error.error_description].filter(Boolean).join(": "))
    return new ExecutorError("forbidden", `The provider did not sign you in (${reason})`, { reason: "provider" })
  }
  if (error instanceof oauth.ResponseBodyError) {
    const hint = error.error === "invalid_client" ? "; an admin has to correct the client id or secret of the provider" : "; start again"
    return new ExecutorError("forbidden", `The provider rejected the code (${plainText(error.error)})${hint}`, { reason: "code" })
  }
  return invalid(wrongPart(error))
}

/** The claim that differs, where it is one; else what the library says, without its values. */
function wrongPart(error: unknown): string {
  if (!(error instanceof Error)) return "answer"
  const { cause } = error
  if (isRecord(cause) && typeof cause["claim"] === "string") return cause["claim"]
  const missing = /^JWT "(\w+)" .*claim missing$/.exec(error.message)?.[1]
  if (missing !== undefined) return missing
  return /signature|\balg\b|algorithm|JWS|key/i.test(error.message) ? "signature" : plainText(error.message).slice(0, 100)
}
