// Reads the arguments of a call, which a model wrote: usually a JSON object.
import { isRecord } from "../core/json/record.ts"
import { FunctionCallError } from "./function-call-error.ts"

/** Models write nothing, or only spaces, where a tool takes no arguments. */
export function readArguments(text: string): Record<string, unknown> {
  if (text.trim() === "") return {}
  const value = parse(text)
  if (isRecord(value)) return value
  // Some models quote the object once more.
  const inner = typeof value === "string" ? parse(value) : value
  if (isRecord(inner)) return inner
  throw FunctionCallError.respondToModel("failed to parse function arguments: they must be a JSON object")
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw FunctionCallError.respondToModel(`failed to parse function arguments: ${(error as Error).message}`) // JSON.parse throws nothing else
  }
}
