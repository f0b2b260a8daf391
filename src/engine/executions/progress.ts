// How far an execution is that still runs: what it has done and logged, for whoever does not wait for its end.
import type { ExecutionReply, LogLine } from "../../core/execution.ts"
import type { Principal } from "../../core/principal.ts"
import { readJournal } from "./children/scope.ts"
import { recapCalls } from "./call-recap.ts"
import type { EngineParts } from "../engine-parts.ts"
import { getExecution } from "../execution-access.ts"
import type { ActiveRun } from "./run-registry.ts"
import { readLogs } from "../programs/tool-logs.ts"

/** The latest lines say how far it is; all of them come with its end. */
const logCharsMax = 2000
const lineCharsMax = 500

/** From the run itself where it is here, otherwise from what is stored of it. */
export async function progressOf(principal: Principal, id: string, parts: EngineParts): Promise<ExecutionReply> {
  const live = parts.runs.get(id)
  const { calls, logs, time } =
    live?.isVisibleTo(principal) === true
      ? { calls: live.calls(), logs: live.logs, time: timeText(live.time()) }
      : await stored(principal, id, parts)
  const recaps = recapCalls(calls, "not_yet")
  return {
    executionId: id,
    status: "running",
    text: `Execution ${id} is still running${time}.`,
    structured: {
      status: "running",
      result: null,
      logs: lastLines(logs),
      emitted: [],
      ...(recaps.length === 0 ? {} : { calls: recaps }),
    },
    isError: false,
  }
}

async function stored(principal: Principal, id: string, parts: EngineParts) {
  const row = await getExecution(principal, id, parts)
  const { calls } = await readJournal(row, parts)
  return { calls, logs: readLogs(row.logs), time: "" }
}

const timeText = ({ usedMs, wallMs }: ReturnType<ActiveRun["time"]>): string => ` (${Math.round(usedMs / 1000)} of ${wallMs / 1000} s)`

function lastLines(logs: readonly LogLine[]): LogLine[] {
  let room = logCharsMax
  const left = logs.findLastIndex(({ text }) => (room -= Math.min(text.length, lineCharsMax)) < 0) + 1
  const kept = logs
    .slice(left)
    .map((line) => ({ ...line, text: line.text.length > lineCharsMax ? `${line.text.slice(0, lineCharsMax)}…` : line.text }))
  return left === 0 ? kept : [{ level: "info", text: `… ${left} earlier ${left === 1 ? "line is" : "lines are"} not shown` }, ...kept]
}
