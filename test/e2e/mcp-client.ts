// The official MCP client in each revision, as a program would use it.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import type { CallToolResult, ElicitRequest, ElicitResult } from "@modelcontextprotocol/client"

export type Era = "modern" | "legacy"
export const eras: readonly Era[] = ["modern", "legacy"]

export type McpClientOptions = {
  readonly era: Era
  readonly token: string
  /** How the human behind this client answers; none: the client cannot ask. */
  readonly human?: (params: ElicitRequest["params"]) => ElicitResult | Promise<ElicitResult>
  readonly onToolsChanged?: () => void
  readonly fetch?: typeof globalThis.fetch
}

export function newMcpClient({ era, human, onToolsChanged }: Omit<McpClientOptions, "token">): Client {
  const client = new Client(
    { name: "test", version: "1" },
    {
      versionNegotiation: era === "modern" ? { mode: "auto" } : { mode: "legacy" },
      capabilities: human === undefined ? {} : { elicitation: { form: {}, url: {} } },
      ...(onToolsChanged === undefined
        ? {}
        : { listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => onToolsChanged() } } }),
    },
  )
  if (human !== undefined) client.setRequestHandler("elicitation/create", (request) => human(request.params))
  return client
}

export async function connectMcp(url: string, options: McpClientOptions): Promise<Client> {
  const client = newMcpClient(options)
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${options.token}` } },
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  })
  await client.connect(transport)
  return client
}

type Structured = { readonly status: string; readonly executionId?: string; readonly result?: unknown; readonly [key: string]: unknown }

export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<CallToolResult & { structured: Structured }> {
  const result = await client.callTool({ name, arguments: args })
  return { ...result, structured: (result.structuredContent ?? {}) as Structured } // what the host answers
}

export const textOf = (result: CallToolResult): string =>
  result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n")
