// One open conversation with a server, shared by all calls of a connection.
import type { Client, McpSubscription, RequestOptions, Tool } from "@modelcontextprotocol/client"
import type { Log } from "../../../io/log.ts"
import type { Calls } from "./calls.ts"

export type Wire = "streamable" | "sse" | "stdio"

/** Why a session is over, in words for whoever called. */
export type SessionEnding = { readonly code: "upstream_unreachable" | "response_too_large"; readonly message: string }

const unreachable = (message: string): SessionEnding => ({ code: "upstream_unreachable", message })

export type Session = {
  readonly client: Client
  readonly wire: Wire
  readonly calls: Calls
  isOpen(): boolean
  /** It ended, and not because we closed it. */
  isBroken(): boolean
  /** Null while it is open. */
  ending(): SessionEnding | null
  /** The server's tools by name: read anew where it said that they changed, or where that is long ago. */
  tools(freshness: "known" | "now", options: Pick<RequestOptions, "timeout">): Promise<ReadonlyMap<string, Tool>>
  /** The server said that its tools are others now. */
  toolsChanged(): void
  close(): Promise<void>
}

export type SessionParts = {
  readonly client: Client
  readonly wire: Wire
  readonly calls: Calls
  readonly log: Log
  /** Tools that were read longer ago are read again before one is called. */
  readonly toolsFreshMs: number
  ending(): SessionEnding | null
  close(): Promise<void>
}

export function createSession(parts: SessionParts): Session {
  const { client, wire, calls } = parts
  let known: { readonly tools: ReadonlyMap<string, Tool>; readonly readAtMs: number } | null = null
  let reading: Promise<ReadonlyMap<string, Tool>> | null = null
  let subscription: McpSubscription | null = client.autoOpenedSubscription ?? null
  let ending: SessionEnding | null = null
  let isLeft = false

  const toolsChanged = (): void => {
    known = null
    reading = null
  }
  const watch = (opened: McpSubscription): void => {
    subscription = opened
    // What changes from here on is not told any more.
    void opened.closed.then(() => {
      if (subscription === opened) subscription = null
      toolsChanged()
    })
  }
  if (subscription !== null) watch(subscription)

  /** Servers of the newest revision tell of changes only to those who listen. */
  const listen = async (options: Pick<RequestOptions, "timeout">): Promise<void> => {
    const { tools, prompts, resources } = client.getServerCapabilities() ?? {}
    const told = {
      ...(tools?.listChanged === true ? { toolsListChanged: true } : {}),
      ...(prompts?.listChanged === true ? { promptsListChanged: true } : {}),
      ...(resources?.listChanged === true ? { resourcesListChanged: true } : {}),
    }
    if (subscription !== null || Object.keys(told).length === 0 || client.getProtocolEra() !== "modern") return
    try {
      watch(await client.listen(told, options))
    } catch (error) {
      parts.log.debug({ error: String(error) }, "An MCP server does not let us listen for changes")
    }
  }
  const read = async (options: Pick<RequestOptions, "timeout">): Promise<ReadonlyMap<string, Tool>> => {
    await listen(options)
    if (client.getServerCapabilities()?.tools === undefined) return new Map()
    const listed = await client.listTools(undefined, { ...options, cacheMode: "refresh" })
    return new Map(listed.tools.map((tool) => [tool.name, tool]))
  }

  const closed = (): void => void (ending ??= parts.ending() ?? unreachable("The server closed the connection"))
  Object.assign(client, { onclose: closed })
  return {
    client,
    wire,
    calls,
    isOpen: () => ending === null,
    isBroken: () => ending !== null && !isLeft,
    ending: () => (ending === null ? null : (parts.ending() ?? ending)),
    toolsChanged,
    tools(freshness, options) {
      const isFresh = known !== null && performance.now() - known.readAtMs < parts.toolsFreshMs
      if (freshness === "known" && known !== null && isFresh) return Promise.resolve(known.tools)
      if (freshness === "known" && reading !== null) return reading
      const readAtMs = performance.now()
      const current: Promise<ReadonlyMap<string, Tool>> = read(options)
        .then((tools) => {
          // A change that was told meanwhile may not be in it.
          if (reading === current) known = { tools, readAtMs }
          return tools
        })
        .finally(() => {
          if (reading === current) reading = null
        })
      reading = current
      return current
    },
    async close() {
      isLeft ||= ending === null
      ending ??= unreachable("The session was closed")
      await parts.close()
    },
  }
}
