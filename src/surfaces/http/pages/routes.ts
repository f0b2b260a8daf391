// Where links to approvals lead, and how a browser signs in with a code and out.
import type { Hono } from "hono"
import { ExecutorError } from "../../../core/errors.ts"
import type { PageEnv } from "./env.ts"
import { bodyLimits, readJson } from "../../../io/json-body.ts"
import { emptyResponse, jsonResponse } from "../response.ts"
import type { ServerParts } from "../server-parts.ts"
import { requireOrigin, requireSession } from "../request/session-auth.ts"
import { endedCookie, readSessionCookie, sessionCookie } from "../request/session-cookie.ts"

export function addPageRoutes(app: Hono<PageEnv>, parts: ServerParts): void {
  // `/approvals` is what people type from memory.
  for (const path of ["/approve", "/approvals"]) {
    app.get(path, (c) => c.redirect("/inbox"))
    app.get(`${path}/:id`, (c) => c.redirect(inboxAt(c.req.param("id"))))
  }
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

function readCode(body: unknown): string {
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : null
  if (typeof code !== "string") throw new ExecutorError("invalid_request", "The field 'code' is wrong: it is required (string)")
  return code
}

/** Of one approval, or of an execution. */
const inboxAt = (id: string): string => `/inbox?${id.startsWith("apr_") ? "approval" : "execution"}=${encodeURIComponent(id)}`
