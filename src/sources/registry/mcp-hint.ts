// Asks an MCP server whether one of its tools only reads, before a tool that calls it is published.
//
// It is the best that can be known: a server that is away, slow, or does not say leaves the tool as it was written.
import { isRecord } from "../../core/json/record.ts"
import { performance } from "node:perf_hooks"
import { askMcpServer, inSession, wantsSession } from "./mcp-call.ts"
import type { McpRequest } from "./mcp-call.ts"

/** Lists of tools that are longer are not read to their end. */
const pagesMax = 20

/** Null: nobody knows. */
export async function readOnlyHint(request: McpRequest, toolName: string): Promise<boolean | null> {
  const deadlineMs = performance.now() + request.timeoutMs
  const leftMs = (): number => Math.max(1, Math.ceil(deadlineMs - performance.now()))
  let cursor: string | undefined
  for (let page = 0; page < pagesMax && performance.now() < deadlineMs; page += 1) {
    const asked = await askMcpServer({ ...request, timeoutMs: leftMs() }, "tools/list", cursor === undefined ? {} : { cursor })
    if (!asked.ok) return null
    if (wantsSession(asked.answer, asked.message)) return hintInSession(request, toolName, leftMs())
    const result = asked.message?.result
    if (!isRecord(result) || !Array.isArray(result["tools"])) return null
    const found = (result["tools"] as unknown[]).find((tool) => isRecord(tool) && tool["name"] === toolName)
    if (found !== undefined) return hintOf(found)
    if (typeof result["nextCursor"] !== "string") return null
    cursor = result["nextCursor"]
  }
  return null
}

async function hintInSession(request: McpRequest, toolName: string, timeoutMs: number): Promise<boolean | null> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)])
  const { tools } = await inSession(request, timeoutMs, ({ client }) => client.listTools(undefined, { signal, timeout: timeoutMs }))
  return hintOf(tools.find(({ name }) => name === toolName))
}

function hintOf(tool: unknown): boolean | null {
  const annotations = isRecord(tool) ? tool["annotations"] : undefined
  const hint = isRecord(annotations) ? annotations["readOnlyHint"] : undefined
  return typeof hint === "boolean" ? hint : null
}
