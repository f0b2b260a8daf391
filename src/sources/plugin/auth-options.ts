// Translates a plugin's auth providers into the auth options that every source has.
//
// A connection's values rest as placements. A plugin has no requests of its own to place them in, so that the name of
// a placement is the provider's id, and its value is what `ctx.auth.getToken` gives. What an OAuth consent or a basic
// credential brings is always placed as `Authorization`, and is found there.
import type { AuthOption, Credential, Placement } from "../../core/auth.ts"
import type { AuthProvider } from "../../plugin/definition.ts"

export function authOptions(providers: readonly AuthProvider[]): AuthOption[] {
  const single = providers.map(optionOf)
  const named = providers.filter((provider) => provider.type === "bearer" || provider.type === "api_key")
  if (named.length < 2) return single
  const together: AuthOption = {
    template: "custom",
    name: "all",
    description: `All of ${named.map((provider) => provider.id).join(", ")}`,
    values: named.map(valueName),
    placements: named.map((provider) => placement(provider, valueName(provider))),
  }
  return [...single, together]
}

/** Null where the connection has bound nothing for this provider. */
export function tokenOf(provider: AuthProvider, providers: readonly AuthProvider[], credential: Credential): string | null {
  const named = credential.placements.find((one) => one.name === provider.id)
  if (named !== undefined) return named.value
  const prefix = prefixes[provider.type]
  if (prefix === null || !isOnly(provider, providers)) return null
  const header = credential.placements.find((one) => one.name === "Authorization")
  return header?.value.startsWith(prefix) === true ? header.value.slice(prefix.length) : null
}

const prefixes = { basic: "Basic ", oauth2: "Bearer ", bearer: "Bearer ", api_key: null } as const

/** A consent's token is for the provider of consents, whatever else there is: one given by hand has the name of its provider. */
function isOnly({ type }: AuthProvider, providers: readonly AuthProvider[]): boolean {
  const isGranted = providers.some((one) => one.type === "oauth2")
  return !(type === "bearer" && isGranted) && providers.filter((one) => one.type === type).length === 1
}

function optionOf(provider: AuthProvider): AuthOption {
  const named = { name: provider.id, description: provider.description ?? "" }
  switch (provider.type) {
    case "bearer":
      return { template: "bearer", ...named, values: ["token"], placements: [placement(provider, "token")] }
    case "api_key":
      return { template: "api_key", ...named, values: ["key"], placements: [placement(provider, "key")] }
    case "basic":
      return {
        template: "basic",
        ...named,
        values: ["username", "password"],
        placements: [{ in: "header", name: "Authorization", value: "Basic ${base64(username:password)}" }],
      }
    case "oauth2":
      return {
        template: "oauth2",
        ...named,
        values: ["token"],
        placements: [{ in: "header", name: "Authorization", value: "Bearer ${token}" }],
        oauth: oauthOf(provider),
      }
  }
}

/** In the words of an OpenAPI document, which is how flows are known here. */
function oauthOf({ provider, issuer, scopes = [], authorizationUrl, tokenUrl }: AuthProvider): Record<string, unknown> {
  const flow = {
    ...(authorizationUrl === undefined ? {} : { authorizationUrl }),
    ...(tokenUrl === undefined ? {} : { tokenUrl }),
    scopes: Object.fromEntries(scopes.map((scope) => [scope, ""])),
  }
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(issuer === undefined ? {} : { openIdConnectUrl: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration` }),
    flows: tokenUrl !== undefined && authorizationUrl === undefined ? { clientCredentials: flow } : { authorizationCode: flow },
  }
}

const placement = (provider: AuthProvider, value: string): Placement => ({ in: "header", name: provider.id, value: `\${${value}}` })

/** Values have the names of variables. */
const valueName = (provider: AuthProvider): string => provider.id.replaceAll("-", "_")
