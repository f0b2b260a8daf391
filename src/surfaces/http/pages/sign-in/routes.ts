// The routes of signing in at a provider.
//
// Nobody is signed in here, so each request must name its origin, and is bound to its browser by a cookie and a key.
import type { Context, Hono } from "hono"
import { z } from "zod"
import { localTenant } from "../../../../core/principal.ts"
import { requireOrigin } from "../../request/session-auth.ts"
import { readCookie, readSessionCookie, sessionCookie, writeCookie } from "../../request/session-cookie.ts"
import { jsonResponse } from "../../response.ts"
import type { ServerParts } from "../../server-parts.ts"
import type { PageEnv } from "../env.ts"
import { offerOf, readBody } from "../../people/passkey-routes.ts"

const callbackPath = "/signin/oidc/callback"
/** Codes of some providers are long. */
const answerCharsMax = 32_000

const text = z.string().min(1).max(8000)
const startBody = z.strictObject({
  tenant: text.exactOptional(),
  return: text.exactOptional(),
  test: text.exactOptional(),
  invitation: text.exactOptional(),
})
const finishBody = z.strictObject({ answer: z.string().max(answerCharsMax), key: z.string().max(256) })

export function addSignInRoutes(
  app: Hono<PageEnv>,
  parts: Pick<ServerParts, "signIn" | "passkeys" | "limits">,
  publicUrl: string | null,
): void {
  const read = async <Schema extends z.ZodType>(schema: Schema, c: Context<PageEnv>): Promise<z.output<Schema>> => {
    requireOrigin(c.req.raw)
    return readBody(schema, c, parts)
  }
  app.get("/api/signin/methods", async (c) => {
    const named = c.req.query("tenant") ?? ""
    const tenant = named === "" ? localTenant : named
    const shown = {
      tenant,
      isLocal: tenant === localTenant,
      providers: await parts.signIn.offers(tenant),
      passkeys: offerOf(c, publicUrl, parts),
    }
    return jsonResponse(200, shown, c.env.requestId)
  })
  app.post("/api/signin/oidc/:id", async (c) => {
    const { tenant, test, invitation, return: returnTo } = await read(startBody, c)
    const started = await parts.signIn.start(
      {
        tenant: tenant ?? localTenant,
        provider: c.req.param("id"),
        returnTo: returnTo ?? null,
        ticket: test ?? null,
        invitation: invitation ?? null,
        origin: c.req.header("origin") ?? "",
      },
      c.env.facts,
    )
    const { url, key, cookie } = started
    return jsonResponse(200, { url, key }, c.env.requestId, {
      "set-cookie": writeCookie(cookie.name, cookie.value, parts.limits.signInFlowMs, c.req.raw.headers, c.env.facts),
    })
  })
  app.post(callbackPath, async (c) => {
    const { answer, key } = await read(finishBody, c)
    const { headers } = c.req.raw
    const cookie = (name: string): string | null => readCookie(name, headers, c.env.facts)
    const session = readSessionCookie(headers, c.env.facts)
    const done = await parts.signIn.finish(new URLSearchParams(answer), { key, cookie, session }, c.env.facts)
    const endedFlow = writeCookie(done.cookieName, "", 0, headers, c.env.facts)
    if (done.kind === "tested") {
      return jsonResponse(200, { tested: { provider: done.provider, ...done.result } }, c.env.requestId, { "set-cookie": endedFlow })
    }
    const response = jsonResponse(200, { key: done.session.key, returnTo: done.returnTo }, c.env.requestId)
    response.headers.append("set-cookie", endedFlow)
    response.headers.append("set-cookie", sessionCookie(done.session.secret, done.session.lifeMs, headers, c.env.facts))
    return response
  })
}
