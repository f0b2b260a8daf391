// The part of OAuth that happens in a human's browser: the link, the way to the provider, and the way back.
//
// Whatever is opened is a shell, which shows and does nothing by itself. With the session's key it shows the offer to
// the human whom the link is for; their click sets a cookie of that one browser and leads on; the provider's answer,
// which the shell at the end hands over, counts together with that cookie alone.
import type { Context, Hono } from "hono"
import type { OauthBrowser, OauthCookie, OauthLink } from "../../../core/oauth.ts"
import type { Principal } from "../../../core/principal.ts"
import type { RequestFacts } from "../../../core/request-facts.ts"
import { errorBody, httpStatus } from "../error-response.ts"
import { callbackShell, doneContent, offerContent, offerShell, problemContent } from "./oauth.ts"
import { contentResponse, servePage, shellResponse } from "./shell.ts"
import type { PageContent, PageEnv } from "./shell.ts"
import { jsonResponse } from "../response.ts"
import type { ServerParts } from "../server-parts.ts"
import { requireSession } from "../request/session-auth.ts"

type BrowserParts = Pick<ServerParts, "oauth" | "browserSessions" | "log" | "limits">

const cookiePath = "/api/oauth"
const callbackPath = "/api/oauth/callback"

export function addOauthPages(app: Hono<PageEnv>, parts: BrowserParts): void {
  const cookieSeconds = Math.ceil(parts.limits.oauthFlowMs / 1000)
  const problem = (error: unknown, c: Context<PageEnv>): PageContent => {
    const { code, message } = errorBody(error, c.env.requestId, parts.log).error
    return { status: httpStatus(code), ...problemContent(message) }
  }
  /** What goes wrong once the human is known is shown as a page. */
  const acting = (work: (c: Context<PageEnv>, who: Principal) => Promise<Response>) => async (c: Context<PageEnv>) => {
    const who = await requireSession(c.req.raw, c.env.facts, parts)
    return work(c, who).catch((error: unknown) => contentResponse(problem(error, c), who, c.env.requestId))
  }

  for (const [path, linkOf] of links) {
    app.get(path, (c) => {
      const show = async (who: Principal): Promise<PageContent> => {
        const offer = await parts.oauth.show(linkOf(c), browserOf(c, who))
        return { status: 200, ...offerContent(offer) }
      }
      return servePage(c, offerShell, (who) => show(who).catch((error: unknown) => problem(error, c)), parts)
    })
    app.post(
      path,
      acting(async (c, who) => {
        const { providerUrl, cookie } = await parts.oauth.startConsent(linkOf(c), browserOf(c, who))
        return jsonResponse(200, { providerUrl }, c.env.requestId, { "set-cookie": setCookie(cookie, cookieSeconds, c.env.facts) })
      }),
    )
  }

  app.get(callbackPath, (c) => shellResponse(callbackShell, c.env.requestId))
  app.post(
    callbackPath,
    acting(async (c, who) => {
      const { connection, redirectTo, cookieName } = await parts.oauth.finish(new URL(c.req.url).searchParams, browserOf(c, who))
      const response =
        redirectTo === null
          ? await contentResponse({ status: 200, ...doneContent(connection) }, who, c.env.requestId)
          : jsonResponse(200, { redirectTo }, c.env.requestId)
      response.headers.set("set-cookie", setCookie({ name: cookieName, value: "" }, 0, c.env.facts))
      return response
    }),
  )
}

const links: readonly (readonly [string, (c: Context<PageEnv>) => OauthLink])[] = [
  ["/api/oauth/go/:id", (c) => ({ kind: "flow", id: c.req.param("id") ?? "" })],
  ["/api/oauth/connect/:key", (c) => ({ kind: "connect", key: c.req.param("key") ?? "" })],
]

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
