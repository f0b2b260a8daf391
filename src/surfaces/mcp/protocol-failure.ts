// Turns a refusal into an error of the protocol, for requests whose results cannot carry one.
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server"
import { ExecutorError } from "../../core/errors.ts"
import type { ToolResult } from "../../core/result.ts"

/** What an MCP server refused in the protocol's own words is refused in the same words. */
export function throwProtocolError(result: ToolResult): void {
  if (result.ok || result.error.code !== "upstream_error") return
  const { message, details } = result.error
  const { code, data } = (typeof details === "object" && details !== null ? details : {}) as { code?: unknown; data?: unknown } // read as unknown below
  if (typeof code === "number") throw new ProtocolError(code, message, data)
}

/** Outside tool calls there is no result that could carry an error. */
export async function rethrown<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ExecutorError) throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, { code: error.code })
    throw error
  }
}
