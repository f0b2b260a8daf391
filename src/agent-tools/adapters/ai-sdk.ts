// The AI SDK: tools for a language model, the calls in its answer, and the message that answers them.
import type {
  LanguageModelV4Content,
  LanguageModelV4FunctionTool,
  LanguageModelV4ProviderTool,
  LanguageModelV4ToolCall,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider"
import { isRecord } from "../../core/json/record.ts"
import type { ResponseInputItem, ResponseItem } from "../response-item.ts"
import type { ContentItem, ToolSpec } from "../tool.ts"
import { createCallIds } from "./call-ids.ts"
import { asFunction, historyArguments, parsed, toCallItem } from "./freeform.ts"
import { outputContent } from "./output-content.ts"

type LanguageModelTool = LanguageModelV4FunctionTool | LanguageModelV4ProviderTool

/** OpenAI's Responses models take freeform tools as they are; for all others they are functions. */
export function toLanguageModelTools(specs: readonly ToolSpec[], model: { readonly provider: string }): LanguageModelTool[] {
  const takesCustom = model.provider.endsWith(".responses")
  return specs.map((spec) => {
    const { name, description } = spec
    if (spec.type === "freeform" && takesCustom) {
      const args = { description, ...(spec.format !== undefined && { format: spec.format }) }
      return { type: "provider", id: "openai.custom", name, args }
    }
    const { parameters, ...rest } = asFunction(spec)
    return { type: "function", name, ...rest, inputSchema: parameters }
  })
}

export type ReadLanguageModelAnswer = {
  /** The calls as the next prompt repeats them. */
  readonly parts: readonly LanguageModelV4ToolCallPart[]
  readonly items: readonly ResponseItem[]
}

/** Calls that the provider executes itself are none of ours. */
export function readLanguageModelAnswer(content: readonly LanguageModelV4Content[], specs: readonly ToolSpec[]): ReadLanguageModelAnswer {
  const callIdOf = createCallIds()
  const calls = content
    .filter((part): part is LanguageModelV4ToolCall => part.type === "tool-call" && part.providerExecuted !== true)
    .map((part) => ({ ...part, toolCallId: callIdOf(part.toolCallId) }))
  return { parts: calls.map((call) => toPromptPart(call, specs)), items: calls.map((call) => toItem(call, specs)) }
}

function toItem({ toolName, toolCallId, input }: LanguageModelV4ToolCall, specs: readonly ToolSpec[]): ResponseItem {
  const value = parsed(input)
  const action = toolName === "local_shell" && isRecord(value) ? value["action"] : null
  if (isRecord(action)) return { type: "local_shell_call", call_id: toolCallId, action }
  return toCallItem({ name: toolName, callId: toolCallId, text: input }, specs)
}

function toPromptPart(call: LanguageModelV4ToolCall, specs: readonly ToolSpec[]): LanguageModelV4ToolCallPart {
  const { toolCallId, toolName, input, providerMetadata } = call
  const value = parsed(input)
  const isCustom = typeof value === "string" && specs.some((spec) => spec.type === "freeform" && spec.name === toolName)
  return {
    type: "tool-call",
    toolCallId,
    toolName,
    input: isCustom ? value : historyArguments(input),
    // Holds what a provider needs to recognise its own call, such as a signature of its reasoning.
    ...(providerMetadata !== undefined && { providerOptions: providerMetadata }),
  }
}

export type LanguageModelToolMessage = { readonly role: "tool"; readonly content: LanguageModelV4ToolResultPart[] }

/** The items are those of the answer: a result repeats its tool's name, which an output does not have. */
export function toLanguageModelMessage(outputs: readonly ResponseInputItem[], items: readonly ResponseItem[]): LanguageModelToolMessage {
  const names = new Map(items.map((item) => ["call_id" in item ? item.call_id : undefined, nameOf(item)]))
  const content = outputs.map((output): LanguageModelV4ToolResultPart => {
    const toolName = names.get(output.call_id) ?? "unknown"
    return { type: "tool-result", toolCallId: output.call_id, toolName, output: toResult(output, toolName) }
  })
  return { role: "tool", content }
}

const nameOf = (item: ResponseItem): string => ("name" in item && typeof item.name === "string" ? item.name : "local_shell")

function toResult(output: ResponseInputItem, toolName: string): LanguageModelV4ToolResultOutput {
  const { text, items, isFailure } = outputContent(output)
  // The provider's own shell tool has a form of its own for answers.
  if (toolName === "local_shell") return { type: "json", value: { output: text } }
  if (items !== undefined) return { type: "content", value: items.map(toPart) }
  return { type: isFailure ? "error-text" : "text", value: text }
}

type ResultPart = Extract<LanguageModelV4ToolResultOutput, { type: "content" }>["value"][number]

function toPart(item: ContentItem): ResultPart {
  if (item.type === "input_text") return { type: "text", text: item.text }
  const [, mediaType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(item.image_url) ?? []
  if (mediaType !== undefined && data !== undefined) return { type: "file", mediaType, data: { type: "data", data } }
  const url = URL.parse(item.image_url)
  if (url === null) return { type: "text", text: `[an image without a valid address: ${item.image_url.slice(0, 100)}]` }
  return { type: "file", mediaType: "image/*", data: { type: "url", url } }
}
