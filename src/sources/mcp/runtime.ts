// The part of the source that speaks the protocol: its sessions, and what is done on them.
import type { Scope } from "../../core/principal.ts"
import type { ConnectionIdentity, SourceAdapter } from "../source-adapter.ts"
import { callMcpTool } from "./call-tool.ts"
import type { McpConfig } from "./config.ts"
import { listMcpTools } from "./list-tools.ts"
import { createSessionPool } from "./session/pool.ts"
import type { PoolParts } from "./session/pool.ts"
import { belongsTo, keyOf } from "./session/request.ts"
import type { RequestParts } from "./session/request.ts"

export type McpRuntime = Pick<SourceAdapter<McpConfig>, "listTools" | "callTool"> & {
  endSessions(scope: Scope, integration: string): void
  renew(connection: ConnectionIdentity): void
  sessionCount(): number
  close(): Promise<void>
}

export function createRuntime(parts: RequestParts & PoolParts): McpRuntime {
  const sessions = createSessionPool(parts)
  return {
    listTools: (request) => listMcpTools(request, sessions, parts),
    callTool: (request) => callMcpTool(request, sessions, parts),
    endSessions: (scope, integration) => sessions.end(belongsTo(scope, integration)),
    renew: (connection) => sessions.renew(keyOf(connection)),
    sessionCount: () => sessions.size(),
    close: () => sessions.close(),
  }
}
