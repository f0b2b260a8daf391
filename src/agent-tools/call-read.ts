// Reads the calls out of a model's answer.
//
// Items come from whatever server a base URL names, so their types are what servers promise, not what they keep.
import { isRecord } from "../core/json/record.ts"
import { FunctionCallError } from "./function-call-error.ts"
import type { ResponseItem } from "./response-item.ts"
import type { ShellToolCallParams, ToolCall } from "./tool.ts"

type McpNames = ReadonlyMap<string, { readonly serverName: string; readonly toolName: string }>

export function readToolCall(item: ResponseItem, mcpTools: McpNames): ToolCall | null {
  const fields = item as { readonly [field: string]: unknown } // checked field by field below
  switch (item.type) {
    case "function_call":
      return functionCall(fields, mcpTools)
    case "custom_tool_call": {
      const input = typeof fields["input"] === "string" ? fields["input"] : JSON.stringify(fields["input"] ?? "")
      return { toolName: nameOf(fields), callId: callIdOf(fields), payload: { type: "custom", input } }
    }
    case "local_shell_call": {
      const callId = textOf(fields["call_id"]) ?? textOf(fields["id"])
      if (callId === null) throw FunctionCallError.missingLocalShellCallId()
      return { toolName: "local_shell", callId, payload: { type: "local_shell", params: shellParams(fields["action"]) } }
    }
    default:
      return null
  }
}

function functionCall(fields: { readonly [field: string]: unknown }, mcpTools: McpNames): ToolCall {
  const toolName = nameOf(fields)
  const callId = callIdOf(fields)
  const text = fields["arguments"]
  const args = typeof text === "string" ? text : JSON.stringify(text ?? {})
  // By the table and never by splitting the name: servers and tools may have `__` in theirs.
  const mcp = mcpTools.get(toolName)
  if (mcp === undefined) return { toolName, callId, payload: { type: "function", arguments: args } }
  return { toolName, callId, payload: { type: "mcp", server: mcp.serverName, tool: mcp.toolName, rawArguments: args } }
}

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

function nameOf(fields: { readonly [field: string]: unknown }): string {
  const name = textOf(fields["name"])
  if (name === null) throw FunctionCallError.respondToModel(`${String(fields["type"])} without a name`)
  return name
}

function callIdOf(fields: { readonly [field: string]: unknown }): string {
  const id = textOf(fields["call_id"]) ?? textOf(fields["id"])
  if (id === null) throw FunctionCallError.respondToModel(`${String(fields["type"])} without call_id or id`)
  return id
}

function shellParams(action: unknown): ShellToolCallParams {
  const command = isRecord(action) ? action["command"] : null
  if (!isRecord(action) || !isTexts(command)) throw FunctionCallError.respondToModel("LocalShellCall without a command")
  const { working_directory: workdir, timeout_ms: timeoutMs, sandbox_permissions: permissions } = action
  return {
    command,
    ...(typeof workdir === "string" && { workdir }),
    ...(typeof timeoutMs === "number" && { timeoutMs }),
    ...((permissions === "use_default" || permissions === "require_escalated") && { sandboxPermissions: permissions }),
  }
}

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((one) => typeof one === "string")
