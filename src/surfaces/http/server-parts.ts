// What the HTTP surface needs from the product.
import type { AuthorizationServer } from "../../core/authorization-server.ts"
import type { ExecutorApi } from "../../core/executor-api.ts"
import type { Limits } from "../../core/limits.ts"
import type { OauthPages } from "../../core/oauth.ts"
import type { SignInPages } from "../../core/people/sign-in.ts"
import type { PasskeyPages } from "../../core/people/passkey.ts"
import type { Principal, TokenPrincipal } from "../../core/principal.ts"
import type { RequestFacts } from "../../core/request-facts.ts"
import type { Log } from "../../io/log.ts"

export type ServerStatus = {
  readonly version: string
  readonly integrations: number
  readonly connections: number
  readonly tools: number
  readonly store: "sqlite" | "postgresql"
}

export type ServerParts = {
  /** Everything it does, it does as that principal. */
  api(principal: Principal): ExecutorApi
  authenticate(token: string): Promise<TokenPrincipal | null>
  readonly browserSessions: BrowserSessions
  /** Throws where the code does not work: `rate_limited` after too many from the client's address. */
  signInWithCode(code: string, facts: RequestFacts): Promise<{ readonly secret: string; readonly key: string; readonly lifeMs: number }>
  readonly mcp: McpEndpoint
  status(): Promise<ServerStatus>
  /** What humans do in their browser to connect. */
  readonly oauth: OauthPages
  /** What lets MCP clients in by the consent of a human. */
  readonly authorization: AuthorizationServer
  /** What humans do in their browser to sign in. */
  readonly signIn: SignInPages
  readonly passkeys: PasskeyPages
  readonly limits: Limits
  readonly log: Log
}

/** Sessions of humans in browsers; `identity/session-open.ts` has them. */
export type BrowserSessions = {
  authenticate(secret: string, key: string): Promise<Principal | null>
  look(secret: string, key: string): Promise<Principal | null>
  end(secret: string): Promise<void>
}

/** The MCP host; `surfaces/mcp/host.ts` is one. */
export type McpEndpoint = {
  fetch(request: Request, principal: TokenPrincipal): Promise<Response>
  close(): Promise<void>
}
