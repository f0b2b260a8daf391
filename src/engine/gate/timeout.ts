// How long one call of an execution may take.
import type { Limits } from "../../core/limits.ts"
import type { ExecutionRow } from "../../store/execution-store.ts"

/** Whoever gave the execution more time, or less, knows how long its calls take: one of them may use all of it. */
export const callTimeoutOf = ({ wallMs }: Pick<ExecutionRow, "wallMs">, { callTimeoutMs, executionWallMs }: Limits): number =>
  wallMs === executionWallMs ? callTimeoutMs : Math.max(callTimeoutMs, wallMs)
