// Waits until an execution that another request or node runs has ended or paused.
import { setTimeout as sleep } from "node:timers/promises"
import type { ExecutionRow } from "../../store/execution-store.ts"
import type { EngineParts } from "../engine-parts.ts"
import { LeaseLost } from "./run-registry.ts"

const pollMs = 100

/** On this node by its promise, on another by its row. */
export async function awaitSettled(row: ExecutionRow, parts: EngineParts): Promise<ExecutionRow> {
  const here = parts.runs.get(row.id)
  return here === undefined ? pollUntilSettled(row, parts) : awaitSettledElsewhere(row, here.ended, parts)
}

/** A run that lost its lease ends here at once; the execution settles on the node that took it. */
export async function awaitSettledElsewhere(
  row: Pick<ExecutionRow, "tenant" | "id">,
  ended: Promise<ExecutionRow>,
  parts: EngineParts,
): Promise<ExecutionRow> {
  try {
    return await ended
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
    const taken = await parts.executions.executions.get({ tenant: row.tenant, user: null, tokenId: null }, row.id)
    if (taken === null) throw error
    return taken.status === "running" ? pollUntilSettled(taken, parts) : taken
  }
}

async function pollUntilSettled(row: ExecutionRow, parts: EngineParts): Promise<ExecutionRow> {
  const giveUpMs = parts.clock.monotonicMs() + parts.limits.executionWallMsMax
  const who = { tenant: row.tenant, user: null, tokenId: null }
  for (;;) {
    const now = await parts.executions.executions.get(who, row.id)
    if (now === null || (now.status !== "running" && !isSame(now, row)) || parts.clock.monotonicMs() > giveUpMs) return now ?? row
    if (now.status !== "running" && now.status !== "paused") return now
    await sleep(pollMs)
  }
}

/** Still the pause from which it was to be taken up. */
const isSame = (now: ExecutionRow, before: ExecutionRow): boolean =>
  now.status === before.status && now.run === before.run && before.status === "paused"
