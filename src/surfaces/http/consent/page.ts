// What the consent page shows and sends: who asks, and what the human decided.
//
// Whatever is opened is a page of the console's bundle, which holds nothing. With the session's key it is told of the
// request in its address, as the client wrote it, and sends the decision to the same address.
import type { Context, Hono } from "hono"
import { bodyLimits, readJson } from "../../../io/json-body.ts"
import type { PageEnv } from "../pages/env.ts"
import { requireSession, sessionKeyHeader } from "../request/session-auth.ts"
import { jsonResponse } from "../response.ts"
import type { ServerParts } from "../server-parts.ts"
import { readDecision } from "./decision.ts"

const path = "/authorize"

/** `showPage`: the one page, which is the same for everybody. */
export function addConsentPage(app: Hono<PageEnv>, parts: ServerParts, showPage: (c: Context<PageEnv>) => Promise<Response>): void {
  const { authorization, limits } = parts
  app.get(path, async (c) => {
    if (!c.req.raw.headers.has(sessionKeyHeader)) return showPage(c)
    const human = await requireSession(c.req.raw, c.env.facts, parts)
    const request = await authorization.show(queryOf(c), human)
    const { items } = await parts.api(human).integrations.list({ limit: 1 })
    return jsonResponse(200, { user: human.user, request, example: items[0]?.slug ?? null }, c.env.requestId)
  })
  app.post(path, async (c) => {
    const human = await requireSession(c.req.raw, c.env.facts, parts)
    const body = await readJson(c.req.raw, bodyLimits(limits.requestSmallBodyBytesMax, limits))
    const redirectTo = await authorization.decide(queryOf(c), human, readDecision(body))
    return jsonResponse(200, { redirectTo }, c.env.requestId)
  })
}

const queryOf = (c: Context<PageEnv>): URLSearchParams => new URL(c.req.url).searchParams
