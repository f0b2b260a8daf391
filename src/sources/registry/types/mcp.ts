// A tool that calls a tool of an MCP server.
import { textOf, headersOf, unusable } from "./typed-call.ts"
import type { PerformCall } from "./typed-call.ts"

export const callMcp: PerformCall = async (call, { version, redactor }) => {
  const { plan, implementation, request, timeoutMs, secrets } = call
  const own = headersOf(call)
  if (!own.ok) return own
  const [serverUrl, toolName] = [textOf(implementation, "server_url"), textOf(implementation, "tool_name")]
  if (serverUrl === "" || toolName === "") return unusable(plan, "server_url and tool_name are required")
  const { args, limits, signal, answerTurn, log } = request
  const { outbound } = plan
  const { headers } = own
  // The protocol's library is large, and few need it.
  const { callMcpServer } = await import("../mcp-call.ts")
  const redact = redactor(secrets)
  return callMcpServer({
    serverUrl,
    toolName,
    args,
    headers,
    outbound,
    limits,
    timeoutMs,
    signal,
    answerTurn,
    version,
    log,
    redact,
  })
}
