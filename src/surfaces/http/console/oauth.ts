// The part of OAuth that happens in a human's browser: the link, the way to the provider, and the way back.
//
// Whatever is opened is the console, which shows and does nothing by itself. With the session's key it shows the offer
// to the human whom the link is for; their click sets a cookie of that one browser and leads on; the provider's answer,
// which the console at the end hands over, counts together with that cookie alone.
import type { Context, Hono } from "hono"
import type { OauthBrowser, OauthCookie } from "../../../core/oauth.ts"
import type { Principal } from "../../../core/principal.ts"
import type { RequestFacts } from "../../../core/request-facts.ts"
import type { PageEnv } from "../pages/env.ts"
import { requireSession, sessionKeyHeader } from "../request/session-auth.ts"
import { jsonResponse } from "../response.ts"
import type { ServerParts } from "../server-parts.ts"

type BrowserParts = Pick<ServerParts, "oauth" | "browserSessions" | "limits">

const cookiePath = "/api/oauth"
const consentPath = "/api/oauth/go/:id"
const callbackPath = "/api/oauth/callback"

/** `showConsole`: the one page, which is the same for everybody. */
export function addOauthBrowserRoutes(
  app: Hono<PageEnv>,
  parts: BrowserParts,
  showConsole: (c: Context<PageEnv>) => Promise<Response>,
): void {
  const cookieSeconds = Math.ceil(parts.limits.oauthFlowMs / 1000)
  const viewer = (c: Context<PageEnv>): Promise<Principal> => requireSession(c.req.raw, c.env.facts, parts)

  app.get(consentPath, async (c) => {
    if (!c.req.raw.headers.has(sessionKeyHeader)) return showConsole(c)
    return jsonResponse(200, await parts.oauth.show(c.req.param("id"), browserOf(c, await viewer(c))), c.env.requestId)
  })
  app.post(consentPath, async (c) => {
    const { providerUrl, cookie } = await parts.oauth.startConsent(c.req.param("id"), browserOf(c, await viewer(c)))
    return jsonResponse(200, { providerUrl }, c.env.requestId, { "set-cookie": setCookie(cookie, cookieSeconds, c.env.facts) })
  })
  app.get(callbackPath, showConsole)
  app.post(callbackPath, async (c) => {
    const browser = browserOf(c, await viewer(c))
    const { connection, redirectTo, cookieName } = await parts.oauth.finish(new URL(c.req.url).searchParams, browser)
    const ended = setCookie({ name: cookieName, value: "" }, 0, c.env.facts)
    return jsonResponse(200, { connection, redirectTo }, c.env.requestId, { "set-cookie": ended })
  })
}

function browserOf(c: Context<PageEnv>, viewer: Principal): OauthBrowser {
  const cookies = readCookies(c.req.header("cookie") ?? "")
  return { cookie: (name) => cookies.get(name), viewer }
}

/** Strict: the provider leads to a page of ours, and it is that page which hands over the answer. */
const setCookie = ({ name, value }: OauthCookie, seconds: number, { isSecure }: RequestFacts): string =>
  `${name}=${value}; Path=${cookiePath}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`

const readCookies = (header: string): Map<string, string> =>
  new Map(
    header.split(";").flatMap((part) => {
      const cut = part.indexOf("=")
      return cut < 1 ? [] : [[part.slice(0, cut).trim(), part.slice(cut + 1).trim()] as const]
    }),
  )
