// The part of OAuth that happens in a human's browser: the link, the way to the provider, and the way back.
//
// These routes need no token. A link shows a page to whoever is signed in as the human it is for; a click on it, checked
// by its `Origin`, sets a cookie of that one browser and leads on; the provider's answer counts together with that
// cookie alone.
import type { Hono } from "hono"
import type { Context } from "hono"
import type { OauthBrowser, OauthCookie, OauthLink } from "../../core/oauth.ts"
import type { Principal } from "../../core/principal.ts"
import { errorBody, httpStatus } from "./error-response.ts"
import { donePage, leavingPage, offerPage, problemPage, signInFirstPage } from "./oauth-page.ts"
import { styleHash } from "./page-frame.ts"
import { htmlResponse } from "./response.ts"
import type { ServerParts } from "./server-parts.ts"
import { requireOrigin } from "./session-auth.ts"

type Env = { Bindings: { readonly requestId: string } }
type BrowserParts = Pick<ServerParts, "oauth" | "log" | "limits">

export type OauthBrowserOptions = {
  /** Where browsers reach us, if it is known. */
  readonly publicUrl: string | undefined
  /** Who is signed in there. */
  viewer(request: Request): Promise<Principal | null>
}

const cookiePath = "/api/oauth"

export function addOauthPages(app: Hono<Env>, parts: BrowserParts, options: OauthBrowserOptions): void {
  const browserOf = async (c: Context<Env>): Promise<OauthBrowser> => {
    const cookies = readCookies(c.req.header("cookie") ?? "")
    return { cookie: (name) => cookies.get(name), viewer: await options.viewer(c.req.raw) }
  }
  const guarded = (work: (c: Context<Env>) => Promise<Response>) => (c: Context<Env>) =>
    work(c).catch((error: unknown) => problem(error, c, parts))

  for (const [path, linkOf] of links) {
    app.get(
      path,
      guarded(async (c) => {
        const offer = await parts.oauth.show(linkOf(c), await browserOf(c))
        // The click must say where it comes from: without a referrer policy of its own the page would hide that.
        return pageResponse(await offerPage(offer), c, { "referrer-policy": "same-origin" })
      }),
    )
    app.post(
      path,
      guarded(async (c) => {
        requireOrigin(c.req.raw)
        const { providerUrl, cookie } = await parts.oauth.leave(linkOf(c), await browserOf(c))
        // No redirect: a browser would hold every page of the provider's against this page's `form-action`.
        return pageResponse(await leavingPage(providerUrl), c, {
          refresh: `0; url=${providerUrl}`,
          "set-cookie": setCookie(cookie, Math.ceil(parts.limits.oauthFlowMs / 1000), options),
        })
      }),
    )
  }

  app.get(
    "/api/oauth/callback",
    guarded(async (c) => {
      const { connection, redirectTo, cookieName } = await parts.oauth.finish(new URL(c.req.url).searchParams, await browserOf(c))
      const cleared = { "set-cookie": setCookie({ name: cookieName, value: "" }, 0, options) }
      const response = pageResponse(await donePage(connection), c, cleared)
      if (redirectTo === null) return response
      response.headers.set("location", redirectTo)
      return new Response(null, { status: 303, headers: response.headers })
    }),
  )
}

const links: readonly (readonly [string, (c: Context<Env>) => OauthLink])[] = [
  ["/api/oauth/go/:id", (c) => ({ kind: "flow", id: c.req.param("id") ?? "" })],
  ["/api/oauth/connect/:key", (c) => ({ kind: "connect", key: c.req.param("key") ?? "" })],
]

async function problem(error: unknown, c: Context<Env>, parts: BrowserParts): Promise<Response> {
  const { code, message } = errorBody(error, c.env.requestId, parts.log).error
  const text = code === "unauthorized" ? await signInFirstPage(c.req.path) : await problemPage(message)
  const response = pageResponse(text, c, {})
  return new Response(response.body, { status: httpStatus(code), headers: response.headers })
}

function pageResponse(text: string, c: Context<Env>, extra: Readonly<Record<string, string>>): Response {
  const response = htmlResponse(text, styleHash, c.env.requestId)
  const policy = response.headers.get("content-security-policy")?.replace("form-action 'none'", "form-action 'self'") ?? ""
  response.headers.set("content-security-policy", policy)
  for (const [name, value] of Object.entries(extra)) response.headers.set(name, value)
  return response
}

const setCookie = ({ name, value }: OauthCookie, seconds: number, { publicUrl }: OauthBrowserOptions): string =>
  `${name}=${value}; Path=${cookiePath}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${publicUrl?.startsWith("https:") ? "; Secure" : ""}`

const readCookies = (header: string): Map<string, string> =>
  new Map(
    header.split(";").flatMap((part) => {
      const cut = part.indexOf("=")
      return cut < 1 ? [] : [[part.slice(0, cut).trim(), part.slice(cut + 1).trim()] as const]
    }),
  )
