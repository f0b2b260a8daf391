// Keeps the leases of what runs here, and takes over what nobody runs any more.
//
// Every tick: renew the leases of the executions on this node, and stop those that were taken away; claim executions
// whose lease ran out (their node died) and replay them; end pauses that nobody answered in time; now and then forget
// old history. Nothing here talks to another node: the store's rows are the only coordinator.
import type { RunError } from "../core/execution.ts"
import type { EngineParts } from "./engine-parts.ts"
import { endStored } from "./cancel.ts"
import { load, newLease, runToRest } from "./execute.ts"

const takeMax = 20
const forgetEveryTicks = 200

export type Recovery = {
  /** One round, for whoever does not want to wait for the next tick. */
  tick(): Promise<void>
  stop(): Promise<void>
}

export function startRecovery(parts: EngineParts): Recovery {
  let ticks = 0
  let current: Promise<void> = Promise.resolve()
  const tick = (): Promise<void> => {
    current = current
      .then(() => round(ticks++ % forgetEveryTicks === 0, parts))
      .catch((error: unknown) => parts.log.error({ error: String(error) }, "Recovery failed; it is tried again"))
    return current
  }
  const timer = setInterval(() => void tick(), parts.leaseMs / 3)
  timer.unref()
  return {
    tick,
    async stop() {
      clearInterval(timer)
      await current
    },
  }
}

async function round(isForgetting: boolean, parts: EngineParts): Promise<void> {
  await renew(parts)
  const now = parts.clock.now().toISOString()
  const { executions } = parts.executions
  for (const row of await executions.tend({ kind: "take_expired", lease: newLease(parts), now, limit: takeMax })) {
    parts.log.warn({ executionId: row.id, run: row.run }, "Taking over an execution whose node is gone")
    const ready = await load(row, new AbortController(), parts)
    runToRest(ready, parts).catch((error: unknown) =>
      parts.log.error({ executionId: row.id, error: String(error) }, "A recovered execution failed"),
    )
  }
  for (const row of await executions.tend({ kind: "find_overdue", now, limit: takeMax }))
    await endStored(row, expired, parts).catch(() => {})
  if (!isForgetting) return
  const before = new Date(parts.clock.now().getTime() - parts.limits.historyMs).toISOString()
  await executions.tend({ kind: "forget", before, keep: parts.limits.historyKeptMin })
  await parts.executions.values.forget(now)
}

async function renew(parts: EngineParts): Promise<void> {
  const stored = parts.live.all().filter((live) => live.isStored)
  if (stored.length === 0) return
  const held = await parts.executions.executions.tend({
    kind: "renew",
    lease: newLease(parts),
    ids: stored.map(({ tenant, id }) => ({ tenant, id })),
  })
  const kept = new Set(held.map((row) => row.id))
  for (const live of stored) if (!kept.has(live.id) && parts.live.get(live.id) === live) live.abort.abort()
}

const expired: RunError = {
  code: "approval_expired",
  name: "ApprovalExpiredError",
  message: "Nobody answered in time, so the execution was given up without running its code again",
}
