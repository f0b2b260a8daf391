// Reads the arguments of a call, which a model wrote: usually a JSON object.
import { isRecord } from "../core/json/record.ts"
import { FunctionCallError } from "./function-call-error.ts"
import type { ToolPayload } from "./tool.ts"

/** Models write nothing, or only spaces, where a tool takes no arguments. */
export function readArguments(given: string | ToolPayload): Record<string, unknown> {
  const text = typeof given === "string" ? given : textOf(given)
  if (text.trim() === "") return {}
  const value = parse(text)
  if (isRecord(value)) return value
  // Some models quote the object once more.
  const inner = typeof value === "string" ? parse(value) : value
  if (isRecord(inner)) return inner
  throw FunctionCallError.respondToModel("failed to parse function arguments: they must be a JSON object")
}

function textOf(payload: ToolPayload): string {
  if (payload.type === "function") return payload.arguments
  if (payload.type === "mcp") return payload.rawArguments
  throw FunctionCallError.respondToModel("failed to parse function arguments: this call has none")
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw FunctionCallError.respondToModel(`failed to parse function arguments: ${(error as Error).message}`) // JSON.parse throws nothing else
  }
}
