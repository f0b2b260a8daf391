// What the official conformance suite is run against: the fixture behind Executor, and a proxy that adds the token.
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { pipeline } from "node:stream/promises"
import { request } from "undici"
import { startMcpServer } from "../e2e/mcp-server.ts"
import { listen } from "../servers/listen.ts"
import { startMcpFixture } from "../servers/mcp-fixture.ts"

export type ConformanceHost = {
  /** The pass-through to the fixture. */
  readonly directUrl: string
  /** The host itself. */
  readonly codeUrl: string
  close(): Promise<void>
}

export async function startConformanceHost(): Promise<ConformanceHost> {
  const fixture = await startMcpFixture()
  const server = await startMcpServer()
  await server.call("POST", "/api/integrations", {
    body: { slug: "fixture", kind: "mcp", config: { transport: "http", url: fixture.url } },
  })
  await server.call("POST", "/api/connections", { body: { integration: "fixture" } })
  await server.call("POST", "/api/policies", { body: { owner: "org", pattern: "fixture.**", action: "allow" } })
  const token = await server.agent("native")
  const proxy = await listen(createServer((incoming, outgoing) => void forward(incoming, outgoing, server.url, token)))
  const base = `http://localhost:${proxy.port}`
  return {
    directUrl: `${base}/mcp/direct/fixture`,
    codeUrl: `${base}/mcp`,
    async close() {
      await proxy.close()
      await server.close()
      await fixture.close()
    },
  }
}

/** Host and Origin stay as they came: whether they are refused is a part of the suite. */
async function forward(incoming: IncomingMessage, outgoing: ServerResponse, url: string, token: string): Promise<void> {
  const gone = new AbortController()
  outgoing.once("close", () => gone.abort())
  const { connection: _connection, "transfer-encoding": _encoding, ...headers } = incoming.headers
  try {
    const answer = await request(`${url}${incoming.url ?? "/"}`, {
      method: (incoming.method ?? "GET") as "GET", // whatever came in
      headers: { ...headers, authorization: `Bearer ${token}` },
      body: incoming.method === "GET" || incoming.method === "HEAD" ? null : incoming,
      signal: gone.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    outgoing.writeHead(answer.statusCode, answer.headers)
    outgoing.flushHeaders()
    await pipeline(answer.body, outgoing)
  } catch {
    outgoing.destroy()
  }
}
