// Bounds the text of an output. Images are never cut: half of one is of no use.
import type { CallToolResult } from "@modelcontextprotocol/client"
import type { ContentItem, McpResult, ToolOutput } from "./tool.ts"
import { tokensOf, truncateText, truncateTexts } from "./truncate.ts"

export function truncateOutput(output: ToolOutput, tokensMax: number): ToolOutput {
  if (output.type === "mcp") return { type: "mcp", result: truncateMcpResult(output.result, tokensMax) }
  const content = truncateText(output.content, tokensMax)
  if (output.contentItems === undefined) return { ...output, content }
  return { ...output, content, contentItems: truncateItems(output.contentItems, tokensMax) }
}

function truncateItems(items: readonly ContentItem[], tokensMax: number): readonly ContentItem[] {
  return withTexts(
    items,
    (item) => (item.type === "input_text" ? item.text : null),
    (item, text) => (item.type === "input_text" ? { ...item, text } : item),
    tokensMax,
  )
}

function truncateMcpResult(result: McpResult, tokensMax: number): McpResult {
  if (!result.ok) return { ok: false, error: truncateText(result.error, tokensMax) }
  const { structuredContent, ...rest } = result.value
  const structured = JSON.stringify(structuredContent) as string | undefined
  if (structured === undefined || tokensOf(Buffer.byteLength(structured)) <= tokensMax)
    return { ok: true, value: { ...result.value, content: truncateBlocks(result.value.content, tokensMax) } }
  // Half of a JSON value is none, so it is shown as the text that servers are to send along with it.
  const hasText = rest.content.some((block) => block.type === "text")
  const content = hasText ? rest.content : [{ type: "text" as const, text: structured }, ...rest.content]
  return { ok: true, value: { ...rest, content: truncateBlocks(content, tokensMax) } }
}

type Block = CallToolResult["content"][number]

function truncateBlocks(blocks: readonly Block[], tokensMax: number): Block[] {
  return withTexts(blocks, blockText, withBlockText, tokensMax)
}

function blockText(block: Block): string | null {
  if (block.type === "text") return block.text
  return block.type === "resource" && "text" in block.resource ? block.resource.text : null
}

function withBlockText(block: Block, text: string): Block {
  if (block.type === "text") return { ...block, text }
  return block.type === "resource" && "text" in block.resource ? { ...block, resource: { ...block.resource, text } } : block
}

/** Cuts the texts of a list as one, and leaves out those of which nothing remains. */
function withTexts<T>(
  items: readonly T[],
  textOf: (item: T) => string | null,
  withText: (item: T, text: string) => T,
  tokensMax: number,
): T[] {
  const before = items.map(textOf).filter((text) => text !== null)
  const after = truncateTexts(before, tokensMax)
  let index = 0
  return items.flatMap((item) => {
    if (textOf(item) === null) return [item]
    const text = after[index] ?? ""
    const isGone = text === "" && before[index] !== ""
    index += 1
    return isGone ? [] : [withText(item, text)]
  })
}
