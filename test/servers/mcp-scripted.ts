// An MCP server over HTTP that answers each method as a test says, also as no honest server would, with a ledger of what it was asked.
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { setTimeout } from "node:timers/promises"
import { listen } from "./listen.ts"

export type ScriptedRequest = { readonly method: string; readonly params: Readonly<Record<string, unknown>>; readonly id: unknown }

/** `silence`: no answer at all. */
export const silence = Symbol("silence")

/** A result as text, for one that cannot be written by a library. */
export class RawResult {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type ScriptedOptions = {
  /** The result of a request; undefined: the server does not know the method. */
  answer(request: ScriptedRequest): unknown
  readonly capabilities?: Readonly<Record<string, unknown>>
  /** How long every answer takes. */
  readonly latencyMs?: number
}

export type ScriptedMcp = {
  readonly url: string
  readonly requests: ScriptedRequest[]
  /** The headers of the requests, in the same order. */
  readonly headers: IncomingMessage["headers"][]
  countOf(method: string): number
  /** Resolves when the method was asked for so often. */
  asked(method: string, times?: number): Promise<ScriptedRequest>
  /** The sessions that clients have are answered with 404 from now on. */
  forgetSessions(): void
  close(): Promise<void>
}

export async function startScriptedMcp(options: ScriptedOptions): Promise<ScriptedMcp> {
  const requests: ScriptedRequest[] = []
  const headers: IncomingMessage["headers"][] = []
  let sessions = new Set<string>()
  let waiting: (() => void)[] = []

  const resultOf = async (request: ScriptedRequest): Promise<unknown> => {
    if (request.method !== "initialize") return options.answer(request)
    return {
      protocolVersion: "2025-06-18",
      capabilities: options.capabilities ?? { tools: {}, resources: {} },
      serverInfo: { name: "scripted", version: "1" },
    }
  }
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (incoming.method === "DELETE") return void response.writeHead(204).end()
    if (incoming.method !== "POST") return void response.writeHead(405).end()
    let text = ""
    for await (const chunk of incoming) text += String(chunk)
    const { id, method, params = {} } = JSON.parse(text) as Partial<ScriptedRequest> & { readonly method: string } // what a client sends
    const session = incoming.headers["mcp-session-id"]
    if (typeof session === "string" && !sessions.has(session)) return void response.writeHead(404).end("Unknown session")
    const request = { method, params, id }
    requests.push(request)
    headers.push(incoming.headers)
    for (const wake of waiting.splice(0)) wake()
    if (id === undefined) return void response.writeHead(202).end()
    if (options.latencyMs !== undefined) await setTimeout(options.latencyMs)
    const result = await resultOf(request)
    if (result === silence) return
    const made = method === "initialize" ? { "mcp-session-id": crypto.randomUUID() } : {}
    if (made["mcp-session-id"] !== undefined) sessions.add(made["mcp-session-id"])
    response.writeHead(200, { "content-type": "application/json", ...made }).end(messageOf(id, result))
  }

  const listening = await listen(createServer((request, response) => void handle(request, response).catch(() => response.destroy())))
  const countOf = (method: string): number => requests.filter((one) => one.method === method).length
  return {
    url: `${listening.url}/mcp`,
    requests,
    headers,
    countOf,
    async asked(method, times = 1) {
      while (countOf(method) < times) await new Promise<void>((resolve) => waiting.push(resolve))
      const found = requests.filter((one) => one.method === method)[times - 1]
      if (found === undefined) throw new Error("It was counted")
      return found
    },
    forgetSessions: () => void (sessions = new Set()),
    async close() {
      waiting = []
      await listening.close()
    },
  }
}

function messageOf(id: unknown, result: unknown): string {
  if (result instanceof RawResult) return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result.text}}`
  const outcome = result === undefined ? { error: { code: -32601, message: "Method not found" } } : { result }
  return JSON.stringify({ jsonrpc: "2.0", id, ...outcome })
}

/** A tool as a server lists it. */
export const plainTool = (name: string, more: Readonly<Record<string, unknown>> = {}) => ({
  name,
  inputSchema: { type: "object", properties: {} },
  ...more,
})

export const textResult = (text: string) => ({ content: [{ type: "text", text }] })
