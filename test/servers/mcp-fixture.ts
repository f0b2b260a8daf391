// A real MCP server of every revision, with all that the official conformance suite asks of one and a ledger of what it saw.
import { createServer } from "node:http"
import { getRequestListener } from "@hono/node-server"
import {
  McpServer,
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  createRequestStateCodec,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server"
import type { McpHttpHandler, RequestStateCodec } from "@modelcontextprotocol/server"
import { listen } from "./listen.ts"
import { registerContent } from "./mcp-fixture-content.ts"
import { registerRounds } from "./mcp-fixture-rounds.ts"
import { registerTools } from "./mcp-fixture-tools.ts"

/** What happened, whatever the caller believes. */
export type FixtureLedger = {
  /** Sessions that older clients opened. */
  sessions: number
  /** HTTP methods with the headers they came with. */
  readonly requests: { readonly method: string; readonly headers: Readonly<Record<string, string>> }[]
  readonly calls: string[]
  readonly cancelled: string[]
}

/** What the server makes of its tools; a test changes it while the server runs. */
export type FixtureMood = { description: string; isReadOnly: boolean; extraTool: boolean }

export type FixtureState = {
  readonly ledger: FixtureLedger
  readonly mood: FixtureMood
  readonly codec: RequestStateCodec<Record<string, unknown>>
  /** Servers that last take up the mood when this is called. */
  readonly moodSwings: Set<() => void>
  /** Tells everybody who listens. */
  toolsChanged(): void
  promptsChanged(): void
}

export type McpFixture = FixtureState & {
  readonly url: string
  readonly port: number
  /** Forgets the sessions of older clients, as a restart would. */
  forgetSessions(): void
  close(): Promise<void>
}

export type FixtureOptions = {
  /** Which clients it serves; a modern one refuses the others. */
  readonly revisions?: "all" | "legacy"
  /** Refuses whoever does not bring it. */
  readonly token?: string
}

/** `lasting`: for a session, or for a single request. */
export function buildFixture(state: FixtureState, life: "lasting" | "short"): McpServer {
  const server = new McpServer(
    { name: "fixture", title: "The fixture", version: "1.0.0" },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        logging: {},
        completions: {},
      },
      instructions: "A server to test against.",
      requestState: { verify: state.codec.verify },
    },
  )
  const swing = registerTools(server, state)
  if (life === "lasting") state.moodSwings.add(swing)
  registerRounds(server, state)
  registerContent(server)
  return server
}

export const newFixtureState = (told: Pick<FixtureState, "toolsChanged" | "promptsChanged">): FixtureState => ({
  ledger: { sessions: 0, requests: [], calls: [], cancelled: [] },
  mood: { description: "Reads the weather.", isReadOnly: true, extraTool: false },
  moodSwings: new Set(),
  codec: createRequestStateCodec({ key: "k".repeat(32), ttlSeconds: 3600 }),
  ...told,
})

export async function startMcpFixture(options: FixtureOptions = {}): Promise<McpFixture> {
  const sessions = new Map<string, { readonly transport: WebStandardStreamableHTTPServerTransport; readonly server: McpServer }>()
  const state = newFixtureState({
    toolsChanged() {
      modern.notify.toolsChanged()
      for (const swing of state.moodSwings) swing()
    },
    promptsChanged: () => modern.notify.promptsChanged(),
  })
  const modern: McpHttpHandler = createMcpHandler(() => buildFixture(state, "short"), { legacy: "reject" })

  const legacy = async (request: Request): Promise<Response> => {
    const id = request.headers.get("mcp-session-id")
    const known = id === null ? undefined : sessions.get(id)
    if (known !== undefined) return known.transport.handleRequest(request)
    if (id !== null) return new Response("Unknown session", { status: 404 })
    if (request.method !== "POST") return new Response(null, { status: 405 })
    const server = buildFixture(state, "lasting")
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (made) => {
        state.ledger.sessions += 1
        sessions.set(made, { transport, server })
      },
      onsessionclosed: (gone) => void sessions.delete(gone),
    })
    await server.connect(transport)
    return transport.handleRequest(request)
  }

  const handle = async (request: Request): Promise<Response> => {
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ?? originValidationResponse(request, localhostAllowedOrigins())
    if (refused !== undefined) return refused
    state.ledger.requests.push({ method: request.method, headers: Object.fromEntries(request.headers) })
    if (new URL(request.url).pathname !== "/mcp") return new Response(null, { status: 404 })
    if (options.token !== undefined && request.headers.get("authorization") !== `Bearer ${options.token}`)
      return new Response(null, { status: 401, headers: { "www-authenticate": 'Bearer resource_metadata="http://localhost/metadata"' } })
    if (options.revisions === "legacy") return legacy(request)
    return (await isLegacyRequest(request)) ? legacy(request) : modern.fetch(request)
  }

  const listening = await listen(createServer((request, response) => void getRequestListener(handle)(request, response)))
  return {
    ...state,
    url: `${listening.url}/mcp`,
    port: listening.port,
    forgetSessions: () => sessions.clear(),
    async close() {
      await modern.close()
      for (const { transport } of sessions.values()) await transport.close()
      await listening.close()
    },
  }
}
