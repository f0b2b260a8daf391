// One request of the client: how it is written, and how every way of failing becomes an `ExecutorError`.
import type { ErrorCode } from "../../core/errors.ts"
import { ExecutorError, errorTable } from "../../core/errors.ts"
import { certificateProblem } from "../../core/text/certificate-problem.ts"
import { readEvents } from "./event-reader.ts"
import type { ServerEvent } from "./event-reader.ts"

export type Fetch = typeof globalThis.fetch
export type Query = Readonly<Record<string, string | number | boolean | undefined>>
type Content = {
  readonly query?: Query
  readonly body?: unknown
  readonly signal?: AbortSignal
  /** A field that every such answer of an Executor has: another server may well answer 200 with JSON of its own. */
  readonly holds?: string
  readonly headers?: Readonly<Record<string, string>>
}
export type Transport = {
  send<T>(method: string, path: string, content?: Content): Promise<T>
  /** The server-sent events at this path, until the server or the signal ends them. */
  stream(path: string, signal?: AbortSignal, headers?: Readonly<Record<string, string>>): AsyncGenerator<ServerEvent>
  /** A long text in pieces, as it arrives. */
  text(path: string, content: Pick<Content, "query" | "signal">): AsyncGenerator<string>
}

type TransportOptions = ClientCredential & { readonly origin: string; readonly fetch?: Fetch }

/** Who the requests come from: whoever has a token, or the person who is signed in to this browser. */
export type ClientCredential =
  | { readonly token: string }
  /** In a page of the server itself: the key of the browser's session, read for each request; the browser adds the cookie. */
  | { readonly sessionKey: () => string }

export function createTransport(options: TransportOptions): Transport {
  const origin = checkOrigin(options.origin)
  const request = options.fetch ?? globalThis.fetch
  const credential = (): Record<string, string> =>
    "token" in options ? { authorization: `Bearer ${options.token}` } : { "x-executor-session-key": options.sessionKey() }

  const open = async (method: string, path: string, accept: string, content: Content): Promise<Response> => {
    const { query = {}, body, signal } = content
    const hasBody = body !== undefined
    const headers = { ...content.headers, ...credential(), accept, ...(hasBody ? { "content-type": "application/json" } : {}) }
    const init = { method, headers, redirect: "error", ...(hasBody ? { body: JSON.stringify(body) } : {}) } as const
    const response = await request(`${origin}${path}${queryText(query)}`, signal === undefined ? init : { ...init, signal }).catch(
      (error: unknown) => {
        if (signal?.aborted === true) throw signal.reason
        const problem = certificateProblem(error)
        const message =
          problem === null
            ? `No server is responding at ${origin}; start one with 'executor serve'`
            : `The server at ${origin} cannot be trusted: ${problem}`
        throw new ExecutorError("upstream_unreachable", message, { reason: reasonOf(error) })
      },
    )
    if (!response.ok) throw answerError(await readAnswer(response, origin), response.status, origin, response.headers.get("x-request-id"))
    return response
  }

  return {
    async send<T>(method: string, path: string, content: Content = {}): Promise<T> {
      const response = await open(method, path, "application/json", content)
      if (response.status === 204) return undefined as T // documented for what answers nothing
      const answer = await readAnswer(response, origin)
      if (!isAnswer(answer, content.holds)) throw strangeAnswer(answer, `${method} ${origin}${path}`, content.holds)
      return answer as T // the server validates and documents what it answers
    },
    async *stream(path, signal, headers = {}) {
      const response = await open("GET", path, eventStreamType, signal === undefined ? { headers } : { headers, signal })
      if (response.body === null || response.headers.get("content-type")?.startsWith(eventStreamType) !== true)
        throw new ExecutorError("internal", `The server at ${origin} is not an Executor API: status ${response.status} without events`)
      yield* readEvents(response.body)
    },
    async *text(path, content) {
      const { body } = await open("GET", path, "*/*", content)
      try {
        if (body !== null) for await (const piece of body.pipeThrough(new TextDecoderStream())) yield piece
      } catch (error) {
        if (content.signal?.aborted === true) throw content.signal.reason
        throw new ExecutorError("upstream_unreachable", `${origin} broke off in the middle of its answer; try again`, {
          reason: reasonOf(error),
        })
      }
    },
  }
}

const eventStreamType = "text/event-stream"

/** A segment must not change which path is meant: URL parsers resolve `.` and `..`, also encoded. */
export function pathTo(...segments: readonly string[]): string {
  for (const segment of segments) {
    if (segment === "" || /^(?:\.|%2e){1,2}$/i.test(segment))
      throw new ExecutorError("invalid_request", `${JSON.stringify(segment)} is not a name`)
  }
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join("")
}

function checkOrigin(origin: string): string {
  if (URL.canParse(origin) && /^https?:$/.test(new URL(origin).protocol)) return origin.replace(/\/+$/, "")
  throw new ExecutorError(
    "invalid_request",
    `The origin must be an http or https URL such as http://127.0.0.1:4788/api, not ${JSON.stringify(origin)}`,
  )
}

function queryText(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
  return given.length === 0 ? "" : `?${given.join("&")}`
}

async function readAnswer(response: Response, origin: string): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    throw new ExecutorError("internal", `The server at ${origin} is not an Executor API: status ${response.status} without JSON`)
  }
}

const isAnswer = (answer: unknown, holds: string | undefined): boolean =>
  typeof answer === "object" && answer !== null && (holds === undefined || holds in answer)

function strangeAnswer(answer: unknown, request: string, holds: string | undefined): ExecutorError {
  const seen = JSON.stringify(answer).slice(0, 80)
  const missing = holds === undefined ? "is not an object" : `has no '${holds}'`
  return new ExecutorError(
    "internal",
    `The response to ${request} is not from an Executor API: its JSON ${missing} (${seen}); the origin must be a server's address followed by /api, such as http://127.0.0.1:4788/api`,
  )
}

export function answerError(answer: unknown, status: number, origin: string, requestId: string | null = null): ExecutorError {
  const { code, message, details } = (answer as { error?: { code?: unknown; message?: unknown; details?: unknown } } | null)?.error ?? {} // read as unknown below
  if (typeof code !== "string" || typeof message !== "string")
    return new ExecutorError("internal", `${origin} answered ${status} without a reason`, answer, requestId)
  return isErrorCode(code)
    ? new ExecutorError(code, message, details, requestId)
    : new ExecutorError("internal", message, { code, details }, requestId)
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTable, code)

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
