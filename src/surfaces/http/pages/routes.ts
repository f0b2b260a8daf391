// The routes of the pages on which humans sign in and answer.
import { executorCommandOnPages } from "../../../io/executor-command.ts"
import type { Hono } from "hono"
import { html } from "hono/html"
import { inboxPage } from "./approval-inbox.ts"
import { approvePage } from "./approval.ts"
import { approveScript } from "./approval-script.ts"
import { servePage, signInSteps } from "./shell.ts"
import type { PageEnv, Shell } from "./shell.ts"
import { bodyLimits, readJson } from "../../../io/json-body.ts"
import { emptyResponse, jsonResponse } from "../response.ts"
import type { ServerParts } from "../server-parts.ts"
import { requireOrigin, requireSession } from "../request/session-auth.ts"
import { endedCookie, readSessionCookie, sessionCookie } from "../request/session-cookie.ts"
import { readCode } from "./sign-in/code.ts"

const shell: Shell = {
  script: approveScript,
  signedOut: html`<h1>Sign in to answer</h1>
    <p>This browser is not signed in, or its session has ended. Only a signed-in person can see and answer approvals.</p>
    ${signInSteps}`,
  withoutScript: html`<p>You can also list and answer approvals in a terminal:</p>
    <pre tabindex="0"><code>${executorCommandOnPages} approvals list</code></pre>`,
}

export function addPageRoutes(app: Hono<PageEnv>, parts: ServerParts): void {
  app.get("/approve", (c) => servePage(c, shell, (who) => inboxPage(who, parts.api(who), c.req.query("cursor")), parts))
  app.get("/approve/:id", (c) =>
    servePage(
      c,
      shell,
      (who) => approvePage({ id: c.req.param("id"), isWhole: c.req.query("whole") !== undefined }, parts.api(who)),
      parts,
    ),
  )
  // What people type from memory.
  app.get("/approvals", (c) => c.redirect("/approve"))
  app.get("/approvals/:id", (c) => c.redirect(`/approve/${encodeURIComponent(c.req.param("id"))}`))
  app.post("/signin", async (c) => {
    requireOrigin(c.req.raw)
    const body = await readJson(c.req.raw, bodyLimits(parts.limits.requestSmallBodyBytesMax, parts.limits))
    const session = await parts.signInWithCode(readCode(body), c.env.facts)
    const cookie = sessionCookie(session.secret, session.lifeMs, c.req.raw.headers, c.env.facts)
    return jsonResponse(200, { key: session.key }, c.env.requestId, { "set-cookie": cookie })
  })
  app.post("/signout", async (c) => {
    // A session whose key is lost shows nothing and does nothing, so that nobody needs to end it.
    await requireSession(c.req.raw, c.env.facts, parts)
    await parts.browserSessions.end(readSessionCookie(c.req.raw.headers, c.env.facts) ?? "")
    const response = emptyResponse(c.env.requestId)
    response.headers.set("set-cookie", endedCookie(c.req.raw.headers, c.env.facts))
    return response
  })
}
