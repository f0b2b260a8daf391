// Counts the tools that patterns of rules match today, of those that the reader sees.
import { ToolAddress, withoutRoot } from "../../core/address.ts"
import type { PatternCount } from "../../core/console/backtest.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Principal } from "../../core/principal.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import { compilePattern, matchesSegments } from "../../policy/match.ts"
import { toolPages } from "../../store/all-rows.ts"
import { toolKeyOf } from "../../store/store.ts"
import { readPattern } from "./pattern.ts"
import type { PatternParts } from "./pattern.ts"

const batchRows = 2000
const toolsShown = 20

/** One pass over the catalog, however many patterns there are. */
export async function countMatches(
  principal: Principal,
  patterns: readonly string[],
  parts: PatternParts,
  signal?: AbortSignal,
): Promise<PatternCount[]> {
  if (principal.kind === "agent") throw new ExecutorError("forbidden", "Agents cannot try patterns of policies; ask a human")
  const access = await parts.access.of(principal)
  const read = await Promise.all(
    patterns.map(async (pattern) => ({ pattern, readAs: (await readPattern(principal, pattern, parts)).pattern })),
  )
  const counted = read.map((one) => ({ ...one, compiled: compilePattern(one.readAs), count: 0, tools: new Array<string>() }))
  const meet = (path: string): void => {
    const segments = path.split(".")
    for (const one of counted) {
      if (!matchesSegments(one.compiled, segments)) continue
      one.count += 1
      if (one.tools.length < toolsShown) one.tools.push(path)
    }
  }
  if (access !== null) {
    const slices = createTimeSlices(signal)
    const { choose, isVisible } = access
    for await (const rows of toolPages(principal, choose === null ? {} : { choose }, parts.store, batchRows))
      for (const row of rows) {
        meet(withoutRoot(ToolAddress.format(toolKeyOf(row))))
        if (slices.isOver()) await slices.next()
      }
    for (const { fqid } of parts.staticTools.list()) if (isVisible(fqid)) meet(fqid)
  }
  return counted.map(({ pattern, readAs, count, tools }) => ({ pattern, readAs, count, tools }))
}
