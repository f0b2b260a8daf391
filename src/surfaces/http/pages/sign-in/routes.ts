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
import type { PageEnv } from "../shell.ts"
import { offerOf, readBody } from "../../people/passkey-routes.ts"
import { codePage } from "./code.ts"
import { callbackPage, methodsPage, testedContent } from "./page.ts"

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
  const page = async (c: Context<PageEnv>, tenant: string): Promise<Response> => {
    const code = c.req.query("code")
    if (code !== undefined && code !== "") return codePage(c.req.raw.headers, c.env.requestId)
    const tested = c.req.query("test") === undefined ? null : (c.req.query("provider") ?? "")
    return methodsPage(
      { tenant, offers: await parts.signIn.offers(tenant), passkeys: offerOf(c, publicUrl, parts), tested },
      c.env.requestId,
    )
  }

  app.get("/signin", (c) => page(c, localTenant))
  app.get("/signin/:tenant", (c) => page(c, c.req.param("tenant")))
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
  app.get(callbackPath, (c) => callbackPage(c.env.requestId))
  app.post(callbackPath, async (c) => {
    const { answer, key } = await read(finishBody, c)
    const { headers } = c.req.raw
    const cookie = (name: string): string | null => readCookie(name, headers, c.env.facts)
    const session = readSessionCookie(headers, c.env.facts)
    const done = await parts.signIn.finish(new URLSearchParams(answer), { key, cookie, session }, c.env.facts)
    const endedFlow = writeCookie(done.cookieName, "", 0, headers, c.env.facts)
    if (done.kind === "tested") {
      const shown = { title: "Test · Executor", html: String(await testedContent(done.provider, done.result)) }
      return jsonResponse(200, shown, c.env.requestId, { "set-cookie": endedFlow })
    }
    const response = jsonResponse(200, { key: done.session.key, returnTo: done.returnTo }, c.env.requestId)
    response.headers.append("set-cookie", endedFlow)
    response.headers.append("set-cookie", sessionCookie(done.session.secret, done.session.lifeMs, headers, c.env.facts))
    return response
  })
}
