// A request to a scripted model: its body, and the parts that scripts and tests ask about in every API.
import type { IncomingHttpHeaders } from "node:http"

export type ModelApi = "chat" | "responses" | "messages"

/** What the model was told about one of its earlier calls. */
export type SeenOutput = { readonly callId: string; readonly text: string }

export type ModelRequest = {
  readonly api: ModelApi
  /** Counts from 1, over all three APIs. */
  readonly number: number
  readonly model: string
  readonly stream: boolean
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: IncomingHttpHeaders
  /** The names of the tools that were offered. */
  readonly tools: readonly string[]
  /** The system text, however the API carries it. */
  readonly system: string
  /** The text of the last message of the user. */
  readonly userText: string
  /** The outputs of all calls so far, in the order of the conversation. */
  readonly outputs: readonly SeenOutput[]
  /** Aborted when the connection is gone before the answer is complete. */
  readonly gone: AbortSignal
}

type Fields = Readonly<Record<string, unknown>>
type Read = Pick<ModelRequest, "tools" | "system" | "userText" | "outputs">

export function readRequest(api: ModelApi, body: Fields): Read & Pick<ModelRequest, "model" | "stream"> {
  return { model: textOf(body["model"]), stream: body["stream"] === true, ...readers[api](body) }
}

const readers: Readonly<Record<ModelApi, (body: Fields) => Read>> = {
  chat(body) {
    const messages = listOf(body["messages"])
    return {
      tools: listOf(body["tools"]).map((tool) => textOf((fieldsOf(tool["function"]) ?? fieldsOf(tool["custom"]))?.["name"])),
      system: messages
        .filter((message) => message["role"] === "system" || message["role"] === "developer")
        .map((message) => contentText(message["content"]))
        .join("\n"),
      userText: contentText(messages.findLast((message) => message["role"] === "user")?.["content"]),
      outputs: messages
        .filter((message) => message["role"] === "tool")
        .map((message) => ({ callId: textOf(message["tool_call_id"]), text: contentText(message["content"]) })),
    }
  },
  responses(body) {
    const items = typeof body["input"] === "string" ? [{ role: "user", content: body["input"] }] : listOf(body["input"])
    const systems = items.filter((item) => item["role"] === "system" || item["role"] === "developer")
    return {
      tools: listOf(body["tools"]).map((tool) => textOf(tool["name"] ?? tool["type"])),
      system: [textOf(body["instructions"]), ...systems.map((item) => contentText(item["content"]))]
        .filter((text) => text !== "")
        .join("\n"),
      userText: contentText(items.findLast((item) => item["role"] === "user")?.["content"]),
      outputs: items
        .filter((item) => textOf(item["type"]).endsWith("_output"))
        .map((item) => ({ callId: textOf(item["call_id"]), text: contentText(item["output"]) })),
    }
  },
  messages(body) {
    const messages = listOf(body["messages"])
    const results = messages
      .flatMap((message) => (typeof message["content"] === "string" ? [] : listOf(message["content"])))
      .filter((block) => block["type"] === "tool_result")
    const asked = messages.findLast((message) => message["role"] === "user" && contentText(message["content"]) !== "")
    return {
      tools: listOf(body["tools"]).map((tool) => textOf(tool["name"])),
      system: contentText(body["system"]),
      userText: contentText(asked?.["content"]),
      outputs: results.map((block) => ({ callId: textOf(block["tool_use_id"]), text: contentText(block["content"]) })),
    }
  },
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")
const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
const listOf = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.map(fieldsOf).filter((item): item is Fields => item !== undefined) : []

/** A text, or the texts of a list of parts; images and other parts count as nothing. */
const contentText = (content: unknown): string =>
  typeof content === "string"
    ? content
    : listOf(content)
        .map((part) => textOf(part["text"]))
        .join("")
