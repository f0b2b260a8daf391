// What a model reads of an output, in the words that all model APIs share: a text, images, and whether it failed.
import type { CallToolResult } from "@modelcontextprotocol/client"
import type { ResponseInputItem } from "../response-item.ts"
import type { ContentItem } from "../tool.ts"

export type OutputContent = {
  readonly text: string
  /** With its images, in their places; absent if there are none. */
  readonly items?: readonly ContentItem[]
  readonly isFailure: boolean
}

export function outputContent(item: ResponseInputItem): OutputContent {
  switch (item.type) {
    case "custom_tool_call_output":
      return { text: item.output, isFailure: false }
    case "function_call_output": {
      const { content, contentItems, success } = item.output
      const isFailure = success === false
      if (contentItems === undefined) return { text: content, isFailure }
      const texts = contentItems.flatMap((one) => (one.type === "input_text" ? [one.text] : []))
      return { text: texts.length > 0 ? texts.join("\n") : content, ...withImages(contentItems), isFailure }
    }
    case "mcp_tool_call_output":
      return item.result.ok ? mcpContent(item.result.value) : { text: item.result.error, isFailure: true }
  }
}

function mcpContent(result: CallToolResult): OutputContent {
  const isFailure = result.isError === true
  const items = result.content.map(toContentItem)
  const texts = items.flatMap((one) => (one.type === "input_text" ? [one.text] : []))
  // A server that has a structured answer repeats it as text for clients that know none.
  const structured = result.structuredContent === undefined ? null : JSON.stringify(result.structuredContent)
  if (structured === null) return { text: texts.join("\n"), ...withImages(items), isFailure }
  const images = items.filter((one) => one.type === "input_image")
  return { text: structured, ...withImages([{ type: "input_text", text: structured }, ...images]), isFailure }
}

const withImages = (items: readonly ContentItem[]): { readonly items?: readonly ContentItem[] } =>
  items.some((one) => one.type === "input_image") ? { items } : {}

function toContentItem(block: CallToolResult["content"][number]): ContentItem {
  switch (block.type) {
    case "text":
      return { type: "input_text", text: block.text }
    case "image":
      return { type: "input_image", image_url: `data:${block.mimeType};base64,${block.data}` }
    case "audio":
      return { type: "input_text", text: `[audio of type ${block.mimeType}]` }
    case "resource_link":
      return { type: "input_text", text: `${block.name}: ${block.uri}` }
    case "resource":
      if ("text" in block.resource) return { type: "input_text", text: block.resource.text }
      return { type: "input_text", text: `[${block.resource.mimeType ?? "binary"} at ${block.resource.uri}]` }
  }
}
