// The MCP host, loaded with the first request for it, so that a server without MCP clients does not pay for it.
import type { McpHost } from "../surfaces/mcp/host.ts"
import type { McpHostParts } from "../surfaces/mcp/host-parts.ts"

export function lazyMcpHost(parts: McpHostParts): McpHost {
  let host: Promise<McpHost> | null = null
  const load = async (): Promise<McpHost> => (await import("../surfaces/mcp/host.ts")).createMcpHost(parts)
  return {
    fetch: async (request, principal) => (await (host ??= load())).fetch(request, principal),
    close: async () => (await host)?.close(),
  }
}
