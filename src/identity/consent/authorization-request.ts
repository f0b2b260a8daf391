// Reads what a client asks for, in the order that the standards want: who asks and where the answer goes, then the rest.
//
// Until client and address are known to belong together nobody but the human is told what is wrong, because the address
// may be an attacker's.
import { ExecutorError } from "../../core/errors.ts"
import type { Client } from "./client.ts"
import { isDocumentUrl } from "./client-document.ts"
import { openClientId } from "./client-registration.ts"
import type { ConsentParts } from "./consent-parts.ts"
import { isRegisteredRedirect } from "./redirect-uri.ts"
import { isOurs, readResource } from "./resource.ts"
import type { Resource } from "./resource.ts"

/** `wrong`: what the client should learn; nothing else counts then. */
export type AuthorizationRequest = { readonly client: Client; readonly redirectUri: string; readonly state: string | null } & (
  | { readonly wrong: { readonly error: string; readonly message: string } }
  | { readonly wrong: null; readonly challenge: string; readonly resource: Resource }
)

const stateCharsMax = 2000
const challengePattern = /^[\w-]{43}$/
const known = [
  "client_id",
  "redirect_uri",
  "response_type",
  "response_mode",
  "state",
  "code_challenge",
  "code_challenge_method",
  "resource",
  "scope",
]

export async function readAuthorizationRequest(query: URLSearchParams, parts: ConsentParts): Promise<AuthorizationRequest> {
  const twice = known.find((name) => query.getAll(name).length > 1)
  if (twice !== undefined)
    throw new ExecutorError("invalid_request", `The client sent the parameter '${twice}' twice; start again from the client`)
  const client = await findClient(query.get("client_id") ?? "", parts)
  const redirectUri = query.get("redirect_uri") ?? ""
  if (!isRegisteredRedirect(redirectUri, client.redirectUris) || isOurs(new URL(redirectUri), new URL(parts.issuer())))
    throw new ExecutorError(
      "invalid_request",
      `${client.name} wants the answer sent to an address that it has not registered, so it was stopped. Start again from the client; if that does not help, remove the server there and add it again`,
    )
  const state = query.get("state")
  return { client, redirectUri, state: (state?.length ?? 0) > stateCharsMax ? null : state, ...readRest(query, parts) }
}

async function findClient(id: string, { key, documents }: ConsentParts): Promise<Client> {
  const registered = openClientId(id, key)
  if (registered !== null) return registered
  if (isDocumentUrl(id)) return documents(id)
  throw new ExecutorError(
    "invalid_request",
    "This server does not know the client that asks. Remove the server in the client and add it again",
  )
}

function readRest(query: URLSearchParams, parts: ConsentParts) {
  const wrong = (error: string, message: string) => ({ wrong: { error, message } })
  if (query.has("request") || query.has("request_uri")) return wrong("request_not_supported", "Request objects are not supported")
  if (query.get("response_type") !== "code") return wrong("unsupported_response_type", "response_type must be 'code'")
  if ((query.get("response_mode") ?? "query") !== "query") return wrong("invalid_request", "response_mode must be 'query'")
  if ((query.get("state")?.length ?? 0) > stateCharsMax)
    return wrong("invalid_request", `state may have at most ${stateCharsMax} characters`)
  const challenge = query.get("code_challenge") ?? ""
  if (query.get("code_challenge_method") !== "S256" || !challengePattern.test(challenge))
    return wrong("invalid_request", "PKCE is required: send code_challenge with code_challenge_method=S256")
  const resource = readResource(query.get("resource"), parts)
  if (resource === null) return wrong("invalid_target", "resource must be the address of this server's /mcp")
  return { wrong: null, challenge, resource }
}
