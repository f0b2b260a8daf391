// The source of kind `mcp`: servers that speak the Model Context Protocol, over HTTP or as programs on this machine.
import type { SourceAdapter } from "../source-adapter.ts"
import { readBinding } from "./binding.ts"
import { detectMcp } from "./detect.ts"
import { parseMcpConfig } from "./config.ts"
import type { McpConfig } from "./config.ts"
import type { McpRuntime } from "./runtime.ts"
import type { PoolParts } from "./session/pool.ts"
import { stdioRefused } from "./session/request.ts"
import type { RequestParts } from "./session/request.ts"

export type McpParts = RequestParts & PoolParts

/** Sessions are kept between calls: whoever made the source closes it. */
export type McpSource = {
  readonly adapter: SourceAdapter<McpConfig>
  /** How many sessions are open. */
  sessionCount(): number
  close(): Promise<void>
}

export function createMcpAdapter(parts: McpParts): McpSource {
  let loading: Promise<McpRuntime> | null = null
  let runtime: McpRuntime | null = null
  // The protocol's library takes a fifth of a second and thirty megabytes; whoever has no such server does without.
  const load = (): Promise<McpRuntime> => (loading ??= import("./runtime.ts").then((module) => (runtime = module.createRuntime(parts))))
  const adapter: SourceAdapter<McpConfig> = {
    kind: "mcp",
    toolsPer: "connection",
    pinsTools: true,
    documentField: null,
    parseConfig(input) {
      const parsed = parseMcpConfig(input)
      if (parsed.config.transport === "stdio" && !parts.allowsStdio) throw stdioRefused()
      return parsed
    },
    listTools: async (request) => (await load()).listTools(request),
    callTool: async (request) => (await load()).callTool(request),
    assumesEffect: ({ binding }) => {
      const read = readBinding(binding)
      return read.kind === "tool" && read.isEffectAssumed === true
    },
    detect: detectMcp,
    endSessions: (scope, integration) => runtime?.endSessions(scope, integration),
    renew: (connection) => runtime?.renew(connection),
  }
  return { adapter, sessionCount: () => runtime?.sessionCount() ?? 0, close: async () => (await loading)?.close() }
}
