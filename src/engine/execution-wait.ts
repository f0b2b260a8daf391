// Waits until an execution that somebody else runs comes to rest.
import { setTimeout as sleep } from "node:timers/promises"
import type { ExecutionRow } from "../store/execution-store.ts"
import type { EngineParts } from "./engine-parts.ts"

const pollMs = 100

/** On this node by its promise, on another by its row. */
export async function waitForRest(row: ExecutionRow, parts: EngineParts, signal?: AbortSignal): Promise<ExecutionRow> {
  const here = parts.live.get(row.id)
  return here === undefined ? pollForRest(row, parts, signal) : here.ended
}

export async function pollForRest(row: ExecutionRow, parts: EngineParts, signal?: AbortSignal): Promise<ExecutionRow> {
  const giveUpMs = parts.clock.monotonicMs() + parts.limits.executionWallMsMax
  const who = { tenant: row.tenant, user: null, tokenId: null }
  for (;;) {
    const now = await parts.executions.executions.get(who, row.id)
    if (now === null || (now.status !== "running" && !isSame(now, row)) || parts.clock.monotonicMs() > giveUpMs) return now ?? row
    if ((now.status !== "running" && now.status !== "paused") || signal?.aborted === true) return now
    await sleep(pollMs)
  }
}

/** Still the pause from which it was to be taken up. */
const isSame = (now: ExecutionRow, before: ExecutionRow): boolean =>
  now.status === before.status && now.run === before.run && before.status === "paused"
