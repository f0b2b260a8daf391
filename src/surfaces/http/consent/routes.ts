// The routes of the authorization server for clients: its metadata, and what they ask of it.
import type { Context, Hono } from "hono"
import { OauthError } from "../../../core/authorization-server.ts"
import { ExecutorError } from "../../../core/errors.ts"
import { bodyLimits, readJson } from "../../../io/json-body.ts"
import { errorResponse } from "../error-response.ts"
import type { PageEnv } from "../pages/env.ts"
import { emptyResponse, jsonResponse } from "../response.ts"
import type { ServerParts } from "../server-parts.ts"
import { readForm } from "./form.ts"
import { resourceMetadata, resourceMetadataPath, serverMetadata } from "./metadata.ts"

export function addConsentRoutes(app: Hono<PageEnv>, parts: ServerParts, publicUrl: string | undefined): void {
  addMetadata(app, parts, publicUrl)
  addClientRoutes(app, parts)
}

/** Where a client reaches us: the public address, or on this machine the one that it used. */
export const baseOf = (c: Context<PageEnv>, publicUrl: string | undefined): string =>
  publicUrl ?? `${c.env.facts.isSecure ? "https" : "http"}://${c.req.header("host")}`

function addMetadata(app: Hono<PageEnv>, { authorization }: ServerParts, publicUrl: string | undefined): void {
  const show = (c: Context<PageEnv>, path: string): Response =>
    jsonResponse(200, resourceMetadata(baseOf(c, publicUrl), path, authorization.issuer()), c.env.requestId)
  app.get(resourceMetadataPath, (c) => show(c, "/mcp"))
  app.get(`${resourceMetadataPath}/mcp`, (c) => show(c, "/mcp"))
  app.get(`${resourceMetadataPath}/mcp/direct/:integration`, (c) =>
    show(c, `/mcp/direct/${encodeURIComponent(c.req.param("integration"))}`),
  )
  app.get("/.well-known/oauth-authorization-server", (c) => jsonResponse(200, serverMetadata(authorization.issuer()), c.env.requestId))
}

/** They come without a session, and take none: what a browser sends along counts for nothing here. */
function addClientRoutes(app: Hono<PageEnv>, { authorization, limits, log }: ServerParts): void {
  const answering = (work: (c: Context<PageEnv>) => Promise<Response>) => (c: Context<PageEnv>) =>
    work(c).catch((error: unknown) => {
      const known = asOauthError(error)
      if (known === null) return errorResponse(error, c.env.requestId, log)
      const status = known.code === "invalid_client" ? 401 : 400
      return jsonResponse(status, { error: known.code, error_description: known.message }, c.env.requestId, { pragma: "no-cache" })
    })
  const form = (c: Context<PageEnv>): Promise<URLSearchParams> => readForm(c.req.raw, limits)
  app.post(
    "/register",
    answering(async (c) => {
      const body = await readJson(c.req.raw, bodyLimits(limits.agentClientBytesMax, limits))
      return jsonResponse(201, await authorization.register(body, c.env.facts), c.env.requestId)
    }),
  )
  app.post(
    "/token",
    answering(async (c) => jsonResponse(200, await authorization.token(await form(c)), c.env.requestId, { pragma: "no-cache" })),
  )
  app.post(
    "/revoke",
    answering(async (c) => {
      await authorization.revoke(await form(c))
      return new Response(null, { status: 200, headers: emptyResponse(c.env.requestId).headers })
    }),
  )
}

/** A body that cannot be read is the client's fault as well. */
function asOauthError(error: unknown): OauthError | null {
  if (error instanceof OauthError) return error
  const isBody = error instanceof ExecutorError && error.code === "invalid_request"
  return isBody ? new OauthError("invalid_request", error.message) : null
}
