// Turns what a handler answered, or why it did not, into the item that the model gets back.
import { isRecord } from "../core/json/record.ts"
import type { FunctionCallError } from "./function-call-error.ts"
import type { ResponseInputItem } from "./response-item.ts"
import type { ToolOutput, ToolPayload } from "./tool.ts"

export function toResponse(output: ToolOutput, callId: string, payload: ToolPayload): ResponseInputItem {
  if (output.type === "mcp") return { type: "mcp_tool_call_output", call_id: callId, result: output.result }
  if (payload.type === "custom") return { type: "custom_tool_call_output", call_id: callId, output: output.content }
  const { type: _, ...rest } = output
  return { type: "function_call_output", call_id: callId, output: rest }
}

/** A failure that the model reads. */
export const failureOutput = (error: FunctionCallError): ToolOutput => ({ type: "function", content: error.message, success: false })

export function isToolOutput(value: unknown): value is ToolOutput {
  if (!isRecord(value)) return false
  if (value["type"] === "mcp") return isMcpResult(value["result"])
  const items = value["contentItems"]
  return value["type"] === "function" && typeof value["content"] === "string" && (items === undefined || isList(items, isContentItem))
}

const isList = (value: unknown, isItem: (item: unknown) => boolean): boolean => Array.isArray(value) && value.every(isItem)

function isContentItem(item: unknown): boolean {
  if (!isRecord(item)) return false
  return item["type"] === "input_text" ? typeof item["text"] === "string" : typeof item["image_url"] === "string"
}

function isMcpResult(result: unknown): boolean {
  if (!isRecord(result)) return false
  if (result["ok"] !== true) return typeof result["error"] === "string"
  return isRecord(result["value"]) && isList(result["value"]["content"], isRecord)
}

/** What the model reads of a call that was cancelled. Whether it succeeded is not known. */
export function abortedResponse(text: string, callId: string, payload: ToolPayload): ResponseInputItem {
  const isMcp = payload.type === "mcp"
  return toResponse(isMcp ? { type: "mcp", result: { ok: false, error: text } } : { type: "function", content: text }, callId, payload)
}
