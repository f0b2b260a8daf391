// Detects whether an MCP server is at a URL, by greeting it as an older client would: every server responds to that.
import type { AuthOption } from "../../core/auth.ts"
import type { OutboundResponse } from "../../io/network/outbound.ts"
import { splitUserInfo } from "../../io/network/user-info.ts"
import { controlPlace } from "../detect-control.ts"
import { boundedText, isObject, objectAt, textAt } from "../document-value.ts"
import type { JsonObject } from "../document-value.ts"
import type { DetectRequest, Detected } from "../source-adapter.ts"

const greeting = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "executor", version: "1" } },
}
/** Where servers usually are, when only a host is given. */
const usualPlaces = ["/mcp", "/sse"]
const answerBytesMax = 1024 * 1024
const idleMs = 5000

export async function detectMcp(request: DetectRequest): Promise<Detected | null> {
  const { pathname } = new URL(request.url)
  const places = pathname === "/" ? [request.url, ...usualPlaces.map((path) => new URL(path, request.url).href)] : [request.url]
  for (const url of places) {
    const found = await detectAt(url, request)
    if (found !== null) return found
  }
  return null
}

async function detectAt(url: string, request: DetectRequest): Promise<Detected | null> {
  const greeted = await ask(url, "POST", request)
  if (greeted === null) return null
  const message = messageIn(greeted)
  if (message !== null && isWelcome(message)) return describe(url, message, [], "answer")
  if (message !== null && isComplaint(message, greeted, url === request.url && isNamedSo(url))) return describe(url, {}, [], "hint")
  if (greeted.status === 401) return (await isProtected(greeted, url, request)) ? describe(url, {}, authOf(greeted), "hint") : null
  if (greeted.status < 400) return null
  const streamed = await ask(url, "GET", request)
  return streamed !== null && isLegacyStream(streamed) ? describe(url, {}, [], "answer") : null
}

const isWelcome = (message: JsonObject): boolean => textAt(objectAt(message, "result") ?? {}, "protocolVersion") !== null

/** Whatever speaks JSON-RPC answers an unknown method with an error; a server of MCP complains of what it knows. */
function isComplaint(message: JsonObject, { headers }: OutboundResponse, isSaid: boolean): boolean {
  const error = objectAt(message, "error")
  if (error === null) return false
  if (isSaid || Object.keys(headers).some((name) => name.startsWith("mcp-"))) return true
  return /\bmcp\b|protocol ?version|\bsession\b/i.test(textAt(error, "message") ?? "")
}

const isNamedSo = (url: string): boolean => /\/(mcp|sse)\/?$/.test(new URL(url).pathname)

async function ask(url: string, method: "POST" | "GET", { outbound, limits, signal }: DetectRequest): Promise<OutboundResponse | null> {
  const { url: plain, authorization } = splitUserInfo(new URL(url))
  const answer = await outbound.send({
    method,
    url: plain.href,
    headers: {
      accept: method === "GET" ? "text/event-stream" : "application/json, text/event-stream",
      ...(authorization === null ? {} : { authorization }),
      ...(method === "POST" ? { "content-type": "application/json" } : {}),
    },
    ...(method === "POST" ? { body: JSON.stringify(greeting) } : {}),
    timeoutMs: Math.min(limits.callTimeoutMs, 15_000),
    responseBytesMax: answerBytesMax,
    signal,
    stream: { appliesTo: (type) => type.includes("text/event-stream"), idleMs, isEnough: (chunk) => Buffer.from(chunk).includes("\n\n") },
  })
  return answer.ok ? answer : null
}

/** The JSON-RPC message of the answer, in a body or in an event. */
function messageIn({ bytes, headers }: OutboundResponse): JsonObject | null {
  const text = Buffer.from(bytes).toString("utf8")
  const isStream = (headers["content-type"] ?? "").includes("text/event-stream")
  const texts = isStream ? [...text.matchAll(/^data: ?(.+)$/gm)].map((match) => match[1] ?? "") : [text]
  for (const one of texts) {
    const message = parse(one)
    if (message !== null && textAt(message, "jsonrpc") === "2.0") return message
  }
  return null
}

function parse(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

const isLegacyStream = ({ status, headers, bytes }: OutboundResponse): boolean =>
  status === 200 &&
  (headers["content-type"] ?? "").includes("text/event-stream") &&
  /^event: ?endpoint$/m.test(Buffer.from(bytes).toString("utf8"))

/**
 * Anything may want authorization. A server of MCP says where its metadata is; one that does not must be at a place with the
 * name. Where we guessed the place, or nothing but its name speaks for it, another place must answer differently.
 */
async function isProtected({ headers, status }: OutboundResponse, url: string, request: DetectRequest): Promise<boolean> {
  const challenge = headers["www-authenticate"] ?? ""
  const saysWhere = /^bearer\b/i.test(challenge) && challenge.includes("resource_metadata")
  if (saysWhere && url === request.url) return true
  if (!saysWhere && !isNamedSo(url)) return false
  const control = await ask(controlPlace(url), "POST", request)
  return control !== null && control.status !== status
}

function authOf({ headers }: OutboundResponse): AuthOption[] {
  const challenge = headers["www-authenticate"] ?? ""
  const placements = [{ in: "header", name: "Authorization", value: "Bearer ${token}" }] as const
  const option = (template: "oauth2" | "bearer", name: string, description: string): AuthOption => ({
    template,
    name,
    description,
    values: ["token"],
    placements,
  })
  const bearer = option("bearer", "token", "The server requires a bearer token")
  const metadata = /resource_metadata="?([^",\s]+)/.exec(challenge)?.[1]
  return metadata === undefined
    ? [bearer]
    : [option("oauth2", "oauth", "The server requires OAuth and names its authorization server"), bearer]
}

function describe(url: string, message: JsonObject, auth: readonly AuthOption[], proof: Detected["proof"]): Detected {
  const server = objectAt(objectAt(message, "result") ?? {}, "serverInfo") ?? {}
  return {
    config: { transport: "http", url },
    proof,
    facts: {
      title: boundedText(textAt(server, "title") ?? textAt(server, "name"), 200),
      version: boundedText(textAt(server, "version"), 200),
      description: "",
      origins: [new URL(url).origin],
      auth,
      warnings: [],
      toolCount: 0,
    },
  }
}
