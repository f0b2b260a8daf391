// The HTTP surface as one `fetch` handler: it translates between requests and the executor, and decides nothing.
//
// The life of a request: a request id ▶ `Host` and `Origin` ▶ route ▶ token ▶ body ▶ schemas ▶ the executor as
// that principal ▶ JSON. Whatever is thrown on the way becomes an answer in `error-response`, and nowhere else.
import type { Context } from "hono"
import { Hono } from "hono"
import { ExecutorError } from "../../core/errors.ts"
import type { Principal } from "../../core/principal.ts"
import type { RequestFacts } from "../../core/request-facts.ts"
import { systemClock } from "../../io/clock.ts"
import { newId } from "../../io/ids.ts"
import { writeDocument } from "./api-document.ts"
import { apiRoutes } from "./routes/all.ts"
import { challenge } from "./consent/metadata.ts"
import { addConsentRoutes, baseOf } from "./consent/routes.ts"
import { docsPage, docsResponse } from "./pages/docs/page.ts"
import { errorBody, errorResponse, httpStatus, methodResponse } from "./error-response.ts"
import { openEventStream } from "./event-stream.ts"
import { whileAllowed } from "./stream-access.ts"
import { openTextStream } from "./text-stream.ts"
import { addConsoleRoutes } from "./console/routes.ts"
import { knownPaths } from "./routes/known-paths.ts"
import { problemPageHtml, wantsPage } from "./pages/not-found.ts"
import { styleHash } from "./pages/frame.ts"
import { addInvitationRoutes, addPasskeyRoutes } from "./people/passkey-routes.ts"
import { addPageRoutes } from "./pages/routes.ts"
import { addSignInRoutes } from "./pages/sign-in/routes.ts"
import type { PageEnv } from "./pages/env.ts"
import { requirePrincipal } from "./request/auth.ts"
import { bodyLimits, readJson } from "../../io/json-body.ts"
import type { GuardOptions } from "./request/guard.ts"
import { createGuard, isLoopbackHost } from "./request/guard.ts"
import { leadToName } from "./request/localhost.ts"
import { createFactsReader } from "./request/facts.ts"
import type { FactsOptions, Peer } from "./request/facts.ts"
import { emptyResponse, eventResponse, htmlResponse, jsonResponse, jsonTextResponse, textResponse } from "./response.ts"
import type { EventRoute, JsonRoute, Route, TextRoute } from "./routes/route.ts"
import { lookAtActor, requireActor } from "./request/session-auth.ts"
import type { ServerParts, ServerStatus } from "./server-parts.ts"

export type HttpApp = {
  /** `peer`: by default a program on this machine. */
  fetch(request: Request, peer?: Peer): Promise<Response>
  /** Ends the answers that would go on for ever or long: streams of events and of text. */
  close(): void
}

/** The streams that are open, by how they are stopped. */
type OpenStreams = Set<AbortController>

type Env = PageEnv

const localPeer: Peer = { address: "127.0.0.1", isEncrypted: false }

export function createHttpApp(parts: ServerParts, options: GuardOptions & FactsOptions): HttpApp {
  const guard = createGuard(options)
  const readFacts = createFactsReader(options)
  const streams: OpenStreams = new Set()
  const router = createRouter(parts, options.publicUrl, streams)
  const nextRequestId = requestIds()
  const answer = async (request: Request, facts: RequestFacts, requestId: string): Promise<Response> => {
    try {
      const refusal = guard(request.headers, facts)
      const localhostUrl = options.localhostUrl?.() ?? null
      const response = refusal
        ? errorResponse(refusal, requestId, parts.log)
        : (leadToName(request, localhostUrl, requestId) ?? (await router.fetch(request, { requestId, facts, localhostUrl })))
      if (staysSecure(request.headers, facts)) response.headers.set("strict-transport-security", "max-age=31536000")
      return response
    } catch (error) {
      // The router passes on what is thrown and is no `Error`, such as the reason of a signal.
      return request.signal.aborted ? emptyResponse(requestId) : errorResponse(error, requestId, parts.log)
    }
  }
  return {
    async fetch(request, peer = localPeer) {
      const started = systemClock.monotonicMs()
      const requestId = nextRequestId()
      const facts = readFacts(request.headers, peer)
      const response = await answer(request, facts, requestId)
      const ms = Math.round(systemClock.monotonicMs() - started)
      const { address } = facts
      parts.log.debug({ requestId, method: request.method, path: pathOf(request.url), status: response.status, ms, address }, "request")
      return response
    },
    close() {
      streams.forEach((stop) => stop.abort())
      parts.mcp.close().catch((error: unknown) => parts.log.warn({ error: String(error) }, "The MCP host did not end cleanly"))
    },
  }
}

/** Browsers keep to TLS for the whole host, whatever the port: on `localhost` that would be the other programs of this machine. */
const staysSecure = (headers: Headers, { isSecure }: RequestFacts): boolean => isSecure && !isLoopbackHost(headers.get("host") ?? "")

function createRouter(parts: ServerParts, publicUrl: string | undefined, streams: OpenStreams): Hono<Env> {
  const app = new Hono<Env>({ strict: false })
  const routes = apiRoutes(parts.limits)
  for (const route of routes) {
    app.on(route.method.toUpperCase(), `/api${honoPath(route.path)}`, (c) => serveRoute(route, c, parts, streams))
  }
  addOpenRoutes(app, routes, parts, publicUrl)
  addConsoleRoutes(app, parts)
  addPageRoutes(app, parts)
  addSignInRoutes(app, parts, publicUrl ?? null)
  addMcpRoutes(app, parts, publicUrl)
  addConsentRoutes(app, parts, publicUrl)
  addPasskeyRoutes(app, parts, publicUrl ?? null)
  addInvitationRoutes(app, parts, publicUrl ?? null)
  const known = knownPaths(app.routes)
  app.notFound(async (c) => {
    const allow = known.methodsAt(c.req.path)
    if (allow === null && wantsPage(c.req.raw, c.req.path)) return problemPage(known.notFound(c.req.path), c, parts)
    if (known.needsToken(c.req.path)) await requireActor(c.req.raw, c.env.facts, parts)
    return allow === null
      ? errorResponse(known.notFound(c.req.path), c.env.requestId, parts.log)
      : methodResponse(c.req.method, allow, c.env.requestId)
  })
  app.onError((error, c) => {
    // Work that was stopped because its client went away has nobody to tell.
    if (c.req.raw.signal.aborted) return emptyResponse(c.env.requestId)
    return wantsPage(c.req.raw, c.req.path) ? problemPage(error, c, parts) : errorResponse(error, c.env.requestId, parts.log)
  })
  return app
}

function serveRoute(route: Route, c: Context<Env>, parts: ServerParts, streams: OpenStreams): Promise<Response> {
  switch (route.kind) {
    case "json":
      return serveJson(route, c, parts)
    case "events":
      return serveEvents(route, c, parts, streams)
    case "text":
      return serveText(route, c, parts, streams)
  }
}

async function problemPage(error: unknown, c: Context<Env>, { log }: ServerParts): Promise<Response> {
  const { code, message } = errorBody(error, c.env.requestId, log).error
  const [title, text] =
    code === "not_found"
      ? ["Page not found", `There is no page at ${c.req.path.slice(0, 200)}.`]
      : ["This page cannot be shown", `${message}.`]
  return htmlResponse(await problemPageHtml(title, text), { style: styleHash }, c.env.requestId, httpStatus(code))
}

async function serveJson(route: JsonRoute, c: Context<Env>, parts: ServerParts): Promise<Response> {
  const request = c.req.raw
  // Taken before anything is waited for: it tells nothing of what was over when it was first looked at.
  const { signal } = request
  const principal = await requireActor(request, c.env.facts, parts)
  const hasNone = route.body === null || (route.body.isOptional === true && isEmptyBody(request.headers))
  const body = route.body === null || hasNone ? undefined : await readJson(request, bodyLimits(route.body.bytesMax, parts.limits))
  const value = await route.run({ params: c.req.param(), search: searchOf(request.url), body }, parts.api(principal), signal, c.env.facts)
  if (route.answer.status === 204) return emptyResponse(c.env.requestId)
  return jsonResponse(route.answer.status, value, c.env.requestId)
}

const isEmptyBody = (headers: Headers): boolean =>
  (headers.get("content-length") ?? "0") === "0" && headers.get("transfer-encoding") === null

async function serveEvents(route: EventRoute, c: Context<Env>, parts: ServerParts, streams: OpenStreams): Promise<Response> {
  const { requestId } = c.env
  const request = c.req.raw
  const principal = await requireActor(request, c.env.facts, parts)
  const stop = stopOf(request, streams)
  try {
    const lastEventId = request.headers.get("last-event-id")
    const events = route.open(
      { params: c.req.param(), search: searchOf(request.url), body: undefined, lastEventId },
      parts.api(principal),
      stop.signal,
    )
    const look = (): Promise<Principal> => lookAtActor(request, c.env.facts, parts)
    const stream = await openEventStream(whileAllowed(events, principal, look, stop), stop, (error) =>
      errorBody(error, requestId, parts.log),
    )
    // The router drops the body of an answer to HEAD without cancelling it.
    if (request.method === "HEAD") stop.abort()
    return eventResponse(stream, requestId)
  } catch (error) {
    stop.abort()
    throw error
  }
}

function stopOf(request: Request, streams: OpenStreams): AbortController {
  const stop = new AbortController()
  streams.add(stop)
  stop.signal.addEventListener("abort", () => streams.delete(stop), { once: true })
  // A client that leaves before the answer begins never reads, and so never cancels, the stream.
  request.signal.addEventListener("abort", () => stop.abort(), { once: true })
  return stop
}

async function serveText(route: TextRoute, c: Context<Env>, parts: ServerParts, streams: OpenStreams): Promise<Response> {
  const request = c.req.raw
  const principal = await requireActor(request, c.env.facts, parts)
  const stop = stopOf(request, streams)
  try {
    const { headers, pieces } = route.open(
      { params: {}, search: searchOf(request.url), body: undefined },
      parts.api(principal),
      stop.signal,
    )
    const look = (): Promise<Principal> => lookAtActor(request, c.env.facts, parts)
    const stream = await openTextStream(whileAllowed(pieces, principal, look, stop), stop)
    if (request.method === "HEAD") stop.abort()
    return textResponse(stream, headers, c.env.requestId)
  } catch (error) {
    stop.abort()
    throw error
  }
}

/** Agents come with a token of their own; a browser's session is no way in. Who has none learns where to get one. */
function addMcpRoutes(app: Hono<Env>, parts: ServerParts, publicUrl: string | undefined): void {
  const serve = async (c: Context<Env>): Promise<Response> => {
    const { headers } = c.req.raw
    try {
      return await parts.mcp.fetch(c.req.raw, await requirePrincipal(headers, parts))
    } catch (error) {
      if (!(error instanceof ExecutorError) || error.code !== "unauthorized") throw error
      const response = errorResponse(error, c.env.requestId, parts.log)
      const reason = headers.has("authorization") ? "invalid" : "missing"
      response.headers.set("www-authenticate", challenge(baseOf(c, publicUrl), c.req.path.replace(/\/$/, ""), reason))
      return response
    }
  }
  app.all("/mcp", serve)
  app.all("/mcp/direct/:integration", serve)
}

/** What needs no token, because it shows nothing but that the server is there. */
function addOpenRoutes(app: Hono<Env>, routes: readonly Route[], parts: ServerParts, publicUrl: string | undefined): void {
  const status = sharedStatus(parts)
  const document = lazy(async () => writeDocument(routes, (await status()).version, publicUrl))
  const documentText = lazy(async () => JSON.stringify(await document()))
  const docsHtml = lazy(async () => docsPage(await document()))

  app.get("/favicon.ico", (c) => emptyResponse(c.env.requestId))
  app.get("/api/health", async (c) => {
    const { version, store } = await status()
    return jsonResponse(200, { status: "ok", version, store }, c.env.requestId)
  })
  app.get("/api/openapi.json", async (c) => jsonTextResponse(await documentText(), c.env.requestId))
  app.get("/api/docs", async (c) => docsResponse(await docsHtml(), c.env.requestId))
}

/** Counting is open to everybody, so it runs once at a time, however many ask. */
function sharedStatus(parts: ServerParts): () => Promise<ServerStatus> {
  let pending: Promise<ServerStatus> | null = null
  return () =>
    (pending ??= parts.status().finally(() => {
      pending = null
    }))
}

function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: T | undefined
  return async () => (made ??= await make())
}

/** Random once, then counted: unique in a log, and cheaper than new randomness for every request. */
function requestIds(): () => string {
  const prefix = newId("req")
  let count = 0
  return () => `${prefix}_${(count++).toString(36)}`
}

const honoPath = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1")

function searchOf(url: string): string {
  const start = url.indexOf("?")
  if (start === -1) return ""
  const end = url.indexOf("#", start)
  return url.slice(start + 1, end === -1 ? undefined : end)
}

const pathOf = (url: string): string => /^[a-z]+:\/\/[^/]*([^?#]*)/i.exec(url)?.[1] ?? url
