// The cookies by which a browser is known: out of reach for scripts, and never sent along by pages of other sites.
import type { RequestFacts } from "../../../core/request-facts.ts"

type Secure = Pick<RequestFacts, "isSecure">

/**
 * Browsers keep cookies by host, whatever the port: two servers on one machine must not sign each other's people out.
 * Over TLS the prefix makes browsers refuse it from other hosts of the domain, and from whoever is on the way without TLS.
 */
function cookieName(name: string, headers: Headers, { isSecure }: Secure): string {
  const port = /:(\d+)$/.exec(headers.get("host") ?? "")?.[1]
  return `${isSecure ? "__Host-" : ""}${name}${port === undefined ? "" : `_${port}`}`
}

const sessionName = "executor_session"

export const readSessionCookie = (headers: Headers, facts: Secure): string | null => readCookie(sessionName, headers, facts)

export const readCookie = (name: string, headers: Headers, facts: Secure): string | null =>
  new RegExp(`(?:^|;) *${cookieName(name, headers, facts)}=([\\w.~-]+) *(?:;|$)`).exec(headers.get("cookie") ?? "")?.[1] ?? null

/** `Secure` where the request is: a browser would not keep such a cookie over plain HTTP. */
export const writeCookie = (name: string, secret: string, lifeMs: number, headers: Headers, facts: Secure): string =>
  `${cookieName(name, headers, facts)}=${secret}; Path=/; Max-Age=${Math.floor(lifeMs / 1000)}; HttpOnly; SameSite=Strict${facts.isSecure ? "; Secure" : ""}`

export const sessionCookie = (secret: string, lifeMs: number, headers: Headers, facts: Secure): string =>
  writeCookie(sessionName, secret, lifeMs, headers, facts)

export const endedCookie = (headers: Headers, facts: Secure): string => sessionCookie("", 0, headers, facts)
