// The addresses of this server that connecting needs: the one redirect URI of OAuth, and the links that humans follow.
import type { ConnectionRef } from "../../core/address.ts"
import type { OauthGrantRow } from "../../store/oauth-store.ts"

export type OauthLinks = {
  /** Where people go; null where nothing listens. */
  base(): string | null
  /** What is registered at providers, the same for all of them. */
  redirectUri(): string
  /** The same for signing in. */
  signInRedirectUri(): string
}

export const callbackPath = "/api/oauth/callback"
export const signInCallbackPath = "/signin/oidc/callback"
export const consentPath = "/api/oauth/go"
export const connectionsPath = "/connections"

/**
 * `server`: where it is found, or would be. On this machine that is its address, as RFC 8252 (8.3) wants it for redirects,
 * and as it was registered with providers; browsers are led on from there to the name, where their cookies are.
 */
export const oauthLinks = (base: () => string | null, server: () => string): OauthLinks => ({
  base,
  redirectUri: () => `${server()}${callbackPath}`,
  signInRedirectUri: () => `${server()}${signInCallbackPath}`,
})

/** Where a human consents again; null where they can do nothing in a browser. */
export const connectUrl = (grant: ConnectionRef & Pick<OauthGrantRow, "grantType">, links: OauthLinks): string | null =>
  grant.grantType === "client_credentials" ? null : connectionPage(grant, links)

/** Where a human gives a connection another credential; null where nothing listens. */
export function connectionPage({ integration, owner, connection }: ConnectionRef, links: OauthLinks): string | null {
  const base = links.base()
  return base === null ? null : `${base}${connectionsPath}?connection=${integration}.${owner}.${connection}`
}

/** Where a human connects an integration; null where nothing listens. */
export function connectPage(slug: string, links: OauthLinks): string | null {
  const base = links.base()
  return base === null ? null : `${base}${connectionsPath}?add=${slug}`
}
