// Sessions of clients that speak an older revision: bounded in number, ended when nobody uses them, each one token's own.
//
// Such clients leave without a word, so a session ends when it was idle for long, or when room is needed: then the one
// that was not used for longest makes way, of the same token first. One with a request or stream open is in use.
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server"
import type { Server } from "@modelcontextprotocol/server"
import { ExecutorError } from "../../core/errors.ts"
import type { Limits } from "../../core/limits.ts"
import { systemClock } from "../../io/clock.ts"
import { newSecret } from "../../io/ids.ts"
import type { Log } from "../../io/log.ts"
import { refusal } from "./refusal.ts"
import { ownerOf, toAuthInfo } from "./request-principal.ts"
import type { Asker } from "./request-principal.ts"
import { whenDone } from "./response-end.ts"

type McpSession = {
  readonly owner: string
  readonly asker: Asker
  readonly server: Server
  readonly transport: WebStandardStreamableHTTPServerTransport
  usedMs: number
  open: number
}

export type SessionTable = {
  /** `parsedBody`: of a request whose body was read already. */
  handle(request: Request, asker: Asker, parsedBody?: unknown): Promise<Response>
  /** The servers of these askers' sessions. */
  servers(fits: (asker: Asker) => boolean): readonly Server[]
  /** Ends the sessions of these askers, with their streams. */
  end(fits: (asker: Asker) => boolean): void
  readonly size: number
  close(): Promise<void>
}

export type SessionTableParts = { build(asker: Asker): Promise<Server>; readonly limits: Limits; readonly log: Log }

const sweepMs = 30_000

export function createSessionTable(parts: SessionTableParts): SessionTable {
  const { limits } = parts
  const sessions = new Map<string, McpSession>()

  const end = (id: string): void => {
    const session = sessions.get(id)
    if (session === undefined || !sessions.delete(id)) return
    session.server.close().catch((error: unknown) => parts.log.debug({ error: String(error) }, "An MCP session did not end cleanly"))
  }
  const sweep = setInterval(() => {
    const oldestMs = systemClock.monotonicMs() - limits.mcpSessionIdleMs
    for (const [id, session] of sessions) if (session.open === 0 && session.usedMs < oldestMs) end(id)
  }, sweepMs).unref()

  /** The map keeps the order of use. */
  const makeRoom = (owner: string): void => {
    const own = [...sessions].filter(([, session]) => session.owner === owner)
    const isFull = own.length >= limits.mcpSessionsPerPrincipalMax
    if (!isFull && sessions.size < limits.mcpSessionsMax) return
    const idle = (isFull ? own : [...sessions]).find(([, session]) => session.open === 0)
    if (idle === undefined) throw new ExecutorError("rate_limited", "Too many MCP sessions are in use; end one, or try again later")
    end(idle[0])
  }

  const use = async (session: McpSession, request: Request, asker: Asker, parsedBody: unknown): Promise<Response> => {
    session.open += 1
    const done = (): void => {
      session.open -= 1
      session.usedMs = systemClock.monotonicMs()
    }
    try {
      return whenDone(await session.transport.handleRequest(request, { authInfo: toAuthInfo(asker), parsedBody }), done)
    } catch (error) {
      done()
      throw error
    }
  }

  const begin = async (request: Request, asker: Asker, parsedBody: unknown): Promise<Response> => {
    const owner = ownerOf(asker.principal)
    makeRoom(owner)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => newSecret("mcs"),
      onsessioninitialized: (id) => void sessions.set(id, session),
      onsessionclosed: end,
    })
    const server = await parts.build(asker)
    const session: McpSession = { owner, asker, server, transport, usedMs: systemClock.monotonicMs(), open: 0 }
    await server.connect(transport)
    const response = await use(session, request, asker, parsedBody)
    // Anything but an `initialize` opens no session, and leaves nothing behind.
    if (transport.sessionId === undefined) await server.close()
    return response
  }

  return {
    async handle(request, asker, parsedBody) {
      const id = request.headers.get("mcp-session-id")
      if (id === null) return request.method === "POST" ? begin(request, asker, parsedBody) : noSuchMethod()
      const session = sessions.get(id)
      if (session === undefined || session.owner !== ownerOf(asker.principal)) return noSuchSession()
      sessions.delete(id)
      sessions.set(id, session)
      return use(session, request, asker, parsedBody)
    },
    servers: (fits) => [...sessions.values()].filter((session) => fits(session.asker)).map((session) => session.server),
    end: (fits) => [...sessions].forEach(([id, session]) => fits(session.asker) && end(id)),
    get size() {
      return sessions.size
    },
    async close() {
      clearInterval(sweep)
      const all = [...sessions.values()]
      sessions.clear()
      await Promise.allSettled(all.map((session) => session.server.close()))
    },
  }
}

/** The client then opens another. */
const noSuchSession = (): Response => refusal(404, -32001, "Session not found")
const noSuchMethod = (): Response => refusal(405, -32000, "Method not allowed: open a session with POST first", { allow: "POST" })
