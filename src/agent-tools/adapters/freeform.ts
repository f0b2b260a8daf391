// Freeform tools for models that only know functions: the whole input is one text argument.
import { isRecord } from "../../core/json/record.ts"
import type { ResponseItem } from "../response-item.ts"
import type { JsonSchema, ToolSpec } from "../tool.ts"

type FreeformSpec = Extract<ToolSpec, { type: "freeform" }>

export type FunctionDescription = { readonly description: string; readonly parameters: JsonSchema }

export function asFunction(spec: ToolSpec): FunctionDescription {
  if (spec.type === "function") return { description: spec.description, parameters: spec.parameters }
  const input = { type: "string", description: inputDescription(spec) }
  return { description: spec.description, parameters: { type: "object", properties: { input }, required: ["input"] } }
}

function inputDescription({ format }: FreeformSpec): string {
  if (format === undefined) return "The whole input of the tool"
  return `The whole input of the tool, which follows this ${format.syntax} grammar:\n${format.definition}`
}

/** One call in any of the shapes that models give it; a freeform tool's is a custom call, whatever API it came through. */
export function toCallItem(
  call: { readonly name: string; readonly callId: string; readonly text: string },
  specs: readonly ToolSpec[],
): ResponseItem {
  const { name, callId, text } = call
  const isFreeform = specs.some((spec) => spec.type === "freeform" && spec.name === name)
  if (isFreeform) return { type: "custom_tool_call", name, call_id: callId, input: freeformInput(text) }
  return { type: "function_call", name, call_id: callId, arguments: text }
}

/** `{"input": "…"}` as asked for, a text in quotes as the AI SDK gives it, or the text itself. */
function freeformInput(text: string): string {
  const value = parsed(text)
  if (typeof value === "string") return value
  return isRecord(value) && typeof value["input"] === "string" ? value["input"] : text
}

/**
 * The arguments of a call as history keeps them. Many servers fail on a history whose arguments are not a JSON object,
 * and then the conversation is over; the text that the model wrote stays readable inside of one.
 */
export function historyArguments(text: string): { readonly [name: string]: unknown } {
  if (text.trim() === "") return {}
  const value = parsed(text)
  return isRecord(value) ? value : { unreadable_arguments: text }
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
