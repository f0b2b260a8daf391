// The answer to a request that reaches no MCP server: an HTTP status, and an error as JSON-RPC has it.

export const refusal = (status: number, code: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status, headers })
