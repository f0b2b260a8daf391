// The cookie by which a browser is known: out of reach for scripts, and never sent along by pages of other sites.

const cookieName = "executor_session"
const cookiePattern = new RegExp(`(?:^|;) *${cookieName}=([\\w.~-]+) *(?:;|$)`)

export const readSessionCookie = (headers: Headers): string | null => cookiePattern.exec(headers.get("cookie") ?? "")?.[1] ?? null

/** `Secure` where the public address is: a browser would not keep such a cookie over plain HTTP. */
export function sessionCookie(secret: string, lifeMs: number, publicUrl: string | undefined): string {
  const secure = publicUrl?.startsWith("https:") === true ? "; Secure" : ""
  return `${cookieName}=${secret}; Path=/; Max-Age=${Math.floor(lifeMs / 1000)}; HttpOnly; SameSite=Strict${secure}`
}

export const endedCookie = (publicUrl: string | undefined): string => sessionCookie("", 0, publicUrl)
