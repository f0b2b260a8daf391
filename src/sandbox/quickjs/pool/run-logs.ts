// The log lines of a run as they are reported: within the limits, with what the sandbox has to say of the run at the end.
import type { LogLine } from "../../sandbox.ts"

export type LogLimits = { readonly logLinesMax: number; readonly logBytesMax: number }

export type RunLogs = { readonly logs: readonly LogLine[]; readonly dropped: number }

const bytesOf = (lines: readonly LogLine[]): number => lines.reduce((sum, line) => sum + Buffer.byteLength(line.text), 0)

/** Notices take the place of the last lines where there is no room for both, and lines that are missing are told of. */
export function reportLogs(lines: readonly LogLine[], notices: readonly LogLine[], dropped: number, limits: LogLimits): RunLogs {
  if (notices.length === 0 && dropped === 0) return { logs: lines, dropped }
  let bytes = bytesOf(lines)
  for (let kept = lines.length; ; kept--) {
    const missing = dropped + lines.length - kept
    const last = missing === 0 ? notices : [...notices, droppedLine(missing)]
    const fits = kept + last.length <= limits.logLinesMax && bytes + bytesOf(last) <= limits.logBytesMax
    if (fits || kept === 0) return { logs: [...lines.slice(0, kept), ...last], dropped: missing }
    bytes -= Buffer.byteLength(lines[kept - 1]?.text ?? "")
  }
}

const droppedLine = (count: number): LogLine => ({
  level: "warn",
  text: `… ${count} more ${count === 1 ? "line was" : "lines were"} dropped: log less, or return the values.`,
})
