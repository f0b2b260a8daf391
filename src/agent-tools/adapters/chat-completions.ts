// Chat completions: tools, the calls of an assistant's message, and the messages that answer them.
import { isRecord } from "../../core/json/record.ts"
import type { ResponseInputItem, ResponseItem } from "../response-item.ts"
import type { JsonSchema, ToolSpec } from "../tool.ts"
import { createCallIds } from "./call-ids.ts"
import { asFunction, historyArguments, toCallItem } from "./freeform.ts"
import { outputContent } from "./output-content.ts"

export type ChatTool = {
  readonly type: "function"
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonSchema }
}

/** Freeform tools are functions here: custom tools are known to one provider's servers only. */
export function toChatTools(specs: readonly ToolSpec[]): ChatTool[] {
  return specs.map((spec) => ({ type: "function", function: { name: spec.name, ...asFunction(spec) } }))
}

/** An assistant's message. Servers differ in what they send, so that nothing of a call is taken for granted. */
export type ChatAnswer = { readonly role?: string; readonly content?: unknown; readonly tool_calls?: unknown }

export type ChatToolCall = {
  readonly id: string
  readonly type: "function"
  readonly function: { readonly name: string; readonly arguments: string }
}

export type ReadChatAnswer = {
  /** The message as history needs it: each call has an id, and arguments that all servers accept. */
  readonly message: { readonly role: "assistant"; readonly content: unknown; readonly tool_calls?: readonly ChatToolCall[] }
  readonly items: readonly ResponseItem[]
}

export function readChatAnswer(answer: ChatAnswer, specs: readonly ToolSpec[]): ReadChatAnswer {
  const callIdOf = createCallIds()
  const given = Array.isArray(answer.tool_calls) ? answer.tool_calls.filter(isRecord) : []
  const calls = given.map((call) => {
    const callee = isRecord(call["function"]) ? call["function"] : isRecord(call["custom"]) ? call["custom"] : {}
    const name = typeof callee["name"] === "string" ? callee["name"] : ""
    const text = textOf(callee["arguments"] ?? callee["input"])
    return { name, callId: callIdOf(call["id"]), text }
  })
  return { message: chatMessage(answer.content ?? null, calls), items: calls.map((call) => toCallItem(call, specs)) }
}

type Call = { readonly name: string; readonly callId: string; readonly text: string }

/** What an assistant wrote, as history needs it. */
export function chatMessage(content: unknown, calls: readonly Call[]): ReadChatAnswer["message"] {
  return { role: "assistant", content, ...(calls.length > 0 && { tool_calls: calls.map(toHistoryCall) }) }
}

/** Some servers send the arguments as an object. */
const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? {}))

function toHistoryCall({ name, callId, text }: Call): ChatToolCall {
  // A call without a name would be refused with the whole history.
  const called = name === "" ? "unknown" : name
  return { id: callId, type: "function", function: { name: called, arguments: JSON.stringify(historyArguments(text)) } }
}

export type ChatMessage =
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string }
  | { readonly role: "user"; readonly content: readonly ChatContentPart[] }

export type ChatContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } }

/** Messages of tools hold text alone, so that images follow in a message of their own, after all of them. */
export function toChatMessages(outputs: readonly ResponseInputItem[]): ChatMessage[] {
  const images: ChatContentPart[] = []
  const messages = outputs.map((output): ChatMessage => {
    const { text, items = [] } = outputContent(output)
    const urls = items.flatMap((item) => (item.type === "input_image" ? [item.image_url] : []))
    if (urls.length > 0) images.push({ type: "text", text: `Images of the tool call ${output.call_id}:` })
    images.push(...urls.map((url): ChatContentPart => ({ type: "image_url", image_url: { url } })))
    return { role: "tool", tool_call_id: output.call_id, content: text }
  })
  return images.length === 0 ? messages : [...messages, { role: "user", content: images }]
}
