// The Responses API: its items are the tool system's own, and only tools and outputs are written otherwise.
import type { ResponseInputItem } from "../response-item.ts"
import type { ContentItem, FreeformFormat, JsonSchema, ToolSpec } from "../tool.ts"
import { outputContent } from "./output-content.ts"

export type ResponsesTool =
  | {
      readonly type: "function"
      readonly name: string
      readonly description: string
      readonly parameters: JsonSchema
      readonly strict: false
    }
  | { readonly type: "custom"; readonly name: string; readonly description: string; readonly format?: FreeformFormat }

/** Not strict: strict mode refuses most schemas of tools that were not written for it. */
export function toResponsesTools(specs: readonly ToolSpec[]): ResponsesTool[] {
  return specs.map((spec) => {
    if (spec.type === "function") return { ...spec, strict: false }
    const { name, description, format } = spec
    return { type: "custom", name, description, ...(format !== undefined && { format }) }
  })
}

export type ResponsesOutput = {
  readonly type: "function_call_output" | "custom_tool_call_output"
  readonly call_id: string
  readonly output: string | readonly ContentItem[]
}

/** The API knows calls of functions and of custom tools; one of an MCP tool is a function's for it. */
export function toResponsesInput(outputs: readonly ResponseInputItem[]): ResponsesOutput[] {
  return outputs.map((output) => {
    const { text, items } = outputContent(output)
    const type = output.type === "custom_tool_call_output" ? output.type : "function_call_output"
    return { type, call_id: output.call_id, output: items ?? text }
  })
}
