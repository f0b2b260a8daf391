// The routes of the pages that use passkeys: sign-in, `/passkeys` and `/invite`.
//
// Each has two steps: the first answers what to ask the authenticator, with a cookie and a key of this one attempt; the
// second takes its answer, together with both.
import type { Context, Hono } from "hono"
import type { z } from "zod"
import { ExecutorError } from "../../../core/errors.ts"
import { passkeyPlace } from "../../../core/people/passkey.ts"
import { localTenant } from "../../../core/principal.ts"
import type { PasskeyBegun, PasskeyBrowser, PasskeyOffer, PasskeyPlace, PasskeySession } from "../../../core/people/passkey.ts"
import { bodyLimits, readJson } from "../../../io/json-body.ts"
import type { PageEnv } from "../pages/env.ts"
import { check } from "../request/check.ts"
import { requireOrigin, requireSession } from "../request/session-auth.ts"
import { readCookie, sessionCookie, writeCookie } from "../request/session-cookie.ts"
import { jsonResponse } from "../response.ts"
import type { ServerParts } from "../server-parts.ts"
import { acceptBody, inviteBody, openBody, registrationBody, signInBody } from "./passkey-schema.ts"

const flowName = "executor_passkey"

/** `publicUrl`: where people go, if the operator said so. */
export function addPasskeyRoutes(app: Hono<PageEnv>, parts: ServerParts, publicUrl: string | null): void {
  const { passkeys } = parts
  app.post("/signin/passkey/options", async (c) => begunResponse(await passkeys.beginSignIn(browserOf(c, publicUrl)), c))
  app.post("/signin/passkey", async (c) => {
    const browser = browserOf(c, publicUrl)
    return openedResponse(await passkeys.signIn(await readBody(signInBody, c, parts), browser), c)
  })
  app.post("/passkeys/options", async (c) => {
    const who = await requireSession(c.req.raw, c.env.facts, parts)
    return begunResponse(await passkeys.beginRegistration(who, browserOf(c, publicUrl)), c)
  })
  app.post("/passkeys", async (c) => {
    const who = await requireSession(c.req.raw, c.env.facts, parts)
    const input = await readBody(registrationBody(parts.limits.nameCharsMax), c, parts)
    return jsonResponse(201, await passkeys.register(who, input, browserOf(c, publicUrl)), c.env.requestId)
  })
}

/** Nobody is signed in here. */
export function addInvitationRoutes(app: Hono<PageEnv>, parts: ServerParts, publicUrl: string | null): void {
  const { passkeys, limits } = parts
  app.post("/invite/open", async (c) => {
    requireOrigin(c.req.raw)
    const { token } = await readBody(openBody, c, parts)
    const offer = await passkeys.openInvitation(token, c.env.facts)
    const shown = {
      offer,
      isLocal: offer.tenant === localTenant,
      providers: await parts.signIn.offers(offer.tenant),
      passkeys: offerOf(c, publicUrl, parts),
    }
    return jsonResponse(200, shown, c.env.requestId)
  })
  app.post("/invite/options", async (c) => {
    const input = await readBody(inviteBody(limits.nameCharsMax), c, parts)
    return begunResponse(await passkeys.beginInvitation(input, browserOf(c, publicUrl)), c)
  })
  app.post("/invite", async (c) => {
    const input = await readBody(acceptBody(limits.nameCharsMax), c, parts)
    return openedResponse(await passkeys.acceptInvitation(input, browserOf(c, publicUrl)), c)
  })
}

/** What a page offers of passkeys. */
export const offerOf = (c: Context<PageEnv>, publicUrl: string | null, { passkeys }: Pick<ServerParts, "passkeys">): PasskeyOffer =>
  passkeys.isOff ? { kind: "off" } : placeOf(c, publicUrl)

/** A page's own address: a browser tells it of what changes something, and of nothing else. */
function placeOf(c: Context<PageEnv>, publicUrl: string | null): PasskeyPlace {
  const own = `${c.env.facts.isSecure ? "https" : "http"}://${c.req.header("host")}`
  const origin = c.req.header("origin") ?? own
  const place = passkeyPlace(URL.canParse(origin) ? origin : own, publicUrl)
  // This machine's name may lead to another program.
  return place.kind === "elsewhere" && publicUrl === null && c.env.localhostUrl === null ? { kind: "elsewhere", url: null } : place
}

function browserOf(c: Context<PageEnv>, publicUrl: string | null): PasskeyBrowser {
  requireOrigin(c.req.raw)
  const place = placeOf(c, publicUrl)
  if (place.kind === "elsewhere")
    throw new ExecutorError(
      "invalid_request",
      place.url === null
        ? "Passkeys need an address that begins with https://; set EXECUTOR_PUBLIC_URL to it"
        : `Passkeys do not work at this address; open ${place.url} instead`,
    )
  return { party: place.party, flow: readCookie(flowName, c.req.raw.headers, c.env.facts), facts: c.env.facts }
}

function begunResponse({ options, key, flow, lifeMs }: PasskeyBegun, c: Context<PageEnv>): Response {
  const cookie = writeCookie(flowName, flow, lifeMs, c.req.raw.headers, c.env.facts)
  return jsonResponse(200, { options, key }, c.env.requestId, { "set-cookie": cookie })
}

function openedResponse({ secret, key, lifeMs }: PasskeySession, c: Context<PageEnv>): Response {
  const response = jsonResponse(200, { key }, c.env.requestId)
  response.headers.append("set-cookie", sessionCookie(secret, lifeMs, c.req.raw.headers, c.env.facts))
  response.headers.append("set-cookie", writeCookie(flowName, "", 0, c.req.raw.headers, c.env.facts))
  return response
}

export async function readBody<Schema extends z.ZodType>(
  schema: Schema,
  c: Context<PageEnv>,
  { limits }: Pick<ServerParts, "limits">,
): Promise<z.output<Schema>> {
  return check(schema, await readJson(c.req.raw, bodyLimits(limits.requestSmallBodyBytesMax, limits)), "body")
}
