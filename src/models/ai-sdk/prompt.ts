// Writes a conversation and its tools the way the provider packages take them.
//
// Providers refuse a question with half of a surrogate pair, wherever it stands: an upstream may have sent it, or a text was cut.
import type {
  JSONSchema7,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider"
import { isDeeperThan } from "../../core/json/depth.ts"
import type { ModelMessage, ModelMeta, ModelPart, ModelTool } from "../model.ts"

/** The answers to the calls of one message go back as one message. */
export function toPrompt(messages: readonly ModelMessage[]): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Message[] = []
  for (const message of messages) {
    const last = prompt.at(-1)
    if (message.role === "tool" && last?.role === "tool") last.content.push(toResult(message))
    else prompt.push(toMessage(message))
  }
  return prompt
}

function toMessage(message: ModelMessage): LanguageModelV4Message {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text.toWellFormed() }
    case "user":
      return { role: "user", content: [{ type: "text", text: message.text.toWellFormed() }] }
    case "assistant":
      return { role: "assistant", content: message.parts.map(toPart) }
    case "tool":
      return { role: "tool", content: [toResult(message)] }
  }
}

type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number]

function toPart(part: ModelPart): AssistantPart {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { type: part.type, text: part.text.toWellFormed(), ...withMeta(part.meta) }
    case "call":
      return { type: "tool-call", toolCallId: part.id, toolName: toName(part.name), input: toInput(part.input), ...withMeta(part.meta) }
  }
}

/** Models make up names that their own providers refuse to read again. */
const toName = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64)

/** What is nested deeper was no arguments, and cannot be written again. */
const inputDepthMax = 64

/** Providers refuse calls whose input is not an object; what the model really wrote stands in the answer to the call. */
function toInput(written: string): unknown {
  const text = written.toWellFormed()
  try {
    const value: unknown = text.trim() === "" ? {} : JSON.parse(text)
    if (isDeeperThan(value, inputDepthMax) || hasHalves(text, value)) return { input: text }
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : { input: value }
  } catch {
    return { input: text }
  }
}

/** JSON writes whole pairs as they are, and halves escaped. */
const hasHalves = (text: string, value: unknown): boolean =>
  /\\u[dD][89a-fA-F]/.test(text) && /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(value))

type ToolMessage = Extract<ModelMessage, { role: "tool" }>
type ResultPart = Extract<LanguageModelV4Message, { role: "tool" }>["content"][number]

const toResult = ({ callId, name, text, isError }: ToolMessage): ResultPart => ({
  type: "tool-result",
  toolCallId: callId,
  toolName: toName(name),
  output: { type: isError ? "error-text" : "text", value: text.toWellFormed() },
})

const withMeta = (meta: ModelMeta | undefined): { providerOptions?: SharedV4ProviderOptions } =>
  meta === undefined ? {} : { providerOptions: meta as SharedV4ProviderOptions } // what the same package wrote

export const toTools = (tools: readonly ModelTool[]): LanguageModelV4FunctionTool[] =>
  tools.map(({ name, description, parameters }) => ({
    type: "function",
    name,
    description,
    inputSchema: parameters as JSONSchema7, // any JSON Schema; the packages pass it on
  }))
