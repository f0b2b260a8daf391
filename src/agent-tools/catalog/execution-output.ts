// What a model reads of an execution: its result, its failure, or what it waits for and what to do next.
import { isCallCode, isEnvelope } from "../../core/call/code.ts"
import { isBase64, takeFilesOut } from "../../core/call/result-files.ts"
import { readWholeResult } from "../../core/call/whole-result.ts"
import type { ExecutionReply, StructuredOutcome } from "../../core/execution.ts"
import type { ToolFile, ToolResult } from "../../core/result.ts"
import { logText } from "../../core/text/logs.ts"
import { withNextStep, withReminder } from "../../core/text/next-step.ts"
import type { AskedBy } from "../../core/text/next-step.ts"
import { executorCommand } from "../../io/executor-command.ts"
import type { ContentItem, ToolOutput } from "../tool.ts"
import type { CatalogExecutor } from "./catalog-executor.ts"

type Ended = Exclude<StructuredOutcome, { status: "waiting_for_interaction" }>

type ResultReader = { readonly executions: Pick<CatalogExecutor["executions"], "result"> }

/** `isUnanswered`: the model knows the questions already. */
export type Outcome = { readonly reply: ExecutionReply; readonly code: string; readonly isUnanswered?: boolean }

/** An execution that waits or runs has neither succeeded nor failed, so that its output says nothing of success. */
export async function executionOutput({ reply, code, isUnanswered = false }: Outcome, executor: ResultReader): Promise<ToolOutput> {
  const { structured } = reply
  const isCall = isCallCode(code)
  const by: AskedBy = { mode: "browser", command: executorCommand, again: isCall ? "call the tool" : "run the code" }
  if (structured.status === "waiting_for_interaction" || structured.status === "running")
    return { type: "function", content: (isUnanswered ? withReminder(reply, by) : withNextStep(reply, by)).text }
  if (isCall && structured.error === undefined) {
    const result = await readWholeResult(reply, executor)
    if (isEnvelope(result)) return resultOutput(result)
  }
  return codeOutput(reply, structured)
}

/** The answer of one tool. */
function resultOutput(result: ToolResult): ToolOutput {
  const notices = result.notice === undefined ? [] : [result.notice.message]
  if (!result.ok) {
    const { code, message, details } = result.error
    const more = details === undefined ? [] : [JSON.stringify(details)]
    return { type: "function", content: [`${code}: ${message}`, ...more, ...notices].join("\n"), success: false }
  }
  const { value, blocks } = takeFilesOut(result.data, showFile)
  return shown([write(value), ...notices].join("\n\n"), blocks, true)
}

/** What code returned, with its logs, and what it emitted. */
function codeOutput(reply: ExecutionReply, structured: Ended): ToolOutput {
  const result = takeFilesOut(structured.result, showFile)
  const emitted = structured.emitted.map((value) => takeFilesOut(value, showFile))
  // The text of the reply would hold the bytes of files, which no model can read.
  const said = result.blocks.length === 0 ? reply.text : [write(result.value), ...logsOf(structured)].join("\n\n")
  const text = [said, ...emitted.map(({ value }) => `Emitted: ${write(value)}`)].join("\n\n")
  return shown(text, [...result.blocks, ...emitted.flatMap(({ blocks }) => blocks)], !reply.isError)
}

const logsOf = ({ logs }: Ended): string[] => (logs.length === 0 ? [] : [`Logs:\n${logText(logs)}`])

type FileBlock = Extract<ContentItem, { type: "input_image" }> | { readonly type: "not_shown" }

/** Models see images. Of other files they read the name, the type and the size. */
const showFile = (file: ToolFile): FileBlock =>
  typeof file.mimeType === "string" && file.mimeType.startsWith("image/") && isBase64(file.data)
    ? { type: "input_image", image_url: `data:${file.mimeType};base64,${file.data}` }
    : { type: "not_shown" }

function shown(content: string, blocks: readonly FileBlock[], success: boolean): ToolOutput {
  const images = blocks.filter((block) => block.type === "input_image")
  if (images.length === 0) return { type: "function", content, success }
  return { type: "function", content, contentItems: [{ type: "input_text", text: content }, ...images], success }
}

const write = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined"))
