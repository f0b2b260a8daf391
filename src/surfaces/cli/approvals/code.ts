// The lines of code behind a question, around the one that makes the call.
import { executorCommand } from "../../../io/executor-command.ts"
import type { Interaction } from "../../../core/execution.ts"
import { isCallCode } from "../../../core/call/code.ts"
import { counted } from "../print/count.ts"
import { safeLine, safeText } from "../../../core/text/safe.ts"
import { fitText } from "../print/width.ts"

const linesBefore = 2
const linesAfter = 4
const lineWidthMax = 160

/** Empty for one call: its tool and arguments are all of its code. */
export function codeLines(code: string, { approvalId, line }: Pick<Interaction, "approvalId" | "line">): string[] {
  if (isCallCode(code)) return []
  const all = code.trimEnd().split(/\r?\n/)
  const at = line !== undefined && line <= all.length ? line - 1 : null
  const start = Math.max(0, (at ?? 0) - linesBefore)
  const shown = all.slice(start, (at ?? linesBefore) + linesAfter + 1)
  const width = String(start + shown.length).length
  const isCut = shown.some((text) => lineText(text) !== safeLineOfCode(text))
  const more = all.length - shown.length
  return [
    "  Code:",
    ...shown.map((text, index) => {
      const mark = start + index === at ? ">" : " "
      return `  ${mark} ${String(start + index + 1).padStart(width)}  ${lineText(text)}`.trimEnd()
    }),
    ...(more > 0 || isCut ? [`    ${moreText(more)}: ${executorCommand} approvals show ${safeLine(approvalId)}`] : []),
  ]
}

const moreText = (count: number): string => (count > 0 ? `… ${counted(count, "more line")}` : "… the whole code")
const safeLineOfCode = (text: string): string => safeText(text.replaceAll("\t", "  "))
const lineText = (text: string): string => fitText(safeLineOfCode(text), lineWidthMax)
