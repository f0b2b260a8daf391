// Ends runs that agents started without running them: with their root, or because somebody cancelled one of them.
import type { RunError } from "../../../core/execution.ts"
import { cancelledAloneRun } from "../../../store/execution-store.ts"
import type { ExecutionHead, ExecutionRow, JournalRecord } from "../../../store/execution-store.ts"
import type { EngineParts } from "../../engine-parts.ts"

export const isCancelledAlone = ({ run }: Pick<ExecutionRow, "run">): boolean => run === cancelledAloneRun

const rootEnded: RunError = { code: "cancelled", name: "CancelledError", message: "The run that called it has ended" }

export const withRoot = (row: ExecutionHead, run: number, parts: Pick<EngineParts, "clock">): ExecutionRow =>
  endedRow(row, run, rootEnded, parts)

/** Of a root that ends with this run. */
export async function endBelow(
  root: ExecutionRow,
  run: number,
  parts: Pick<EngineParts, "executions" | "clock">,
): Promise<JournalRecord[]> {
  const below = await parts.executions.executions.below(root)
  return below.filter(({ endedAt }) => endedAt === null).map((row) => ({ kind: "execution", row: withRoot(row, run, parts) }))
}

export const cancelledAlone = (row: ExecutionHead, error: RunError, parts: Pick<EngineParts, "clock">): ExecutionRow =>
  endedRow(row, cancelledAloneRun, error, parts)

/** Those below a run that have not ended. */
export const openBelow = ({ rootKey }: ExecutionRow, all: readonly ExecutionHead[]): ExecutionHead[] =>
  all.filter((one) => one.endedAt === null && one.rootKey?.startsWith(`${rootKey}/`) === true)

const endedRow = (row: ExecutionHead, run: number, error: RunError, { clock }: Pick<EngineParts, "clock">): ExecutionRow => ({
  ...row,
  run,
  status: "cancelled",
  expiresAt: null,
  endedAt: clock.now().toISOString(),
  result: null,
  error: JSON.stringify(error),
  logs: "[]",
  emitted: "[]",
})
