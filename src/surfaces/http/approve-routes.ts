// The routes of the pages on which humans sign in and answer.
import { executorCommandOnPages } from "../../io/executor-command.ts"
import type { Hono } from "hono"
import { html } from "hono/html"
import { ExecutorError } from "../../core/errors.ts"
import { approvePage, inboxPage } from "./approve-page.ts"
import { approveScript } from "./approve-script.ts"
import { servePage, signInSteps } from "./page-shell.ts"
import type { PageEnv, Shell } from "./page-shell.ts"
import { readJson } from "./request-body.ts"
import { emptyResponse, jsonResponse } from "./response.ts"
import type { ServerParts } from "./server-parts.ts"
import { requireOrigin, requireSession } from "./session-auth.ts"
import { endedCookie, readSessionCookie, sessionCookie } from "./session-cookie.ts"
import { readCode, signInPage } from "./session-pages.ts"

const shell: Shell = {
  script: approveScript,
  signedOut: html`<h1>Sign in to answer</h1>
    <p>Only a signed-in human can see and answer what agents ask for.</p>
    ${signInSteps}`,
  withoutScript: html`<p>Without one, see and answer what waits in a terminal:</p>
    <pre tabindex="0"><code>${executorCommandOnPages} approvals list</code></pre>`,
}

export function addPageRoutes(app: Hono<PageEnv>, parts: ServerParts, publicUrl: string | undefined): void {
  app.get("/approve", (c) => servePage(c, shell, (who) => inboxPage(parts.api(who), c.req.query("cursor")), parts))
  app.get("/approve/:id", (c) => servePage(c, shell, (who) => approvePage(c.req.param("id"), parts.api(who)), parts))
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
    // A session whose key is lost shows nothing and does nothing, so that nobody needs to end it.
    await requireSession(c.req.raw, parts)
    await parts.browserSessions.end(readSessionCookie(c.req.raw.headers) ?? "")
    const response = emptyResponse(c.env.requestId)
    response.headers.set("set-cookie", endedCookie(publicUrl, c.req.raw.headers))
    return response
  })
}
