// Detects what can be integrated at a URL, by asking every kind of source at the same time.
import { ExecutorError } from "../../core/errors.ts"
import type { Detection, SourceKind } from "../../core/integration.ts"
import type { Limits } from "../../core/limits.ts"
import { suggestSlug } from "../../core/text/slug-suggest.ts"
import { requireRight } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import { formsOf, redactError } from "../../credentials/redact.ts"
import type { Outbound, OutboundFailure } from "../../io/network/outbound.ts"
import type { Detected, SourceAdapter } from "../../sources/source-adapter.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { adminOrigins, refusePrivateUrls } from "./admin-text.ts"
import { secretTexts } from "./config-secrets.ts"

const shownAttemptsMax = 12

export async function detectIntegration(principal: Principal, url: string, parts: CatalogParts): Promise<Detection> {
  requireRight(principal, "connections.org", "detect an integration")
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new ExecutorError("invalid_request", "url must be an http or https URL")
  refusePrivateUrls(principal, [url])
  const attempts: Attempt[] = []
  const outbound = recording(parts.network.outbound({ literalUrls: adminOrigins(principal, [new URL(url).origin]) }), attempts)
  const answers = await askAll(url, outbound, parts)
  const [best] = answers.filter((answer) => answer.found !== null).toSorted((a, b) => rankOf(a, url) - rankOf(b, url))
  if (best?.found) return toDetection(best.kind, best.found, url)
  throw redactError(nothingFound(url, attempts, answers), secretsIn(url))
}

/** User info and query values, which what is there may repeat. */
const secretsIn = (url: string): string[] => secretTexts({ url }).flatMap(formsOf)

type Answer = { readonly kind: SourceKind; readonly found: Detected | null; readonly problem: string | null }

/** What takes longer than the limit has found nothing, whatever it is still doing. */
async function askAll(url: string, outbound: Outbound, parts: CatalogParts): Promise<Answer[]> {
  const { detectMs } = parts.limits
  const stop = new AbortController()
  const limits: Limits = { ...parts.limits, callTimeoutMs: Math.min(parts.limits.callTimeoutMs, detectMs) }
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), detectMs)
  const ask = async (adapter: SourceAdapter): Promise<Answer> => {
    try {
      const request = { url, outbound, limits, signal: stop.signal, log: parts.log }
      return { kind: adapter.kind, found: await Promise.race([adapter.detect(request), late]), problem: null }
    } catch (error) {
      if (!(error instanceof ExecutorError))
        parts.log.warn({ kind: adapter.kind, error: String(redactError(error, secretsIn(url))) }, "A source could not look at a URL")
      return { kind: adapter.kind, found: null, problem: error instanceof ExecutorError ? error.message : null }
    }
  }
  try {
    return await Promise.all([...parts.adapters.values()].map(ask))
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
}

const kindsByProof: readonly SourceKind[] = ["openapi", "mcp", "graphql", "plugin"]

/**
 * What is at the URL itself comes before what is at the usual places of its host, and what is proved before what is only likely,
 * unless the URL's own name speaks for that.
 */
function rankOf({ kind, found }: Answer, url: string): number {
  const { pathname } = new URL(url)
  const isProved = found?.proof === "answer"
  const isThere = Object.values(found?.config ?? {}).some((value) => typeof value === "string" && isSamePlace(value, url))
  const isMeant = isThere && pathname !== "/" && (isProved || (names.get(kind)?.test(pathname) ?? false))
  return (isMeant ? 0 : isProved ? 1 : 2) * kindsByProof.length + kindsByProof.indexOf(kind)
}

const names: ReadonlyMap<SourceKind, RegExp> = new Map([
  ["graphql", /graphql|gql/i],
  ["mcp", /\b(?:mcp|sse)\b/i],
])

const isSamePlace = (a: string, b: string): boolean => URL.parse(a)?.href.replace(/\/$/, "") === new URL(b).href.replace(/\/$/, "")

function toDetection(kind: SourceKind, found: Detected, url: string): Detection {
  const { title, origins } = found.facts
  const { hostname } = new URL(url)
  const name = title || hostname
  return { kind, slug: suggestSlug({ origins, title, fallback: hostname }), name, config: found.config, auth: found.facts.auth }
}

type Attempt = { readonly method: string; readonly url: string; readonly outcome: string; readonly failure: OutboundFailure | null }

/** Notes every request, so that whoever finds nothing can say where they looked. */
function recording(outbound: Outbound, attempts: Attempt[]): Outbound {
  const note = (request: { method: string; url: string }, answer: { ok: true; status: number } | OutboundFailure): void => {
    const { origin, pathname } = new URL(request.url)
    const outcome = answer.ok ? String(answer.status) : answer.code
    attempts.push({ method: request.method, url: `${origin}${pathname}`, outcome, failure: answer.ok ? null : answer })
  }
  return {
    async send(request) {
      const answer = await outbound.send(request)
      note(request, answer)
      return answer
    },
    async open(request) {
      const answer = await outbound.open(request)
      note(request, answer)
      return answer
    },
  }
}

function nothingFound(url: string, attempts: readonly Attempt[], answers: readonly Answer[]): ExecutorError {
  const { origin, pathname } = new URL(url)
  const failure = attempts.length > 0 && attempts.every((attempt) => attempt.failure !== null) ? attempts[0]?.failure : null
  if (failure) return new ExecutorError("invalid_request", `The URL could not be read: ${failure.message}`, { upstream: failure.code })
  const tried = [
    ...new Set(attempts.map(({ method, url: place, outcome }) => `${method} ${place.replace(origin, "") || "/"} (${outcome})`)),
  ]
  const problems = answers.flatMap(({ kind, problem }) =>
    problem === null ? [] : [` It looked like ${kind} but could not be used: ${problem}.`],
  )
  const rest = tried.length > shownAttemptsMax ? `, and ${tried.length - shownAttemptsMax} more` : ""
  const places = tried.length === 0 ? " The server did not answer." : ` Tried ${tried.slice(0, shownAttemptsMax).join(", ")}${rest}.`
  return new ExecutorError(
    "not_found",
    `No OpenAPI document, GraphQL endpoint or MCP server was found at ${origin}${pathname}.${problems.join("")}${places} Pass the URL of the API's document or endpoint`,
    { tried },
  )
}
