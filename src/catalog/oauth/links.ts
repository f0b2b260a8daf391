// The addresses of this server that connecting needs: the one redirect URI of OAuth, and the links that humans follow.
import type { OauthGrantRow } from "../../store/oauth-store.ts"

export type OauthLinks = {
  /** Where browsers reach this server; null where none listens. */
  base(): string | null
  /** What is registered at providers, the same for all of them. */
  redirectUri(): string
  /** The same for signing in. */
  signInRedirectUri(): string
}

export const callbackPath = "/api/oauth/callback"
export const signInCallbackPath = "/signin/oidc/callback"
export const consentPath = "/api/oauth/go"
export const connectPath = "/api/oauth/connect"
export const connectPagePath = "/connect"

/** `configured`: where a server would be found, for a process that finishes consents without one. */
export const oauthLinks = (base: () => string | null, configured: string): OauthLinks => ({
  base,
  redirectUri: () => `${base() ?? configured}${callbackPath}`,
  signInRedirectUri: () => `${base() ?? configured}${signInCallbackPath}`,
})

/** Null where a human can do nothing in a browser. */
export function connectUrl(grant: Pick<OauthGrantRow, "grantType" | "connectKey">, links: OauthLinks): string | null {
  const base = links.base()
  return base === null || grant.grantType === "client_credentials" ? null : `${base}${connectPath}/${grant.connectKey}`
}

/** Where a human reads how to bind a credential by hand; null where nothing listens. */
export function connectPage(slug: string, links: OauthLinks): string | null {
  const base = links.base()
  return base === null ? null : `${base}${connectPagePath}/${slug}`
}
