// Reads one security scheme of a document: which values a connection must provide, and where they are placed in a request.
import type { Limits } from "../../../core/limits.ts"
import type { AuthTemplate, Placement } from "../../../core/auth.ts"
import { boundedText, isObject, objectAt, own, put, textAt } from "../../document-value.ts"
import type { JsonObject } from "../../document-value.ts"

export type SchemeAuth = {
  readonly template: AuthTemplate
  readonly description: string
  readonly values: readonly string[]
  readonly placements: readonly Placement[]
  readonly oauth?: Record<string, unknown>
}

const authorization = (value: string): Placement => ({ in: "header", name: "Authorization", value })

/** Null for a scheme that no request can carry, or that is not described well enough. `valueName` names the value where several schemes hold together. */
export function schemeAuth(scheme: JsonObject, valueName: string | null, limits: Limits): SchemeAuth | null {
  const description = boundedText(own(scheme, "description"), limits.descriptionCharsMax)
  switch (own(scheme, "type")) {
    case "apiKey":
      return apiKey(scheme, valueName ?? "key", description)
    case "basic":
      return basic(description)
    case "http":
      return http(scheme, valueName, description)
    case "oauth2":
      return oauth({ flows: flowsOf(scheme, limits), ...textMembers(scheme, ["oauth2MetadataUrl"], limits) }, valueName, description)
    case "openIdConnect":
      return oauth(textMembers(scheme, ["openIdConnectUrl"], limits), valueName, description)
    default:
      return null
  }
}

function apiKey(scheme: JsonObject, valueName: string, description: string): SchemeAuth | null {
  const name = textAt(scheme, "name")
  const place = (["header", "query", "cookie"] as const).find((known) => known === own(scheme, "in"))
  if (!name || place === undefined) return null
  return { template: "api_key", description, values: [valueName], placements: [{ in: place, name, value: `\${${valueName}}` }] }
}

const basic = (description: string): SchemeAuth => ({
  template: "basic",
  description,
  values: ["username", "password"],
  // The credentials expand exactly this expression.
  placements: [authorization("Basic ${base64(username:password)}")],
})

function http(scheme: JsonObject, valueName: string | null, description: string): SchemeAuth | null {
  const name = textAt(scheme, "scheme") ?? ""
  if (name.toLowerCase() === "basic") return basic(description)
  const value = valueName ?? (name.toLowerCase() === "bearer" ? "token" : "value")
  if (name.toLowerCase() === "bearer")
    return { template: "bearer", description, values: [value], placements: [authorization(`Bearer \${${value}}`)] }
  if (!/^[A-Za-z][A-Za-z0-9-]{0,60}$/.test(name)) return null
  return { template: "custom", description, values: [value], placements: [authorization(`${name} \${${value}}`)] }
}

const oauth = (recorded: Record<string, unknown>, valueName: string | null, description: string): SchemeAuth => {
  const value = valueName ?? "token"
  return { template: "oauth2", description, values: [value], placements: [authorization(`Bearer \${${value}}`)], oauth: recorded }
}

const swaggerFlows: ReadonlyMap<string, string> = new Map([
  ["implicit", "implicit"],
  ["password", "password"],
  ["application", "clientCredentials"],
  ["accessCode", "authorizationCode"],
])
const flowNames = ["implicit", "password", "clientCredentials", "authorizationCode", "deviceAuthorization"]
const flowUrls = ["authorizationUrl", "tokenUrl", "refreshUrl", "deviceAuthorizationUrl"]

/** The flows as the document states them, in the names of OpenAPI 3. */
function flowsOf(scheme: JsonObject, limits: Limits): Record<string, unknown> {
  const flows: Record<string, unknown> = {}
  const swagger = swaggerFlows.get(textAt(scheme, "flow") ?? "")
  if (swagger !== undefined) flows[swagger] = flowOf(scheme, limits)
  const declared = objectAt(scheme, "flows") ?? {}
  for (const name of flowNames) {
    const flow = objectAt(declared, name)
    if (flow) flows[name] = flowOf(flow, limits)
  }
  return flows
}

const scopesMax = 1000

function flowOf(flow: JsonObject, limits: Limits): Record<string, unknown> {
  const declared = own(flow, "scopes")
  const scopes: Record<string, unknown> = {}
  const names = isObject(declared) ? Object.keys(declared) : []
  for (const name of names.slice(0, scopesMax))
    put(scopes, name, boundedText(isObject(declared) ? declared[name] : "", limits.nameCharsMax))
  return { ...textMembers(flow, flowUrls, limits), scopes }
}

function textMembers(object: JsonObject, names: readonly string[], limits: Limits): Record<string, unknown> {
  return Object.fromEntries(
    names.map((name) => [name, boundedText(own(object, name), limits.descriptionCharsMax)]).filter(([, text]) => text !== ""),
  )
}
