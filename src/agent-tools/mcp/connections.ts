// The MCP servers of an agent: started together, listed as one table of tools, and called by server and tool.
//
// A server that does not start is left out, and named in `failures`; only one whose config says `required` fails the
// start. What a server announces while it runs is seen by the next listing, never by a table that was given out.
import type { CallToolResult, ReadResourceResult } from "@modelcontextprotocol/client"
import { defaultLimits } from "../../core/limits.ts"
import { secretRedactor } from "../../credentials/redact.ts"
import { silentLog } from "../../io/log.ts"
import type { Network } from "../../io/network/outbound.ts"
import { productVersion } from "../../local/version.ts"
import type { McpToolCaller, McpToolInfo } from "../tool-part.ts"
import { warnInNode } from "../tool-warning.ts"
import type { McpServerConfig } from "../tools-config.ts"
import type { McpCallOptions, McpElicitationHandler } from "./call-options.ts"
import { McpConnectionError, messageOf } from "./connection-error.ts"
import { mcpLimits } from "./limits.ts"
import { qualifyToolNames } from "./qualified-name.ts"
import type { McpFailure, McpResources, ResourceList, ResourceRequest, ResourceTemplateList } from "./resource-types.ts"
import { listResourceTemplates, listResources, readByUri } from "./resources.ts"
import type { ServerLookup } from "./resources.ts"
import { serverTarget } from "./server-target.ts"
import type { Variables } from "./server-target.ts"
import { createMcpServer } from "./server.ts"
import type { McpServer, ServerTool } from "./server.ts"
import { McpToolTable } from "./tool-table.ts"

export type McpServers = { readonly [name: string]: McpServerConfig }

export type McpStartOptions = {
  /** Asks the human at the agent what a server wants to know; without it, questions are declined. */
  readonly onElicitation?: McpElicitationHandler
  /** Where programs start whose config does not say; the working directory of this process otherwise. */
  readonly cwd?: string
  /** The environment that configs refer to; the one of this process otherwise. */
  readonly env?: Variables
  /** Gets what is wrong but stops nothing. Node's warnings get it otherwise. */
  readonly warn?: (message: string) => void
  /** Gives up the start. */
  readonly signal?: AbortSignal
}

type Started = {
  readonly servers: ReadonlyMap<string, McpServer>
  readonly failures: Map<string, string>
  readonly network: Network | null
}

export class McpConnectionManager implements McpToolCaller, McpResources {
  readonly #servers: ReadonlyMap<string, McpServer>
  /** Why a server has no tools, by its name. */
  readonly #failures: Map<string, string>
  readonly #network: Network | null
  readonly #lookup: ServerLookup
  #closing: Promise<void> | null = null

  private constructor({ servers, failures, network }: Started) {
    this.#servers = servers
    this.#failures = failures
    this.#network = network
    this.#lookup = { all: () => [...servers.values()].filter((one) => !failures.has(one.name)), get: (name) => this.#server(name) }
  }

  /** Throws a `McpConnectionError` where a required server did not start; no program is left running then. */
  static async start(mcpServers: McpServers = {}, options: McpStartOptions = {}): Promise<McpConnectionManager> {
    const signal = options.signal ?? new AbortController().signal
    const started = await createServers(mcpServers, options)
    const manager = new McpConnectionManager(started)
    try {
      await Promise.all([...started.servers.values()].map((server) => manager.#listOf(server, "now", signal)))
      signal.throwIfAborted()
      const missing = Object.keys(mcpServers).find((name) => mcpServers[name]?.required === true && started.failures.has(name))
      if (missing !== undefined)
        throw new McpConnectionError(
          `required MCP server \`${missing}\` was not initialized: ${started.failures.get(missing) ?? ""}`,
          missing,
        )
      return manager
    } catch (error) {
      await manager.close()
      throw error
    }
  }

  /** The servers whose tools and resources are missing, and why. */
  get failures(): readonly McpFailure[] {
    return [...this.#failures].map(([server, message]) => ({ server, message }))
  }

  /** The tools of all servers by their qualified names. A server that has stopped is started again for it. */
  async listAllTools(options: { readonly signal?: AbortSignal } = {}): Promise<McpToolTable> {
    const signal = options.signal ?? new AbortController().signal
    const listed = await Promise.all(
      this.#lookup.all().map(async (server) => (await this.#listOf(server, "known", signal)).map((one) => this.#infoOf(server, one))),
    )
    const tools = listed.flat()
    const names = qualifyToolNames(tools.map(({ serverName, toolName }) => ({ server: serverName, tool: toolName })))
    return new McpToolTable(
      tools.map((tool, index) => [names[index] ?? "", tool]),
      this,
    )
  }

  /** Throws a `McpConnectionError`; what the tool itself calls an error is a result with `isError`. */
  async callTool(server: string, tool: string, args: unknown, options: McpCallOptions = {}): Promise<CallToolResult> {
    return this.#server(server).callTool(tool, args, options)
  }

  async listResources(request: ResourceRequest = {}): Promise<ResourceList> {
    return listResources(request, this.#lookup)
  }

  async listResourceTemplates(request: ResourceRequest = {}): Promise<ResourceTemplateList> {
    return listResourceTemplates(request, this.#lookup)
  }

  async readResource(uri: string): Promise<ReadResourceResult>
  async readResource(server: string, uri: string, options?: McpCallOptions): Promise<ReadResourceResult>
  async readResource(serverOrUri: string, uri?: string, options: McpCallOptions = {}): Promise<ReadResourceResult> {
    if (uri === undefined) return readByUri(serverOrUri, this.#lookup)
    return this.#server(serverOrUri).readResource(uri, options)
  }

  /** Ends every session, and the programs with everything that they started. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      await Promise.all([...this.#servers.values()].map((server) => server.close()))
      await this.#network?.close()
    })()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #server(name: string): McpServer {
    const server = this.#servers.get(name)
    const failure = this.#failures.get(name)
    if (this.#closing !== null) throw new McpConnectionError("The connections to MCP servers are closed", name)
    if (failure !== undefined) throw new McpConnectionError(`MCP server '${name}' was not initialized: ${failure}`, name)
    if (server === undefined) throw new McpConnectionError(`unknown MCP server '${name.slice(0, 200)}'`, null)
    return server
  }

  /** Nothing of a server that fails, which does not hide the others. */
  async #listOf(server: McpServer, freshness: "known" | "now", signal: AbortSignal): Promise<readonly ServerTool[]> {
    try {
      return await server.listTools(freshness, signal)
    } catch (error) {
      // One that has worked may work again at the next listing.
      if (freshness === "now") this.#failures.set(server.name, messageOf(error))
      return []
    }
  }

  #infoOf({ name }: McpServer, { tool, supportsParallel }: ServerTool): McpToolInfo {
    return { serverName: name, toolName: tool.name, tool, supportsParallel, connections: this }
  }
}

/** Settings that cannot be used count as a server that did not start. */
async function createServers(mcpServers: McpServers, options: McpStartOptions): Promise<Started> {
  const enabled = Object.entries(mcpServers).filter(([, config]) => config.enabled !== false)
  const failures = new Map<string, string>()
  if (enabled.length === 0) return { servers: new Map(), failures, network: null }
  // Both take a fifth of a second to load, which programs without servers do not pay.
  const [{ createMcpClient }, { createNetwork }] = await Promise.all([
    import("../../sources/mcp/client.ts"),
    import("../../io/network/guarded-fetch.ts"),
  ])
  // The config is the embedding program's own choice: what it names may be on this machine or in its network.
  const network = createNetwork({ allowPrivateHosts: [], trustLiteralUrls: true, limits: defaultLimits, log: silentLog })
  const warn = options.warn ?? warnInNode
  const defaults = {
    env: options.env ?? process.env,
    cwd: options.cwd ?? process.cwd(),
    startMs: mcpLimits.startMs,
    callMs: mcpLimits.callMs,
  }
  const servers = new Map<string, McpServer>()
  for (const [name, config] of enabled) {
    try {
      const target = serverTarget(name, config, defaults)
      const client = createMcpClient({
        ...target,
        name,
        slowStartAdvice: "raise its startup_timeout_sec",
        outbound: network.outbound({ literalUrls: target.config.transport === "http" ? [target.config.url] : [] }),
        log: silentLog,
        version: productVersion,
        redactor: secretRedactor,
      })
      servers.set(name, createMcpServer(name, config, client, { limits: mcpLimits, onElicitation: options.onElicitation ?? null, warn }))
    } catch (error) {
      failures.set(name, messageOf(error))
    }
  }
  return { servers, failures, network }
}
