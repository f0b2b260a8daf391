// One MCP server of an agent: its tools as they were listed last, its filters, and its answers with the words of a failure.
import type { CallToolResult, ReadResourceResult, Tool } from "@modelcontextprotocol/client"
import { isRecord } from "../../core/json/record.ts"
import type { McpClient, McpRequestContext } from "../../sources/mcp/client.ts"
import type { McpServerConfig } from "../tools-config.ts"
import type { McpCallOptions, McpElicitationHandler } from "./call-options.ts"
import { McpConnectionError, messageOf } from "./connection-error.ts"
import type { McpLimits } from "./limits.ts"
import { listPages } from "./pages.ts"
import type { ListedResource, ListedTemplate, PageChoice, ResourcePage } from "./resource-types.ts"
import { boundTool } from "./tool-bounds.ts"

export type ServerTool = { readonly tool: Tool; readonly supportsParallel: boolean }

export type McpServer = {
  readonly name: string
  /** The tools that the config allows. Read again only where the server said that they changed, or was started again. */
  listTools(freshness: "known" | "now", signal: AbortSignal): Promise<readonly ServerTool[]>
  callTool(tool: string, args: unknown, options: McpCallOptions): Promise<CallToolResult>
  listResources(choice: PageChoice, signal: AbortSignal): Promise<ResourcePage<ListedResource>>
  listResourceTemplates(choice: PageChoice, signal: AbortSignal): Promise<ResourcePage<ListedTemplate>>
  readResource(uri: string, options: McpCallOptions): Promise<ReadResourceResult>
  close(): Promise<void>
}

export type ServerParts = {
  readonly limits: McpLimits
  /** For calls that bring no handler of their own. */
  readonly onElicitation: McpElicitationHandler | null
  warn(message: string): void
}

export function createMcpServer(name: string, config: McpServerConfig, client: McpClient, parts: ServerParts): McpServer {
  const { limits } = parts
  const enabled = config.enabledTools === undefined ? null : new Set(config.enabledTools)
  const disabled = new Set(config.disabledTools)
  const isAllowed = (tool: string): boolean => (enabled?.has(tool) ?? true) && !disabled.has(tool)
  /** As the server described them, for the call. */
  let known: ReadonlyMap<string, Tool> = new Map()

  const contextOf = ({ signal, onProgress, onElicitation = parts.onElicitation ?? undefined }: McpCallOptions, tool: string | null) => ({
    signal: signal ?? new AbortController().signal,
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(onElicitation === undefined
      ? {}
      : ({
          onElicitation: (question, asked) => onElicitation({ ...question, server: name, tool }, asked),
        } satisfies Pick<McpRequestContext, "onElicitation">)),
  })
  const failed = (what: string, error: unknown): McpConnectionError => new McpConnectionError(`${what}: ${messageOf(error)}`, name, error)

  return {
    name,
    async listTools(freshness, signal) {
      known = await client.tools(freshness, { signal }).catch((error: unknown) => {
        throw new McpConnectionError(messageOf(error), name, error)
      })
      const allowed = [...known.values()].filter((tool) => isAllowed(tool.name))
      if (allowed.length > limits.toolsMax)
        parts.warn(`MCP server '${name}' has ${allowed.length} tools; the first ${limits.toolsMax} are offered. Choose with enabled_tools`)
      return allowed.slice(0, limits.toolsMax).flatMap((listed) => {
        const bound = boundTool(listed, limits)
        if (bound.kind === "tool") return [{ tool: bound.tool, supportsParallel: isParallel(config, bound.tool) }]
        parts.warn(`A tool of MCP server '${name}' is left out: ${bound.reason}`)
        return []
      })
    },
    async callTool(tool, args, options) {
      if (!isAllowed(tool)) throw new McpConnectionError(`tool '${tool}' is disabled for MCP server '${name}'`, name)
      const object = args ?? {}
      if (!isRecord(object)) throw new McpConnectionError(`tool call failed for \`${name}/${tool}\`: arguments must be an object`, name)
      const definition: Tool = known.get(tool) ?? { name: tool, inputSchema: { type: "object" } }
      try {
        return await client.callTool({ tool: definition, args: object }, contextOf(options, tool))
      } catch (error) {
        throw failed(`tool call failed for \`${name}/${tool}\``, error)
      }
    },
    async listResources(choice, signal) {
      const page = async (cursor: string | null) => {
        const { resources, nextCursor } = await client.resources(cursor, { signal })
        return { items: resources.map((one) => ({ ...one, server: name })), nextCursor }
      }
      return listPages(page, choice, { method: "resources/list", limits }).catch((error: unknown) => {
        throw failed(`resources/list failed for \`${name}\``, error)
      })
    },
    async listResourceTemplates(choice, signal) {
      const page = async (cursor: string | null) => {
        const { resourceTemplates, nextCursor } = await client.resourceTemplates(cursor, { signal })
        return { items: resourceTemplates.map((one) => ({ ...one, server: name })), nextCursor }
      }
      return listPages(page, choice, { method: "resources/templates/list", limits }).catch((error: unknown) => {
        throw failed(`resources/templates/list failed for \`${name}\``, error)
      })
    },
    async readResource(uri, options) {
      try {
        return await client.readResource(uri, contextOf(options, null))
      } catch (error) {
        throw failed(`resources/read failed for \`${name}\` (${uri.slice(0, 2000)})`, error)
      }
    },
    close: () => client.close(),
  }
}

const isParallel = (config: McpServerConfig, tool: Tool): boolean =>
  config.supportsParallelToolCalls === true || tool.annotations?.readOnlyHint === true
