// An MCP server over HTTP written by hand, without session ids: what it says of itself can be changed while it runs, as a redeployment would.
import { createServer } from "node:http"
import type { IncomingMessage } from "node:http"
import { listen } from "./listen.ts"

export type PlainTool = { readonly name: string; readonly description?: string; readonly annotations?: Record<string, unknown> }

export type PlainMcp = {
  readonly url: string
  /** What the next client is told; null: the server has no such capability. */
  tools: readonly PlainTool[] | null
  /** The names of the tools that were called. */
  readonly calls: string[]
  /** How often a conversation began. */
  initialized: number
  close(): Promise<void>
}

export async function startPlainMcp(tools: readonly PlainTool[] | null): Promise<PlainMcp> {
  const calls: string[] = []
  const answer = (method: string, params: Record<string, unknown>): unknown => {
    switch (method) {
      case "initialize":
        server.initialized += 1
        return {
          protocolVersion: "2025-06-18",
          capabilities: server.tools === null ? {} : { tools: {} },
          serverInfo: { name: "plain", version: "1" },
        }
      case "tools/list":
        return { tools: (server.tools ?? []).map((tool) => ({ inputSchema: { type: "object", properties: {} }, ...tool })) }
      case "tools/call":
        calls.push(String(params["name"]))
        return { content: [{ type: "text", text: "done" }] }
      default:
        return null
    }
  }
  const listening = await listen(
    createServer(async (request, response) => {
      if (request.method !== "POST") return void response.writeHead(405).end()
      const { id, method, params = {} } = JSON.parse(await bodyOf(request)) as Message
      if (id === undefined) return void response.writeHead(202).end()
      const result = answer(method, params)
      const outcome = result === null ? { error: { code: -32601, message: "Method not found" } } : { result }
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }))
    }),
  )
  const server: PlainMcp = { url: `${listening.url}/mcp`, tools, calls, initialized: 0, close: listening.close }
  return server
}

type Message = { readonly id?: number; readonly method: string; readonly params?: Record<string, unknown> }

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ""
  for await (const chunk of request) text += String(chunk)
  return text
}
