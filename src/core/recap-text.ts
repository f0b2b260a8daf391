// The calls that an execution has made so far, for a model to read.
import type { CallRecap } from "./execution.ts"

/** One paragraph, or nothing if nothing was called. `done`: how to name the completed writes. */
export function recapText(recaps: readonly CallRecap[], done: string): string {
  const of = (outcome: CallRecap["outcome"], isRead: boolean): CallRecap[] =>
    recaps.filter((recap) => recap.outcome === outcome && (recap.effect === "read") === isRead)
  const underWay = [...of("under_way", false), ...of("under_way", true)]
  const reads = Map.groupBy(of("done", true), (recap) => recap.tool)
  return [
    ...titled(done, of("done", false)),
    ...titled("May have happened, check before repeating", [...of("unknown", false), ...of("unknown", true)]),
    ...titled("Still under way", underWay),
    ...(reads.size === 0
      ? []
      : [`Read before: ${Array.from(reads, ([tool, calls]) => (calls.length === 1 ? tool : `${tool} ×${calls.length}`)).join(", ")}`]),
  ].join("\n")
}

function titled(title: string, recaps: readonly CallRecap[]): string[] {
  const lines = recaps.map(({ tool, args, answer }) => `${tool}(${args === "{}" ? "" : args})${answer === undefined ? "" : ` → ${answer}`}`)
  if (lines.length === 0) return []
  return lines.length === 1 ? [`${title}: ${lines[0]}`] : [`${title}:`, ...lines.map((line) => `- ${line}`)]
}
