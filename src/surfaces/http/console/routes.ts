// Serves the web console: one page at every address that it has, and its assets.
//
// The page is the same for everybody and holds nothing: its script asks the API with the session's key (decision 14).
import { randomBytes } from "node:crypto"
import type { Context, Hono } from "hono"
import { IntegrationSlug } from "../../../core/address.ts"
import { ExecutorError } from "../../../core/errors.ts"
import { executorCommandOnPages } from "../../../io/executor-command.ts"
import { addConsentPage } from "../consent/page.ts"
import { styleHash } from "../pages/frame.ts"
import { problemPageHtml } from "../pages/not-found.ts"
import type { PageEnv } from "../pages/env.ts"
import { commonHeaders, htmlResponse } from "../response.ts"
import type { ServerParts } from "../server-parts.ts"
import type { ConsoleFiles } from "./files.ts"
import { openConsoleFiles } from "./files.ts"
import { addOauthBrowserRoutes } from "./oauth.ts"

/** The addresses of the console's pages, as `web/src/app/routes.ts` has them. */
const pagePaths = [
  "/",
  "/inbox",
  "/executions",
  "/executions/:id",
  "/registry",
  "/registry/:id",
  "/integrations",
  "/integrations/:slug",
  "/connections",
  "/knowledge",
  "/playground",
  "/policies",
  "/people",
  "/roles",
  "/agents",
  "/agents/:slug",
  "/audit",
  "/passkeys",
  "/settings",
  "/search",
] as const

/** The pages outside of the console, as `web/src/outside/start.tsx` has them, which also has that of consent. */
const outsidePaths = ["/signin", "/signin/oidc/callback", "/signin/:tenant", "/invite"] as const

/** In the built page where `vite.config.ts` puts it. */
const noncePlaceholder = /__EXECUTOR_NONCE__/g
/** How the command line is called here: `./executor` in a clone. */
const commandPlaceholder = /__EXECUTOR_COMMAND__/g
/** Whether a page of another origin led here, which only the request says. */
const arrivalPlaceholder = /__EXECUTOR_ARRIVAL__/g
const yearSeconds = 31_536_000

export function addConsoleRoutes(app: Hono<PageEnv>, parts: ServerParts): void {
  let files: ConsoleFiles | null = null
  const opened = (): ConsoleFiles | null => (files ??= openConsoleFiles())
  const showConsole = (c: Context<PageEnv>): Promise<Response> => servePage(c, opened())
  for (const path of [...pagePaths, ...outsidePaths]) app.get(path, showConsole)
  addOauthBrowserRoutes(app, parts, showConsole)
  addConsentPage(app, parts, showConsole)
  // Links of earlier versions.
  app.get("/connect/:integration", (c) => c.redirect(`/connections?add=${IntegrationSlug.make(c.req.param("integration"))}`))
  app.get("/assets/:name", (c) => serveAsset(c, opened()))
}

async function servePage(c: Context<PageEnv>, files: ConsoleFiles | null): Promise<Response> {
  if (files === null) {
    const page = await problemPageHtml("The console is not built", "Run npm run build in the folder of Executor, then reload this page.")
    return htmlResponse(page, { style: styleHash }, c.env.requestId, 503)
  }
  const nonce = randomBytes(16).toString("base64")
  const arrival = isLedByOthers(c.req.raw.headers) ? "elsewhere" : "own"
  const page = files.page
    .replace(noncePlaceholder, nonce)
    .replace(commandPlaceholder, executorCommandOnPages)
    .replace(arrivalPlaceholder, arrival)
  return new Response(page, {
    headers: {
      ...commonHeaders,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": pagePolicy(nonce),
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
      "x-request-id": c.env.requestId,
    },
  })
}

/** By what browsers say of a navigation; other programs on this machine are other origins, on the same site. */
const isLedByOthers = (headers: Headers): boolean => ["cross-site", "same-site"].includes(headers.get("sec-fetch-site") ?? "")

/** The nonce is for the style elements that the editor and dialogs make; scripts are files of this server. */
const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ")

/** A name contains the hash of its content, so a browser keeps it for good. */
function serveAsset(c: Context<PageEnv>, files: ConsoleFiles | null): Response {
  const file = files?.asset(c.req.param("name") ?? "") ?? null
  if (file === null) throw new ExecutorError("not_found", "There is no such file of the console; reload the page")
  const isPacked = file.packed !== null && (c.req.header("accept-encoding") ?? "").includes("br")
  return new Response(isPacked ? file.packed : file.bytes, {
    headers: {
      ...commonHeaders,
      "content-type": file.type,
      "cache-control": `public, max-age=${yearSeconds}, immutable`,
      vary: "accept-encoding",
      ...(isPacked ? { "content-encoding": "br" } : {}),
      "x-request-id": c.env.requestId,
    },
  })
}
