// Calls one tool of an MCP server whose address a tool names: `tools/call` by JSON-RPC over streamable HTTP.
//
// The call is sent at once, because many servers know this method alone. One that wants a session first refuses it
// without having done anything; then a session is opened for this call, and ended after it.
import { isCallToolResult } from "@modelcontextprotocol/client"
import { noCredential } from "../../core/auth.ts"
import { isRecord } from "../../core/json/record.ts"
import type { Limits } from "../../core/limits.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure, ToolResult } from "../../core/result.ts"
import type { AnswerTurn } from "../../io/answer-turn.ts"
import { largeAnswerBytes } from "../../io/answer-turn.ts"
import { newId } from "../../io/ids.ts"
import type { Log } from "../../io/log.ts"
import type { Outbound, OutboundResponse, StreamReading } from "../../io/network/outbound.ts"
import { essenceOf } from "../media-type.ts"
import { toFailure } from "../mcp/failure.ts"
import { readToolResult } from "../mcp/result-read.ts"
import { openSession } from "../mcp/session/open.ts"
import type { Session } from "../mcp/session/session.ts"
import { atOnce } from "../../io/time-slices.ts"
import { parseSequence } from "../openapi/call/response-events.ts"
import { readError, readFailure } from "../response-error.ts"
import { decodeText, parseLoose } from "../response-text.ts"

export type McpCall = McpRequest & { readonly toolName: string; readonly args: Record<string, unknown> }

/** What every request to a server needs. */
export type McpRequest = {
  readonly serverUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly outbound: Outbound
  readonly limits: Limits
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly answerTurn: AnswerTurn
  readonly version: string
  readonly log: Log
  /** Takes secrets out of what the server says. */
  redact(text: string): string
}

const revision = "2025-06-18"

export async function callMcpServer(call: McpCall): Promise<ToolResult> {
  const deadlineMs = performance.now() + call.timeoutMs
  const asked = await askMcpServer(call, "tools/call", { name: call.toolName, arguments: call.args })
  if (!asked.ok) return readFailure(asked, "change")
  const { answer, message } = asked
  if (wantsSession(answer, message)) return callInSession(call, Math.max(1, Math.ceil(deadlineMs - performance.now())))
  return message === null ? unreadable(answer, call.limits) : resultOf(message, call.limits)
}

type AskedServer =
  | { readonly ok: true; readonly answer: OutboundResponse; readonly message: RpcMessage | null }
  | Extract<Awaited<ReturnType<Outbound["send"]>>, { readonly ok: false }>

/** Without a session; `message` is null where the answer is none of MCP. */
export async function askMcpServer(request: McpRequest, method: string, params: Record<string, unknown>): Promise<AskedServer> {
  const id = newId("rpc")
  const answer = await request.outbound.send({
    method: "POST",
    url: request.serverUrl,
    headers: {
      ...request.headers,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": revision,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    signal: request.signal,
    timeoutMs: request.timeoutMs,
    responseBytesMax: request.limits.responseBytesMax,
    arrive: request.answerTurn.arrive,
    stream: untilAnswer(id, request.limits),
  })
  if (!answer.ok) return answer
  if (answer.bytes.byteLength > largeAnswerBytes) await request.answerTurn.take()
  return { ok: true, answer, message: messageOf(answer, id) }
}

/** The stream of an answer may stay open after it. */
function untilAnswer(id: string, limits: Limits): StreamReading {
  const decoder = new TextDecoder()
  let tail = ""
  let hasAnswer = false
  return {
    appliesTo: (contentType) => essenceOf(contentType) === "text/event-stream",
    idleMs: limits.callTimeoutMs,
    isEnough(chunk) {
      tail = (tail + decoder.decode(chunk, { stream: true })).slice(-tailCharsMax)
      hasAnswer ||= tail.includes(id)
      // The event that names the request ends with a blank line.
      return hasAnswer && /\n\r?\n\s*$/.test(tail)
    },
  }
}

const tailCharsMax = 64 * 1024

type RpcMessage = { readonly result?: unknown; readonly error?: unknown }

/** The answer to our request; null where there is none. */
function messageOf({ bytes, headers }: OutboundResponse, id: string): RpcMessage | null {
  const contentType = headers["content-type"] ?? ""
  const text = decodeText(bytes, contentType)
  const messages =
    essenceOf(contentType) === "text/event-stream"
      ? atOnce(parseSequence("events", text, true, eventsMax)).map((event) => (isRecord(event) ? event["data"] : null))
      : [parseLoose(text)]
  const found = messages.find((one) => isRecord(one) && (one["id"] === id || one["id"] === null) && ("result" in one || "error" in one))
  return isRecord(found) ? found : null
}

const eventsMax = 10_000

/** How servers say that they know nobody without a session. Whoever says so has not called the tool. */
export function wantsSession({ status }: OutboundResponse, message: RpcMessage | null): boolean {
  if (message !== null && "result" in message) return false
  const { code, message: said } = isRecord(message?.error) ? message.error : {}
  if (code === methodNotFound || code === invalidParams) return false
  return (
    status === 400 || status === 404 || status === 406 || (status < 300 && typeof said === "string" && /initiali[sz]|session/i.test(said))
  )
}

const methodNotFound = -32601
const invalidParams = -32602

function resultOf(message: RpcMessage, limits: Limits): ToolResult {
  if (message.error !== undefined) return rpcFailure(message.error, limits)
  const result = withContent(message.result)
  if (isCallToolResult(result)) return readToolResult(result, limits)
  return fail("upstream_error", "The server's answer to tools/call is no result of a tool as MCP describes it")
}

/** Servers with structured content sometimes leave the other one out. */
const withContent = (result: unknown): unknown =>
  isRecord(result) && result["content"] === undefined ? { ...result, content: [] } : result

function rpcFailure(error: unknown, limits: Limits): ToolFailure {
  const { code, message, data } = isRecord(error) ? error : {}
  const text = typeof message === "string" && message.trim() !== "" ? message : "The server answered with an error"
  const isSmall = data !== undefined && JSON.stringify(data).length <= limits.errorDetailsBytesMax
  return fail("upstream_error", text.slice(0, messageCharsMax), { details: { code, ...(isSmall ? { data } : {}) } })
}

const messageCharsMax = 1000

function unreadable(answer: OutboundResponse, limits: Limits): ToolFailure {
  if (answer.status === 401) return fail("auth_required", "The server requires authorization", { status: 401 })
  if (answer.status >= 400) return readError(answer, limits)
  if (answer.status >= 300)
    return fail("upstream_error", "The server redirects to another address, which is not followed; use that address", {
      status: answer.status,
      details: { location: answer.headers["location"] ?? null },
    })
  return fail("upstream_error", "The server's answer is no JSON-RPC message; is this the address of an MCP server?", {
    status: answer.status,
  })
}

async function callInSession(call: McpCall, timeoutMs: number): Promise<ToolResult> {
  const { toolName, args, limits, redact } = call
  const startedAtMs = performance.now()
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(timeoutMs)])
  try {
    return await inSession(call, timeoutMs, async ({ client }) =>
      readToolResult(await client.callTool({ name: toolName, arguments: args }, { signal, timeout: timeoutMs }), limits),
    )
  } catch (error) {
    return toFailure(error, { startedAtMs, isRead: false, ending: null, isCancelled: call.signal.aborted, redact })
  }
}

/** Opens a session for this work, and ends it after that. */
export async function inSession<T>(request: McpRequest, timeoutMs: number, work: (session: Session) => Promise<T>): Promise<T> {
  const { serverUrl, headers, outbound, limits, log, redact, version } = request
  const config = { transport: "http", url: serverUrl, headers, timeoutSeconds: null } as const
  const opening = { ...limits, mcpServerStartMs: Math.min(limits.mcpServerStartMs, timeoutMs) }
  const target = { label: "mcp-call", config, credential: noCredential, outbound, limits: opening, log, redact }
  const events = { onToolsChanged() {}, onNotice() {}, onToolsAsk() {} }
  const { session } = await openSession(target, null, events, version)
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}
