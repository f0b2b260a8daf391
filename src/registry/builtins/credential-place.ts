// Puts the credential that a registry tool names into the headers of a request, which may go to its own endpoint only.
import { fail } from "../../core/result.ts"
import type { ToolFailure } from "../../core/result.ts"
import type { OpenCredential } from "./web-search/search-key.ts"

type Placed = { readonly ok: true; readonly headers: Readonly<Record<string, string>> }

/** `authorization` as it is, `token` as a bearer token, `username` with `password` as Basic, `api_key` as X-API-Key. */
export function placeCredential(credential: OpenCredential | null, url: URL): Placed | ToolFailure {
  if (credential === null) return { ok: true, headers: {} }
  const origin = credential.endpoint === null ? null : (URL.parse(credential.endpoint)?.origin ?? null)
  if (origin === null)
    return fail(
      "auth_required",
      "The credential of this tool has no endpoint, so that nobody has said where it may be sent: set its value 'endpoint'",
    )
  if (url.origin !== origin)
    return fail("invalid_arguments", `This tool calls ${origin} alone, because its credential goes nowhere else; ask for an address there`)
  const headers = headersOf(credential.values)
  if (headers !== null) return { ok: true, headers }
  return fail(
    "auth_required",
    "The credential of this tool has none of the values that can be sent: authorization, token, username with password, api_key",
  )
}

function headersOf(values: OpenCredential["values"]): Placed["headers"] | null {
  const own = (name: string): string | null => (Object.hasOwn(values, name) ? (values[name] ?? null) : null)
  const [authorization, token, username, password, apiKey] = ["authorization", "token", "username", "password", "api_key"].map(own)
  if (authorization != null) return { authorization }
  if (token != null) return { authorization: `Bearer ${token}` }
  if (username != null && password != null) return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` }
  return apiKey == null ? null : { "x-api-key": apiKey }
}
