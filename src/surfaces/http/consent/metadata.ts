// The documents by which MCP clients find out whom to ask for a token: RFC 9728 for `/mcp`, RFC 8414 for the authorization server.
import { consentScope } from "../../../core/authorization-server.ts"

export const resourceMetadataPath = "/.well-known/oauth-protected-resource"

/** `base`: as the client reaches us, because it compares this with the address it was given. */
export const resourceMetadata = (base: string, path: string, issuer: string): Record<string, unknown> => ({
  resource: `${base}${path}`,
  authorization_servers: [issuer],
  scopes_supported: [consentScope],
  bearer_methods_supported: ["header"],
  resource_name: "Executor",
})

export const serverMetadata = (issuer: string): Record<string, unknown> => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  revocation_endpoint: `${issuer}/revoke`,
  scopes_supported: [consentScope],
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
})

/** What `/mcp` answers to whoever comes without a token that counts: where to get one. */
export function challenge(base: string, path: string, reason: "missing" | "invalid"): string {
  const fault = reason === "missing" ? "" : 'error="invalid_token", error_description="The token is invalid, has expired or was revoked", '
  return `Bearer realm="executor", ${fault}scope="${consentScope}", resource_metadata="${base}${resourceMetadataPath}${path}"`
}
