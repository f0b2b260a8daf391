// `builtin.mcp_call`: calls a tool of an MCP server that the caller names.
import { isRecord } from "../../core/json/record.ts"
import { checkHeaderArguments } from "../../sources/registry/http-call.ts"
import { checkUrl, input, stringMap, toBuiltin, urlText } from "./builtin.ts"
import type { BuiltinParts, BuiltinTool } from "./builtin.ts"
import { placeCredential } from "./credential-place.ts"

export const mcpCallTool = ({ outbound, limits, version, log }: BuiltinParts): BuiltinTool =>
  toBuiltin({
    key: "mcp_call",
    title: "MCP call",
    description:
      "Call one tool of an MCP server by its URL (streamable HTTP), without adding the server as an integration. Needs approval unless a policy allows the address. Servers that need credentials are added as integrations.",
    effect: "write",
    addressArg: "server_url",
    input: input(
      {
        server_url: { ...urlText, description: "The server's MCP endpoint, such as https://example.com/mcp." },
        tool_name: { type: "string", minLength: 1, maxLength: 200, description: "The name of the tool as the server lists it." },
        arguments: { type: "object", description: "The tool's arguments." },
        headers: { ...stringMap, description: "Request headers; not authorization, cookie, host, or those of the connection." },
      },
      ["server_url", "tool_name", "arguments"],
    ),
    output: { description: "The tool's structured content, or its content blocks: texts and files." },
    async call({ args, signal, timeoutMs, answerTurn }, { credential }) {
      const server = checkUrl(args["server_url"], "server_url")
      if (!server.ok) return server
      const checked = checkHeaderArguments(args["headers"])
      if (!checked.ok) return checked
      const placed = placeCredential(credential, server.url)
      if (!placed.ok) return placed
      // The protocol's library is large, and few need it.
      const { callMcpServer } = await import("../../sources/registry/mcp-call.ts")
      return callMcpServer({
        serverUrl: server.url.href,
        toolName: String(args["tool_name"]),
        args: isRecord(args["arguments"]) ? args["arguments"] : {},
        headers: { ...checked.headers, ...placed.headers },
        outbound,
        limits,
        timeoutMs,
        signal,
        answerTurn,
        version,
        log,
        redact: (text) => text,
      })
    },
  })
