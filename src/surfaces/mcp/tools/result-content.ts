// What a client is answered about an execution: structured content, bounded text, and what the code emitted as blocks.
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server"
import type { ExecutionReply, LogLine } from "../../../core/execution.ts"
import type { Limits } from "../../../core/limits.ts"
import { isToolFile } from "../../../core/result.ts"
import { logText } from "../../../core/text/logs.ts"
import { takeFiles } from "./result-files.ts"
import { boundStructured } from "./structured-bounds.ts"

export function toResult(reply: ExecutionReply, limits: Limits): CallToolResult {
  const { structured } = reply
  const uri = `executor://executions/${reply.executionId}`
  const emitted = structured.emitted.map((value, index) => ({ given: value, ...takeFiles(value, `${uri}/emitted/${index}`) }))
  const emittedBlocks = withinBounds(
    emitted.flatMap((one) => toBlocks(one.given, one.value, one.blocks, limits)),
    limits,
  )
  const shown = { emitted: emitted.map((one) => one.value) }
  if (structured.status === "waiting_for_interaction") {
    return {
      content: [text(reply.text), ...emittedBlocks],
      structuredContent: boundStructured({ ...structured, ...shown }, reply.executionId, limits.resultTextCharsMax),
      isError: reply.isError,
    }
  }
  // Whoever is told to come back later must know for what.
  const named = structured.status === "running" ? { executionId: reply.executionId } : {}
  const result = takeFiles(structured.result, `${uri}/result`)
  const said = result.blocks.length === 0 ? reply.text : withoutBytes(result.value, structured.logs, limits)
  return {
    content: [text(said), ...result.blocks, ...emittedBlocks],
    structuredContent: {
      ...named,
      ...boundStructured({ ...structured, result: result.value, ...shown }, reply.executionId, limits.resultTextCharsMax),
    },
    isError: reply.isError,
  }
}

const emittedBlocksMax = 100
const emittedFileCharsMax = 8_000_000

/** All that was emitted, up to what a client takes in one answer, and how much is left out. */
function withinBounds(blocks: readonly ContentBlock[], limits: Limits): ContentBlock[] {
  const left = { text: limits.resultTextCharsMax, file: emittedFileCharsMax }
  const kept = blocks.filter((block, index) => {
    const kind = block.type === "text" ? "text" : "file"
    const chars = block.type === "text" ? block.text.length : JSON.stringify(block).length
    if (index >= emittedBlocksMax || left[kind] <= 0) return false
    left[kind] -= chars
    return kind === "text" || left.file >= 0
  })
  const hidden = blocks.length - kept.length
  return hidden === 0 ? kept : [...kept, text(`${hidden} more emitted blocks are not shown; emit less, or return the values`)]
}

/** One emitted value: a file as itself, anything else as text with its files after it. */
function toBlocks(given: unknown, value: unknown, files: readonly ContentBlock[], limits: Limits): ContentBlock[] {
  return files.length === 1 && isToolFile(given) ? [...files] : [text(bounded(write(value), limits)), ...files]
}

/** The engine's text holds the bytes of the files, which no model can read. */
function withoutBytes(value: unknown, logs: readonly LogLine[], limits: Limits): string {
  return bounded([write(value), ...(logs.length === 0 ? [] : [`Logs:\n${logText(logs)}`])].join("\n\n"), limits)
}

const write = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined"))

const bounded = (said: string, limits: Limits): string =>
  said.length <= limits.resultTextCharsMax ? said : `${said.slice(0, limits.resultTextCharsMax)}… (cut)`

const text = (said: string): ContentBlock => ({ type: "text", text: said })

/** What went wrong before anything ran. */
export const toFailure = (message: string, code?: string): CallToolResult => ({
  content: [text(code === undefined ? message : `${code}: ${message}`)],
  isError: true,
})
