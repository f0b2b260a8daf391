// What a model reads of a command: its output, how it ended, and how long it took.
import { stripVTControlCharacters } from "node:util"
import { safeText } from "../../core/text/safe.ts"
import { FunctionCallError } from "../function-call-error.ts"
import type { CommandResult } from "../shell-sandbox/command-run.ts"
import type { ToolOutput } from "../tool.ts"
import { tokensOf, truncateText } from "../truncate.ts"

/** As shells and the program `timeout` have it. */
const exitCodes = { timedOut: 124, killed: 137 }

export function shellOutput({ end, output, durationMs }: CommandResult, tokensMax: number): ToolOutput {
  const text = readableText(output)
  switch (end.kind) {
    case "exited":
      return answer(text, end.exitCode, durationMs, tokensMax)
    case "timed_out":
      return answer(`command timed out after ${end.timeoutMs} milliseconds\n${text}`, exitCodes.timedOut, durationMs, tokensMax)
    case "exceeded":
      return answer(`command was stopped: ${end.reason}\n${text}`, exitCodes.killed, durationMs, tokensMax)
    case "not_started":
      throw FunctionCallError.respondToModel(`the command could not be started: ${end.reason}`)
    case "cancelled":
      throw FunctionCallError.respondToModel("aborted by user")
  }
}

/** The text as a terminal would leave it: without colours, and without what a progress bar has overwritten. */
export function readableText(output: string): string {
  const plain = stripVTControlCharacters(output).replaceAll("\r\n", "\n")
  return safeText(plain.includes("\r") ? plain.split("\n").map(lastWritten).join("\n") : plain)
}

const lastWritten = (line: string): string => line.split("\r").findLast((part) => part !== "") ?? ""

function answer(output: string, exitCode: number, durationMs: number, tokensMax: number): ToolOutput {
  const metadata = { exit_code: exitCode, duration_seconds: Math.round(durationMs / 100) / 10 }
  const json = (text: string): string => JSON.stringify({ output: text, metadata })
  // The answer would not be JSON any more if it were cut as a whole. Quoting makes it longer, so the text may have to be cut more.
  let content = json(output)
  for (let tokens = tokensMax; tokensOf(Buffer.byteLength(content)) > tokensMax && tokens > 0; tokens = Math.floor(tokens * 0.8)) {
    content = json(truncateText(output, tokens))
  }
  return { type: "function", content, success: exitCode === 0 }
}
