// From a request to the principal that acts: by its bearer token, or by the session of a browser.
import { executorCommandOnPages } from "../../../io/executor-command.ts"
import { ExecutorError } from "../../../core/errors.ts"
import type { Principal } from "../../../core/principal.ts"
import type { RequestFacts } from "../../../core/request-facts.ts"
import { requirePrincipal } from "./auth.ts"
import type { Authenticator } from "./auth.ts"
import { readSessionCookie } from "./session-cookie.ts"

export type SessionAuthenticator = {
  readonly browserSessions: {
    authenticate(secret: string, key: string): Promise<Principal | null>
  }
}

/** Kept by the pages in the storage of their origin: unlike the cookie, no server on another port is ever sent it. */
export const sessionKeyHeader = "x-executor-session-key"

/** A token, where there is one, is what counts. */
export async function requireActor(request: Request, facts: RequestFacts, parts: Authenticator & SessionAuthenticator): Promise<Principal> {
  const isByToken = request.headers.has("authorization") || readSessionCookie(request.headers, facts) === null
  return isByToken ? requireApiToken(request.headers, parts) : requireSession(request, facts, parts)
}

/** For an answer that goes on: who asked for it, if they may still; a session does not live on by it. */
export async function lookAtActor(
  request: Request,
  facts: RequestFacts,
  parts: Authenticator & { readonly browserSessions: { look(secret: string, key: string): Promise<Principal | null> } },
): Promise<Principal> {
  const { look } = parts.browserSessions
  return requireActor(request, facts, { authenticate: (token) => parts.authenticate(token), browserSessions: { authenticate: look } })
}

/** What a human allowed a client is to use tools, and nothing that the API does besides. */
async function requireApiToken(headers: Headers, parts: Authenticator): Promise<Principal> {
  const principal = await requirePrincipal(headers, parts)
  if (principal.surface === null) return principal
  throw new ExecutorError(
    "forbidden",
    `This token works at /${principal.surface} only; for the API a human creates one with '${executorCommandOnPages} tokens create'`,
  )
}

/** For what is shown to humans and done by them alone: no token opens it. */
export async function requireSession(request: Request, facts: RequestFacts, parts: SessionAuthenticator): Promise<Principal> {
  const secret = readSessionCookie(request.headers, facts)
  const key = request.headers.get(sessionKeyHeader) ?? ""
  const principal = secret === null ? null : await parts.browserSessions.authenticate(secret, key)
  if (principal === null)
    throw new ExecutorError("unauthorized", `The browser session has ended; run '${executorCommandOnPages} web' to sign in again`)
  requireOrigin(request)
  return principal
}

/**
 * A browser adds the cookie to whatever a page sends, so what changes something must say which page that is. Foreign
 * origins are refused by the guard; here it must not be missing.
 */
export function requireOrigin(request: Request): void {
  if (request.method === "GET" || request.method === "HEAD") return
  if (request.headers.has("origin")) return
  throw new ExecutorError(
    "forbidden",
    "Your browser did not say which page this request came from (its Origin header is missing). Reload the page and try again; if that does not help, turn off extensions and proxies that remove headers",
  )
}
