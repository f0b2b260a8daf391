// OAuth 2 for connections: starting and finishing a consent, and what is known about providers and clients.
import type { Owner } from "./address.ts"
import type { AuthTemplate } from "./auth.ts"
import type { ConnectionView } from "./connection.ts"
import type { Page, PageRequest } from "./page.ts"
import type { Principal, PrincipalKind } from "./principal.ts"

export const oauthGrantTypes = ["authorization_code", "client_credentials"] as const
export type OauthGrantType = (typeof oauthGrantTypes)[number]

/** How a client authenticates at the token endpoint; `none` is a public client. */
export const oauthAuthMethods = ["client_secret_basic", "client_secret_post", "none"] as const
export type OauthAuthMethod = (typeof oauthAuthMethods)[number]

/** `manual`: a human registered it at the provider. `registered`: we did (RFC 7591). */
export type OauthClientKind = "manual" | "registered"

/** The endpoints of a provider: from its metadata, or entered or confirmed by an admin. */
export type OauthServer = {
  /** Null if only endpoints are known; responses cannot be checked against an issuer then. */
  readonly issuer: string | null
  readonly authorizationEndpoint: string | null
  readonly tokenEndpoint: string
  readonly registrationEndpoint: string | null
  readonly scopesSupported: readonly string[]
  readonly authMethods: readonly string[]
  /** Whether its responses carry `iss` (RFC 9207); if so, a response without it is rejected. */
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
  /** The redirect URI to register at the provider. */
  readonly redirectUri: string
  readonly createdAt: string
}

export type OauthClientCreate = {
  readonly clientId: string
  readonly clientSecret?: string
  readonly name?: string
  /** The integration that uses this client by default; its document can also supply the endpoints. */
  readonly integration?: string
  /** The issuer whose metadata names the endpoints. */
  readonly issuer?: string
  readonly authorizationEndpoint?: string
  readonly tokenEndpoint?: string
  readonly authMethod?: OauthAuthMethod
  /** Extra parameters, such as Google's `access_type=offline`. */
  readonly authorizationParams?: Readonly<Record<string, string>>
}

export type OauthStart = {
  readonly integration: string
  readonly owner?: Owner
  readonly name?: string
  /** The id of a client here, or its client id at the provider; by default the integration's client, or a newly registered one. */
  readonly client?: string
  readonly grant?: OauthGrantType
  readonly scopes?: readonly string[]
  /** The resource indicator (RFC 8707); by default the one from the resource's metadata. */
  readonly resource?: string
  /** A path on this server to send the browser to at the end. */
  readonly redirectTo?: string
}

export type OauthStarted =
  | {
      readonly status: "consent_required"
      readonly flowId: string
      /** The link to open in a human's browser; it leads to this server if one is running. */
      readonly authorizationUrl: string
      /** The provider's own page, for a consent that is finished with `complete`; null for agents. */
      readonly providerUrl: string | null
      readonly expiresAt: string
    }
  | { readonly status: "connected"; readonly connection: ConnectionView }

/** What has become of a consent, for whoever cannot see the window in which it is given. */
export type OauthFlowView =
  | { readonly status: "waiting"; readonly expiresAt: string }
  | { readonly status: "connected"; readonly connection: ConnectionView }
  | { readonly status: "failed"; readonly error: string }
  | { readonly status: "expired" }

/** The provider's response: its parameters, or the complete URL to which it sent the browser. */
export type OauthComplete = { readonly state: string; readonly code: string; readonly iss?: string } | { readonly callbackUrl: string }

export type OauthProbeRequest = { readonly url: string } | { readonly integration: string }

/** What an upstream requires of its callers. */
export type OauthProbe = {
  readonly url: string
  /** The status of a request without a token; null if there was no response. */
  readonly status: number | null
  /** The scheme of its challenge, e.g. `Bearer`. */
  readonly challenge: string | null
  /** Its metadata (RFC 9728). */
  readonly resource: OauthResource | null
  readonly servers: readonly OauthProbedServer[]
  /** What to register at the provider. */
  readonly redirectUri: string
  /** Problems that prevented finding out more. */
  readonly problems: readonly string[]
}
export type OauthResource = {
  readonly resource: string
  readonly authorizationServers: readonly string[]
  readonly scopes: readonly string[]
}
export type OauthProbedServer = OauthServer & { readonly supportsRegistration: boolean }

/** What a human is asked to consent to. */
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
  /** The client that asks; null if it was removed. */
  readonly client: string | null
  /** How the existing connection authenticates; null if there is none to replace. */
  readonly replaces: AuthTemplate | null
}

/** The cookies of a browser, and who is signed in there. */
export type OauthBrowser = { cookie(name: string): string | undefined; readonly viewer: Principal }
export type OauthCookie = { readonly name: string; readonly value: string }

/** What humans do in their browser, signed in. */
export interface OauthPages {
  show(flowId: string, browser: OauthBrowser): Promise<OauthOffer>
  /** Binds the request to this browser. */
  startConsent(flowId: string, browser: OauthBrowser): Promise<{ readonly providerUrl: string; readonly cookie: OauthCookie }>
  /** Takes the provider's response and creates the connection. */
  finish(answer: URLSearchParams, browser: OauthBrowser): Promise<OauthFinished>
}
export type OauthFinished = { readonly connection: ConnectionView; readonly redirectTo: string | null; readonly cookieName: string }

/** What one principal can do about consents and OAuth clients. */
export interface OauthApi {
  /** Starts a connection: returns a link for the human who consents, or the connection itself. */
  start(input: OauthStart): Promise<OauthStarted>
  /** What has become of a consent that the acting user started. */
  flow(id: string): Promise<OauthFlowView>
  /** Passes on a provider's response that could not reach the server. */
  complete(input: OauthComplete): Promise<ConnectionView>
  probe(request: OauthProbeRequest): Promise<OauthProbe>
  readonly clients: {
    list(page?: PageRequest): Promise<Page<OauthClientView>>
    create(input: OauthClientCreate): Promise<OauthClientView>
    remove(id: string): Promise<void>
  }
}
