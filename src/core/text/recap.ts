// The calls that an execution has made so far, for a model to read.
import type { CallRecap } from "../execution.ts"

/** How the writes that were made are named, and the calls that go on. */
export type RecapTitles = { readonly done: string; readonly underWay: string }

export const failedTitles: RecapTitles = { done: "Already done, do not repeat", underWay: "Still under way, not stopped" }
export const soFarTitles: RecapTitles = { done: "Done so far", underWay: "Still under way" }

/** One paragraph, or nothing where nothing was called. */
export function recapText(recaps: readonly CallRecap[], titles: RecapTitles): string {
  const of = (outcome: CallRecap["outcome"], isRead: boolean): CallRecap[] =>
    recaps.filter((recap) => recap.outcome === outcome && (recap.effect === "read") === isRead)
  const reads = Map.groupBy(of("done", true), (recap) => recap.tool)
  return [
    ...titled(titles.done, of("done", false)),
    ...titled("May have happened, check before repeating", [...of("unknown", false), ...of("unknown", true)]),
    ...titled(titles.underWay, [...of("under_way", false), ...of("under_way", true)]),
    ...titled("Not made", [...of("not_made", false), ...of("not_made", true)]),
    ...titled("Stopped before it answered", of("stopped", true)),
    ...(reads.size === 0 ? [] : [`Reads made: ${Array.from(reads, ([tool, calls]) => `${tool}${times(countOf(calls))}`).join(", ")}`]),
  ].join("\n")
}

const countOf = (recaps: readonly CallRecap[]): number => recaps.reduce((sum, { count = 1 }) => sum + count, 0)

const times = (count: number): string => (count === 1 ? "" : ` ×${count}`)

function titled(title: string, recaps: readonly CallRecap[]): string[] {
  const lines = recaps.map(lineOf)
  if (lines.length === 0) return []
  return lines.length === 1 ? [`${title}: ${lines[0]}`] : [`${title}:`, ...lines.map((line) => `- ${line}`)]
}

function lineOf({ tool, args, answer, count }: CallRecap): string {
  if (count !== undefined) return `${tool}, ${count} more`
  return `${tool}(${args === "{}" ? "" : args})${answer === undefined ? "" : ` → ${answer}`}`
}
