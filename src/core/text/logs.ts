// The log lines of an execution as one text.
import type { LogLine } from "../execution.ts"

export const logText = (logs: readonly LogLine[]): string => logs.map(lineText).join("\n")

const lineText = ({ level, text, tool }: LogLine): string =>
  `${tool === undefined ? "" : `${tool}: `}${level === "log" ? text : `[${level}] ${text}`}`

/** The first lines and the last ones, where not all fit: how it began, and how it ended. */
export function logsWithin(logs: readonly LogLine[], charsMax: number, sizeOf = sizeAsText): readonly LogLine[] {
  if (logs.reduce((sum, line) => sum + sizeOf(line), 0) <= charsMax) return logs
  const room = (charsMax - noteChars) / 2
  const short = logs.map((line) => ({ ...line, text: line.text.length > room / 4 ? `${line.text.slice(0, room / 4)}…` : line.text }))
  const fitting = (lines: readonly LogLine[]): number => {
    let left = room
    const end = lines.findIndex((line) => (left -= sizeOf(line)) < 0)
    return end < 0 ? lines.length : end
  }
  const first = fitting(short)
  const last = fitting(short.slice(first).toReversed())
  const hidden = logs.length - first - last
  if (hidden === 0) return short
  const note = {
    level: "warn",
    text: `… ${hidden} ${hidden === 1 ? "line is" : "lines are"} left out here; log less, or return the values.`,
  }
  return [...short.slice(0, first), note, ...short.slice(logs.length - last)]
}

const sizeAsText = (line: LogLine): number => lineText(line).length + 1
const noteChars = 100
