// Executor as the authorization server of `/mcp`: what a surface asks of it, and what a human is shown.
import type { Principal } from "./principal.ts"
import type { RequestFacts } from "./request-facts.ts"
import type { ElicitationMode } from "./token.ts"

/** OAuth 2.1 as far as MCP clients need it; `identity/consent/` implements it. */
export type AuthorizationServer = {
  /** Where browsers reach it, without a slash at the end. */
  issuer(): string
  /** RFC 7591. Nothing is stored: the id that is answered carries what was registered. */
  register(metadata: unknown, from: Pick<RequestFacts, "addressPrefix" | "address">): Promise<RegisteredClient>
  /** What the human decides about. Throws an `ExecutorError` where nobody can be told but the human. */
  show(query: URLSearchParams, human: Principal): Promise<ConsentOffer | ConsentProblem>
  /** Answers where the browser goes on. */
  decide(query: URLSearchParams, human: Principal, decision: ConsentDecision): Promise<string>
  /** The token endpoint: a code or a refresh token for an access token. Throws an `OauthError`. */
  token(form: URLSearchParams): Promise<TokenAnswer>
  /** RFC 7009. An unknown token is no error. */
  revoke(form: URLSearchParams): Promise<void>
}

export type RegisteredClient = {
  readonly client_id: string
  readonly client_id_issued_at: number
  readonly client_name: string
  readonly redirect_uris: readonly string[]
  readonly grant_types: readonly string[]
  readonly response_types: readonly string[]
  readonly token_endpoint_auth_method: "none"
}

export type ConsentOffer = {
  readonly kind: "offer"
  readonly clientName: string
  /** Whose site describes the client; null for one that registered itself, of which nothing is known. */
  readonly clientHost: string | null
  readonly redirect: RedirectTarget
  /** The integration that alone it asks for; null for `/mcp`. */
  readonly integration: string | null
  /** What the human has: each may be granted alone. */
  readonly roles: readonly { readonly id: string; readonly name: string; readonly patterns: readonly string[] }[]
  /** Sent back with the decision: it counts for what was shown, and for nothing else. */
  readonly shown: string
}

/** Where the code is sent: to a site, or to a program on the human's own machine. */
export type RedirectTarget = { readonly kind: "site" | "this_machine"; readonly host: string }

/** The request is wrong in a way that its client should learn of. */
export type ConsentProblem = {
  readonly kind: "problem"
  readonly message: string
  readonly redirect: RedirectTarget
  /** The client's address, with the error. */
  readonly redirectTo: string
}

export type ConsentDecision = { readonly shown: string } & (
  | { readonly action: "deny" }
  | {
      readonly action: "allow"
      /** Null: everything that the human sees, now and later. */
      readonly patterns: readonly string[] | null
      readonly elicitation: readonly ElicitationMode[]
    }
)

export type TokenAnswer = {
  readonly access_token: string
  readonly token_type: "Bearer"
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

/** The one scope: what a token may use is the human's choice on the page. */
export const consentScope = "mcp"

export type OauthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unsupported_grant_type"
  | "invalid_target"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"

/** What a client is told, as RFC 6749 and 7591 write it. */
export class OauthError extends Error {
  override readonly name = "OauthError"
  readonly code: OauthErrorCode
  constructor(code: OauthErrorCode, description: string) {
    super(description)
    this.code = code
  }
}
