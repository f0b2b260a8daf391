// Reads the OAuth settings of an integration's document: a metadata URL, or the endpoints of its flows.
import type { AuthOption } from "../../core/auth.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { OauthServer } from "../../core/oauth.ts"
import { secureUrl } from "../../credentials/oauth/oauth.ts"
import type { IntegrationRow } from "../../store/store.ts"
import { readFacts } from "../integrations/integration.ts"

export type DocumentOauth =
  | { readonly kind: "issuer"; readonly issuer: string; readonly scopes: readonly string[] }
  | { readonly kind: "endpoints"; readonly server: OauthServer; readonly scopes: readonly string[] }

/** What to ask for, also where only an admin's client says at whom. */
export function documentScopes(integration: IntegrationRow): string[] {
  const option = oauthOption(integration)
  return option === undefined ? [] : scopesOf(option)
}

const oauthOption = (integration: IntegrationRow): AuthOption | undefined =>
  readFacts(integration).auth.find((one) => one.template === "oauth2" && one.oauth !== undefined)

/** Null where the document does not say where tokens come from. */
export function documentOauth(integration: IntegrationRow): DocumentOauth | null {
  const option = oauthOption(integration)
  if (option === undefined) return null
  const scopes = scopesOf(option)
  const metadataUrl = textAt(option.oauth, "openIdConnectUrl") ?? textAt(option.oauth, "oauth2MetadataUrl")
  if (metadataUrl !== null) return { kind: "issuer", issuer: issuerOf(metadataUrl), scopes }
  const server = endpointsOf(option)
  return server === null ? null : { kind: "endpoints", server, scopes }
}

/** A metadata URL is the issuer with a well-known part in it: the issuer is what the metadata is checked against. */
function issuerOf(metadataUrl: string): string {
  const url = new URL(secureUrl(metadataUrl, "The document's metadata URL"))
  const path = url.pathname.replace(/\/\.well-known\/(openid-configuration|oauth-authorization-server)/, "")
  if (path === url.pathname) throw new ExecutorError("invalid_request", `${metadataUrl} is not a location of an issuer's metadata`)
  return `${url.origin}${path === "/" ? "" : path}`
}

function endpointsOf(option: AuthOption): OauthServer | null {
  const code = flowOf(option, "authorizationCode")
  const flow = code ?? flowOf(option, "clientCredentials")
  const tokenEndpoint = textAt(flow, "tokenUrl")
  if (tokenEndpoint === null) return null
  const authorizationEndpoint = textAt(code, "authorizationUrl")
  return {
    issuer: null,
    authorizationEndpoint: authorizationEndpoint === null ? null : secureUrl(authorizationEndpoint, "The document's authorizationUrl"),
    tokenEndpoint: secureUrl(tokenEndpoint, "The document's tokenUrl"),
    registrationEndpoint: null,
    scopesSupported: [],
    authMethods: [],
    sendsIssuer: false,
  }
}

function scopesOf(option: AuthOption): string[] {
  const flow = flowOf(option, "authorizationCode") ?? flowOf(option, "clientCredentials")
  const scopes = flow?.["scopes"]
  return typeof scopes === "object" && scopes !== null ? Object.keys(scopes) : []
}

function flowOf(option: AuthOption, name: string): Record<string, unknown> | undefined {
  const flows = option.oauth?.["flows"]
  const flow = typeof flows === "object" && flows !== null ? new Map(Object.entries(flows)).get(name) : undefined
  return typeof flow === "object" && flow !== null ? { ...flow } : undefined
}

function textAt(record: Record<string, unknown> | undefined, name: string): string | null {
  const value = record?.[name]
  return typeof value === "string" && value !== "" ? value : null
}
