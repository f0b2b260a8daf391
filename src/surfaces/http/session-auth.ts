// From a request to the principal that acts: by its bearer token, or by the session of a browser.
import { ExecutorError } from "../../core/errors.ts"
import type { Principal } from "../../core/principal.ts"
import { requirePrincipal } from "./request-auth.ts"
import type { Authenticator } from "./request-auth.ts"
import { readSessionCookie } from "./session-cookie.ts"

export type SessionAuthenticator = Authenticator & {
  readonly browserSessions: {
    find(secret: string): Promise<Principal | null>
    authenticate(secret: string, key: string): Promise<Principal | null>
  }
}

/** Kept by the pages in the storage of their origin: unlike the cookie, no server on another port is ever sent it. */
const keyHeader = "x-executor-session-key"

/** A token, where there is one, is what counts. */
export async function requireActor(request: Request, parts: SessionAuthenticator): Promise<Principal> {
  const isByToken = request.headers.has("authorization")
  const secret = isByToken ? null : readSessionCookie(request.headers)
  if (secret === null) return requirePrincipal(request.headers, parts)
  const principal = await parts.browserSessions.authenticate(secret, request.headers.get(keyHeader) ?? "")
  if (principal === null)
    throw new ExecutorError("unauthorized", "The browser session is over, or its key is missing; run 'executor web' to sign in again")
  requireOrigin(request)
  return principal
}

/** For pages, which show but do nothing: a browser that opens one sends the cookie alone. Null for whoever is not signed in. */
export async function findSession(request: Request, parts: SessionAuthenticator): Promise<Principal | null> {
  const secret = readSessionCookie(request.headers)
  return secret === null ? null : parts.browserSessions.find(secret)
}

/**
 * A browser adds the cookie to whatever a page sends, so what changes something must say which page that is. Foreign
 * origins are refused at the door; here it must not be missing.
 */
export function requireOrigin(request: Request): void {
  if (request.method === "GET" || request.method === "HEAD") return
  if (!request.headers.has("origin")) throw new ExecutorError("forbidden", "A request of a browser session must name its Origin")
}
