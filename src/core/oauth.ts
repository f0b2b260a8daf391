// OAuth 2 for connections: what is asked to start and finish a consent, and what we know of providers and clients.
import type { Owner } from "./address.ts"
import type { AuthTemplate } from "./auth.ts"
import type { ConnectionView } from "./connection.ts"
import type { Principal, PrincipalKind } from "./principal.ts"

export const oauthGrantTypes = ["authorization_code", "client_credentials"] as const
export type OauthGrantType = (typeof oauthGrantTypes)[number]

/** How a client proves itself at the token endpoint; `none` is a public client. */
export const oauthAuthMethods = ["client_secret_basic", "client_secret_post", "none"] as const
export type OauthAuthMethod = (typeof oauthAuthMethods)[number]

/** `manual`: a human registered it at the provider. `registered`: we did (RFC 7591). */
export type OauthClientKind = "manual" | "registered"

/** Where a provider does what: from its own metadata, or from what an admin wrote or confirmed. */
export type OauthServer = {
  /** Null where only endpoints are known: then there is no issuer that an answer could be checked against. */
  readonly issuer: string | null
  readonly authorizationEndpoint: string | null
  readonly tokenEndpoint: string
  readonly registrationEndpoint: string | null
  readonly scopesSupported: readonly string[]
  readonly authMethods: readonly string[]
  /** Whether its answers carry `iss` (RFC 9207): one without is then refused. */
  readonly sendsIssuer: boolean
}

export type OauthClientView = {
  readonly id: string
  readonly kind: OauthClientKind
  readonly name: string
  readonly clientId: string
  readonly hasSecret: boolean
  readonly authMethod: OauthAuthMethod
  readonly integration: string | null
  readonly issuer: string | null
  readonly authorizationEndpoint: string | null
  readonly tokenEndpoint: string
  /** What must be registered at the provider. */
  readonly redirectUri: string
  readonly createdAt: string
}

export type OauthClientCreate = {
  readonly clientId: string
  readonly clientSecret?: string
  readonly name?: string
  /** Used by default for this integration, whose document then also says where the provider is. */
  readonly integration?: string
  /** Its metadata says where everything is. */
  readonly issuer?: string
  readonly authorizationEndpoint?: string
  readonly tokenEndpoint?: string
  readonly authMethod?: OauthAuthMethod
  /** Such as Google's `access_type=offline`. */
  readonly authorizationParams?: Readonly<Record<string, string>>
}

export type OauthStart = {
  readonly integration: string
  readonly owner?: Owner
  readonly name?: string
  /** Our id of a client, or its client id; by default the integration's own, else one is registered. */
  readonly client?: string
  readonly grant?: OauthGrantType
  readonly scopes?: readonly string[]
  /** The resource indicator (RFC 8707); by default what the resource says of itself. */
  readonly resource?: string
  /** A path of this server, where the browser goes in the end. */
  readonly redirectTo?: string
}

export type OauthStarted =
  | {
      readonly status: "consent_required"
      readonly flowId: string
      /** For a human's browser; of this server where one runs. */
      readonly authorizationUrl: string
      /** The provider's own page, for whoever finishes with `complete`; null for agents. */
      readonly providerUrl: string | null
      readonly expiresAt: string
    }
  | { readonly status: "connected"; readonly connection: ConnectionView }

/** What the provider answered: its parameters, or the whole URL to which it sent the browser. */
export type OauthComplete = { readonly state: string; readonly code: string; readonly iss?: string } | { readonly callbackUrl: string }

export type OauthProbeRequest = { readonly url: string } | { readonly integration: string }

/** What an upstream wants of whoever calls it. */
export type OauthProbe = {
  readonly url: string
  /** Of an unauthenticated request; null when nothing answered. */
  readonly status: number | null
  /** The scheme of its challenge, e.g. `Bearer`. */
  readonly challenge: string | null
  /** What it says of itself (RFC 9728). */
  readonly resource: OauthResource | null
  readonly servers: readonly OauthProbedServer[]
  /** What stood in the way of knowing more. */
  readonly problems: readonly string[]
}
export type OauthResource = {
  readonly resource: string
  readonly authorizationServers: readonly string[]
  readonly scopes: readonly string[]
}
export type OauthProbedServer = OauthServer & { readonly supportsRegistration: boolean }

/** A link that a human follows: to one request to connect, or to connect again what was granted before. */
export type OauthLink = { readonly kind: "flow"; readonly id: string } | { readonly kind: "connect"; readonly key: string }

/** What a human is asked. */
export type OauthOffer = {
  /** `<integration>.<owner>.<name>` */
  readonly connection: string
  readonly user: string
  readonly askedBy: PrincipalKind
  /** The provider's host, as the browser will show it. */
  readonly provider: string
  readonly scopes: readonly string[]
  /** Where the token will be sent. */
  readonly origins: readonly string[]
  /** What the token is asked for (RFC 8707). */
  readonly resource: string | null
  /** As whom we ask; null where that client was removed. */
  readonly client: string | null
  /** How the connection that is there already proves itself; null where there is none to replace. */
  readonly replaces: AuthTemplate | null
}

/** What a browser brings: its cookies, and who is signed in there. */
export type OauthBrowser = { cookie(name: string): string | undefined; readonly viewer: Principal }
export type OauthCookie = { readonly name: string; readonly value: string }

/** What humans do in their browser, signed in. */
export interface OauthPages {
  show(link: OauthLink, browser: OauthBrowser): Promise<OauthOffer>
  /** Binds the request to this browser. */
  leave(link: OauthLink, browser: OauthBrowser): Promise<{ readonly providerUrl: string; readonly cookie: OauthCookie }>
  /** Takes the provider's answer, and makes the connection. */
  finish(answer: URLSearchParams, browser: OauthBrowser): Promise<OauthFinished>
}
export type OauthFinished = { readonly connection: ConnectionView; readonly redirectTo: string | null; readonly cookieName: string }
