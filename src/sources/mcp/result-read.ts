// Translates a server's result into what code expects: plain values, texts and files.
//
// Structured content is the data. Without it a single block is the data itself, several are an array of them, in order.
import type { CallToolResult, ContentBlock, GetPromptResult, ReadResourceResult, ResourceContents } from "@modelcontextprotocol/client"
import type { Limits } from "../../core/limits.ts"
import { fail, succeed, toolFile } from "../../core/result.ts"
import type { ToolResult } from "../../core/result.ts"

const messageCharsMax = 1000

export function readToolResult(result: CallToolResult, limits: Limits): ToolResult {
  if (result.isError === true) return readError(result, limits)
  if (result.structuredContent !== undefined) return succeed(result.structuredContent)
  return succeed(single(result.content.map(readBlock)))
}

export const readResource = (result: ReadResourceResult): ToolResult => succeed(single(result.contents.map(readContents)))

export const readPrompt = ({ description, messages }: GetPromptResult): ToolResult =>
  succeed({
    ...(description === undefined ? {} : { description }),
    messages: messages.map(({ role, content }) => ({ role, content: readBlock(content) })),
  })

function readError(result: CallToolResult, limits: Limits): ToolResult {
  const texts = result.content.flatMap((block) => (block.type === "text" ? [block.text] : []))
  const message = texts.join("\n").trim() || "The tool failed without saying why"
  const details = result.structuredContent ?? single(result.content.map(readBlock))
  const isSmall = JSON.stringify(details).length <= limits.errorDetailsBytesMax
  return fail("upstream_error", message.slice(0, messageCharsMax), isSmall && details !== message ? { details } : {})
}

const single = (items: readonly unknown[]): unknown => (items.length === 0 ? null : items.length === 1 ? items[0] : items)

function readBlock(block: ContentBlock): unknown {
  switch (block.type) {
    case "text":
      return block.text
    case "image":
    case "audio":
      return toolFile(Buffer.from(block.data, "base64"), block.mimeType)
    case "resource_link": {
      const { _meta, annotations: _annotations, icons: _icons, ...link } = block
      return link
    }
    case "resource":
      return readContents(block.resource)
  }
}

function readContents(contents: ResourceContents | ReadResourceResult["contents"][number]): unknown {
  const { uri, mimeType } = contents
  if ("blob" in contents && typeof contents.blob === "string")
    return toolFile(Buffer.from(contents.blob, "base64"), mimeType ?? "application/octet-stream", fileName(uri))
  const words = "text" in contents && typeof contents.text === "string" ? { text: contents.text } : {}
  return { uri, ...(mimeType === undefined ? {} : { mimeType }), ...words }
}

/** The last part of the path; the whole of a URI that has none. */
const fileName = (uri: string): string =>
  uri
    .split(/[?#]/, 1)[0]
    ?.split("/")
    .findLast((part) => part !== "") ?? uri
