// Ends runs that agents started without running them: with their root, or because somebody cancelled one of them.
import type { RunError } from "../../../core/execution.ts"
import type { ExecutionHead, ExecutionRow, JournalRecord } from "../../../store/execution-store.ts"
import type { EngineParts } from "../../engine-parts.ts"

/** No run of a root comes to it: what was cancelled on its own stays cancelled, whatever its root still writes. */
const cancelledRun = 2 ** 30

export const isCancelledAlone = ({ run }: Pick<ExecutionRow, "run">): boolean => run === cancelledRun

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

/** The run with those below it. */
export function cancelledAlone(
  row: ExecutionRow,
  below: readonly ExecutionHead[],
  error: RunError,
  parts: Pick<EngineParts, "clock">,
): ExecutionRow[] {
  const inner = below.filter(({ rootKey, endedAt }) => endedAt === null && rootKey?.startsWith(`${row.rootKey}/`) === true)
  return [endedRow(row, cancelledRun, error, parts), ...inner.map((one) => endedRow(one, cancelledRun, error, parts))]
}

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
