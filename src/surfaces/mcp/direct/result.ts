// What a client of the pass-through is answered: the upstream's own answer, or the envelope as content.
import { isRecord } from "../../../core/json/record.ts"
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server"
import type { ToolResult } from "../../../core/result.ts"
import type { Limits } from "../../../core/limits.ts"
import { takeFiles } from "../tools/result-files.ts"

/** `kind`: of the source. An MCP server's answer stays as it came, and any other is data, however much it looks like one. */
export function toDirectResult(result: ToolResult, kind: string, address: string, limits: Limits): CallToolResult {
  const notices = result.notice === undefined ? [] : [text(result.notice.message)]
  if (!result.ok) {
    const { code, message } = result.error
    return { content: [text(`${code}: ${message}`), ...notices], structuredContent: { error: { ...result.error } }, isError: true }
  }
  if (kind === "mcp" && isRawResult(result.data)) return result.data
  const { value, blocks } = takeFiles(result.data, `executor://tools/${encodeURIComponent(address)}`)
  const words = typeof value === "string" ? value : (JSON.stringify(value) ?? "null")
  const whole = (JSON.stringify(value) ?? "null").length
  const isWhole = whole <= structuredCharsMax
  const rest = isWhole ? "the whole is in the structured content" : `it has ${whole} characters, ask for less of it`
  const shown = words.length <= limits.resultTextCharsMax ? words : `${words.slice(0, limits.resultTextCharsMax)}… (cut; ${rest})`
  return {
    content: [text(shown), ...blocks, ...notices],
    structuredContent: isWhole ? asObject(value) : { isCut: true, note: `The result was cut: ${rest}` },
  }
}

/** The source has read it with the protocol's own schemas. */
const isRawResult = (data: unknown): data is CallToolResult =>
  typeof data === "object" && data !== null && "content" in data && Array.isArray(data.content)

/** What a client keeps of one answer without harm. */
const structuredCharsMax = 1_000_000

/** Clients of older revisions take objects only. */
const asObject = (value: unknown): Record<string, unknown> => (isRecord(value) ? { ...value } : { result: value })

const text = (said: string): ContentBlock => ({ type: "text", text: said })
