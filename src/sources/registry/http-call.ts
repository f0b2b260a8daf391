// Performs an HTTP request that a tool describes: fills its address, sends it, reads the answer into the envelope.
//
// `{name}` in a path or query is filled with one encoded argument. What is not used that way becomes the query of a
// GET or DELETE, and the JSON body of everything else.
import { isRecord } from "../../core/json/record.ts"
import type { Limits } from "../../core/limits.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure, ToolResult } from "../../core/result.ts"
import type { Effect } from "../../core/tool.ts"
import { largeAnswerBytes } from "../../io/answer-turn.ts"
import type { AnswerTurn } from "../../io/answer-turn.ts"
import type { Outbound, OutboundRequest, OutboundResponse } from "../../io/network/outbound.ts"
import { headerText } from "../header-text.ts"
import { sequenceReading } from "../openapi/call/response-events.ts"
import { readResponseInSlices } from "../openapi/call/response-read.ts"
import { encodeName, encodeValue, hasControlCharacters } from "../openapi/call/serialize-encode.ts"
import { contentKind, essenceOf } from "../media-type.ts"
import { readError, readFailure } from "../response-error.ts"
import { textOrNull } from "../response-text.ts"
import { forbiddenHeaderNames } from "../header-names.ts"

export const httpMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

export type HttpSend = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Text is sent as it is, everything else as JSON; undefined: none. */
  readonly body: unknown
}

export type HttpParts = {
  readonly outbound: Outbound
  readonly limits: Limits
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly answerTurn: AnswerTurn
  readonly redirects?: OutboundRequest["redirects"]
}

const effects: Readonly<Record<string, Effect>> = { GET: "read", HEAD: "read", OPTIONS: "read", DELETE: "destroy" }

/** What a request does, by the meaning of its method. */
export const effectOfMethod = (method: string): Effect => effects[method.toUpperCase()] ?? "write"

export async function sendHttp(request: HttpSend, parts: HttpParts): Promise<ToolResult> {
  const { outbound, limits, timeoutMs, signal, answerTurn, redirects } = parts
  const method = request.method.toUpperCase()
  const body = bodyOf(request)
  const answer = await outbound.send({
    method,
    url: request.url,
    headers: { accept: "application/json, text/*;q=0.9, */*;q=0.8", ...body.headers, ...sendable(request.headers) },
    ...(body.content === undefined ? {} : { body: body.content }),
    signal,
    timeoutMs,
    responseBytesMax: limits.responseBytesMax,
    arrive: answerTurn.arrive,
    stream: sequenceReading(limits),
    ...(redirects === undefined ? {} : { redirects }),
  })
  if (!answer.ok) return readFailure(answer, effectOfMethod(method) === "read" ? "read" : "change")
  const elsewhere = redirects === "same_host" && effectOfMethod(method) === "read" ? redirectElsewhere(answer) : null
  if (elsewhere !== null) return elsewhere
  if (answer.bytes.byteLength > largeAnswerBytes) await answerTurn.take()
  if (signal.aborted) return fail("timeout", "The call was stopped before its answer was read")
  return readResponseInSlices(answer, method, limits)
}

/** What was allowed is an address: another host is for the caller to ask for, and for policy to decide. */
export function redirectElsewhere({ status, headers, url }: OutboundResponse): ToolFailure | null {
  const location = URL.parse(headers["location"] ?? "", url)
  if (status < 300 || status >= 400 || headers["location"] === undefined || location === null) return null
  return fail("upstream_error", `It redirects to another host. If you want what is there, call again with the URL ${location.href}`, {
    status,
    details: { location: location.href },
  })
}

export type FetchedPage = {
  readonly ok: true
  readonly kind: "html" | "text" | "other"
  readonly bytes: Uint8Array
  readonly contentType: string
  /** After redirects. */
  readonly url: string
}

/** A page for a reader, undecoded. */
export async function fetchPage(url: string, parts: Omit<HttpParts, "redirects">): Promise<FetchedPage | ToolFailure> {
  const { outbound, limits, timeoutMs, signal, answerTurn } = parts
  const answer = await outbound.send({
    method: "GET",
    url,
    headers: { accept: "text/html, application/xhtml+xml, text/markdown;q=0.9, application/json;q=0.9, text/*;q=0.8, */*;q=0.5" },
    signal,
    timeoutMs,
    responseBytesMax: limits.webPageBytesMax,
    arrive: answerTurn.arrive,
    redirects: "same_host",
  })
  if (!answer.ok) return readFailure(answer, "read")
  const elsewhere = redirectElsewhere(answer)
  if (elsewhere !== null) return elsewhere
  if (answer.status >= 400) return readError(answer, limits)
  const contentType = answer.headers["content-type"] ?? ""
  return { ok: true, kind: pageKind(essenceOf(contentType), answer.bytes), bytes: answer.bytes, contentType, url: answer.url }
}

function pageKind(essence: string, bytes: Uint8Array): FetchedPage["kind"] {
  if (essence === "text/html" || essence === "application/xhtml+xml") return "html"
  if (essence === "") return textOrNull(bytes) === null ? "other" : /^\s*</.test(textOrNull(bytes.subarray(0, 512)) ?? "") ? "html" : "text"
  const kind = contentKind(essence)
  return kind === "binary" || kind === "multipart" ? "other" : "text"
}

function bodyOf({ body, headers }: HttpSend): { readonly content?: string; readonly headers: Record<string, string> } {
  if (body === undefined) return { headers: {} }
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === "content-type")
  if (typeof body === "string") return { content: body, headers: isTyped ? {} : { "content-type": "text/plain; charset=utf-8" } }
  return { content: JSON.stringify(body), headers: isTyped ? {} : { "content-type": "application/json" } }
}

const sendable = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), headerText(value)]))

export type FilledRequest = { readonly url: string; readonly body: unknown }

/** `query`: what the config adds; an argument of the same name does not change it. */
export function fillRequest(
  template: { readonly method: string; readonly url: string; readonly query: Readonly<Record<string, unknown>> },
  args: Readonly<Record<string, unknown>>,
): FilledRequest | ToolFailure {
  const used = new Set<string>()
  let problem: ToolFailure | null = null
  const pathEnd = /[?#]|$/.exec(template.url)?.index ?? 0
  const url = template.url.replaceAll(/\{([^{}]*)\}/g, (_, name: string, at: number) => {
    used.add(name)
    const value = Object.hasOwn(args, name) ? args[name] : undefined
    const text = scalarText(value)
    problem ??= text === null ? badValue(name, "must be a text, number or boolean") : at < pathEnd ? segmentProblem(name, text) : null
    return encodeValue(text ?? "")
  })
  if (problem !== null) return problem
  const rest = Object.entries(args).filter(([name, value]) => !used.has(name) && value !== undefined)
  const sendsQuery = ["GET", "HEAD", "DELETE", "OPTIONS"].includes(template.method.toUpperCase())
  const given = sendsQuery ? rest.filter(([name]) => !Object.hasOwn(template.query, name)) : []
  return {
    url: withQuery(url, [...Object.entries(template.query), ...given]),
    body: sendsQuery || rest.length === 0 ? undefined : Object.fromEntries(rest),
  }
}

/** Lists are repeated, objects travel as JSON. */
export function withQuery(url: string, query: readonly (readonly [string, unknown])[]): string {
  const pairs = query.flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value])
      .filter((item) => item !== null && item !== undefined)
      .map((item) => `${encodeName(name)}=${encodeValue(scalarText(item) ?? JSON.stringify(item))}`),
  )
  if (pairs.length === 0) return url
  const [base = "", ...fragment] = url.split("#")
  const joined = `${base}${base.includes("?") ? (/[?&]$/.test(base) ? "" : "&") : "?"}${pairs.join("&")}`
  return [joined, ...fragment].join("#")
}

const scalarText = (value: unknown): string | null =>
  typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? String(value) : null

/** A value must stay the one segment that it stands for, also for a server that decodes it once more. */
function segmentProblem(name: string, text: string): ToolFailure | null {
  if (text === "") return badValue(name, "must not be empty")
  const plain = text.replaceAll(/%2e/gi, ".").replaceAll(/%(?:2f|5c)/gi, "/")
  return plain.split(/[/\\]/).some((part) => part === "." || part === "..") ? badValue(name, "must not be or contain '.' or '..'") : null
}

const badValue = (name: string, reason: string): ToolFailure => {
  const message = `The argument '${name}', which is a part of the URL, ${reason}`
  return fail("invalid_arguments", message, { details: { issues: [{ path: name, code: "invalid_value", message }] } })
}

/** Headers as a caller gives them in arguments: what they may not set is refused. */
export function checkHeaderArguments(headers: unknown): { readonly ok: true; readonly headers: Record<string, string> } | ToolFailure {
  const checked: Record<string, string> = {}
  for (const [name, value] of Object.entries(isRecord(headers) ? headers : {})) {
    const problem = headerProblem(name, value)
    if (problem !== null)
      return fail("invalid_arguments", problem, {
        details: { issues: [{ path: `headers.${name.slice(0, 80)}`, code: "invalid_value", message: problem }] },
      })
    checked[name.toLowerCase()] = String(value)
  }
  return { ok: true, headers: checked }
}

function headerProblem(name: string, value: unknown): string | null {
  const lower = name.toLowerCase()
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(lower)) return `'${name.slice(0, 80)}' is not the name of a header`
  if (forbiddenHeaderNames.has(lower) || lower.startsWith("proxy-"))
    return `An argument may not set the header '${name.slice(0, 80)}'; credentials belong into a connection, or into a registry tool's own headers`
  if (typeof value !== "string") return `The header '${name}' must be a text`
  return hasControlCharacters(value) ? `The header '${name}' must not hold control characters` : null
}
