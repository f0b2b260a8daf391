// Keeps the lines that the code of tools logs while it performs calls, among those that the execution's own code logs.
//
// Own lines come again with every run, because the code is replayed. Those of a tool come again only if its code is: what
// was done in an earlier run is answered from the journal, so that its lines are kept with the execution until then.
import type { LogLine } from "../../core/execution.ts"
import type { Limits } from "../../core/limits.ts"

/** `call`: the key of the call that the tool performs. `after`: how many own lines came before. */
type ToolLine = LogLine & { readonly call: string; readonly after: number }

export type ToolLogs = {
  /** The execution's own code has logged a line. */
  own(): void
  /** The code of a tool starts to perform this call: what it logged before it logs again. */
  begin(call: string): void
  add(call: string, line: LogLine): void
  /** All lines, as they are stored. */
  with(own: readonly LogLine[]): readonly (LogLine | ToolLine)[]
}

/** As a run stored them. */
export const readLogs = (stored: string): LogLine[] =>
  (JSON.parse(stored) as LogLine[]).map(({ level, text, tool }) => ({ level, text, ...(tool === undefined ? {} : { tool }) })) // written below

export function openToolLogs(stored: string, { logLinesMax, logBytesMax }: Pick<Limits, "logLinesMax" | "logBytesMax">): ToolLogs {
  const known = JSON.parse(stored) as (LogLine | ToolLine)[] // written below
  let lines = known.filter((line): line is ToolLine => "call" in line && line.call !== "")
  let ownLines = known.filter((line) => !("call" in line)).length
  let dropped = 0
  return {
    own() {
      ownLines += 1
    },
    begin(call) {
      lines = lines.filter((line) => line.call !== call)
    },
    add(call, line) {
      const bytes = lines.reduce((sum, { text }) => sum + text.length, line.text.length)
      if (lines.length >= logLinesMax || bytes > logBytesMax) dropped += 1
      else lines.push({ ...line, call, after: ownLines })
    },
    with(own) {
      const before = Map.groupBy(lines, ({ after }) => Math.min(after, own.length))
      const merged = [...own.keys(), own.length].flatMap((position) => [
        ...(before.get(position) ?? []),
        ...own.slice(position, position + 1),
      ])
      return dropped === 0 ? merged : [...merged, { ...droppedNote(dropped), call: "", after: own.length }]
    },
  }
}

const droppedNote = (count: number): LogLine => ({
  level: "warn",
  text: `${count} more ${count === 1 ? "line that tools logged is" : "lines that tools logged are"} left out; log less`,
})
