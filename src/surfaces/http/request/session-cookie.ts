// The cookie by which a browser is known: out of reach for scripts, and never sent along by pages of other sites.

/** Browsers keep cookies by host, whatever the port: two servers on one machine must not sign each other's people out. */
function cookieName(headers: Headers): string {
  const port = /:(\d+)$/.exec(headers.get("host") ?? "")?.[1]
  return port === undefined ? "executor_session" : `executor_session_${port}`
}

export const readSessionCookie = (headers: Headers): string | null =>
  new RegExp(`(?:^|;) *${cookieName(headers)}=([\\w.~-]+) *(?:;|$)`).exec(headers.get("cookie") ?? "")?.[1] ?? null

/** `Secure` where the public address is: a browser would not keep such a cookie over plain HTTP. */
export function sessionCookie(secret: string, lifeMs: number, publicUrl: string | undefined, headers: Headers): string {
  const secure = publicUrl?.startsWith("https:") === true ? "; Secure" : ""
  return `${cookieName(headers)}=${secret}; Path=/; Max-Age=${Math.floor(lifeMs / 1000)}; HttpOnly; SameSite=Strict${secure}`
}

export const endedCookie = (publicUrl: string | undefined, headers: Headers): string => sessionCookie("", 0, publicUrl, headers)
