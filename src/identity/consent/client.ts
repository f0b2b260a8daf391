// The clients that ask for consent: what is known of them, and how it is checked.
import { OauthError } from "../../core/authorization-server.ts"
import { isRecord } from "../../core/json/record.ts"
import type { Limits } from "../../core/limits.ts"
import { safeLine } from "../../core/text/safe.ts"
import { isRedirectUri } from "./redirect-uri.ts"

export type Client = {
  readonly id: string
  readonly name: string
  readonly redirectUris: readonly string[]
  /** Whose site describes it; null where it described itself. */
  readonly host: string | null
}

export type ClientMetadata = Pick<Client, "name" | "redirectUris">

const nameCharsMax = 80
const methodOfCode = "authorization_code"

/** Reads what a client says of itself. Addresses that no code may be sent to are left out; one must remain. */
export function readClientMetadata(metadata: unknown, limits: Limits): ClientMetadata {
  if (!isRecord(metadata)) throw new OauthError("invalid_client_metadata", "The metadata must be a JSON object")
  const given = metadata["redirect_uris"]
  const uris = Array.isArray(given) ? given.filter((uri): uri is string => typeof uri === "string") : []
  if (uris.length === 0) throw new OauthError("invalid_redirect_uri", "redirect_uris must list at least one address")
  if (uris.length > limits.agentClientUrisMax)
    throw new OauthError("invalid_redirect_uri", `redirect_uris may list at most ${limits.agentClientUrisMax} addresses`)
  const redirectUris = uris.filter(isRedirectUri)
  if (redirectUris.length === 0)
    throw new OauthError(
      "invalid_redirect_uri",
      "redirect_uris must be https, or http on 127.0.0.1, [::1] or localhost; without user info, fragment, or parameters of the answer such as code",
    )
  const grants = metadata["grant_types"]
  if (Array.isArray(grants) && !grants.includes(methodOfCode))
    throw new OauthError("invalid_client_metadata", `grant_types must include ${methodOfCode}`)
  return { name: clientName(metadata["client_name"]), redirectUris }
}

const clientName = (given: unknown): string => {
  const name = typeof given === "string" ? safeLine(given).trim().slice(0, nameCharsMax).trim() : ""
  return name === "" ? "An unnamed client" : name
}
