// The routes of the pages on which humans sign in and answer.
import type { Context, Hono } from "hono"
import { ExecutorError } from "../../core/errors.ts"
import type { Principal } from "../../core/principal.ts"
import { approvePage, inboxPage } from "./approve-page.ts"
import { readJson } from "./request-body.ts"
import { emptyResponse, jsonResponse } from "./response.ts"
import type { ServerParts } from "./server-parts.ts"
import { findSession, requireOrigin } from "./session-auth.ts"
import { endedCookie, readSessionCookie, sessionCookie } from "./session-cookie.ts"
import { readCode, signedOutPage, signInPage } from "./session-pages.ts"

type Env = { Bindings: { readonly requestId: string } }

export function addPageRoutes(app: Hono<Env>, parts: ServerParts, publicUrl: string | undefined): void {
  const forHumans = async (c: Context<Env>, show: (who: Principal) => Promise<Response>): Promise<Response> => {
    const who = await findSession(c.req.raw, parts)
    return who === null ? signedOutPage(c.env.requestId) : show(who)
  }
  app.get("/approve", (c) => forHumans(c, (who) => inboxPage(who, parts.api(who), c.req.query("cursor"), c.env.requestId)))
  app.get("/approve/:id", (c) => forHumans(c, (who) => approvePage(c.req.param("id"), who, parts.api(who), c.env.requestId)))
  app.get("/signin", (c) => signInPage(c.env.requestId))
  app.post("/signin", async (c) => {
    requireOrigin(c.req.raw)
    const body = await readJson(c.req.raw, { bytesMax: parts.limits.requestSmallBodyBytesMax, depthMax: parts.limits.requestBodyDepthMax })
    const session = await parts.browserSessions.open(readCode(body))
    if (session === null)
      throw new ExecutorError("unauthorized", "This link was used already, or is too old; run 'executor web' for another one")
    const cookie = sessionCookie(session.secret, session.lifeMs, publicUrl, c.req.raw.headers)
    return jsonResponse(200, { key: session.key }, c.env.requestId, { "set-cookie": cookie })
  })
  app.post("/signout", async (c) => {
    requireOrigin(c.req.raw)
    // By the cookie alone: whoever lost the key must still be able to end the session.
    const secret = readSessionCookie(c.req.raw.headers)
    if (secret !== null) await parts.browserSessions.end(secret)
    const response = emptyResponse(c.env.requestId)
    response.headers.set("set-cookie", endedCookie(publicUrl, c.req.raw.headers))
    return response
  })
}
