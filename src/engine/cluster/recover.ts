// Renews the leases of executions that run here, and takes over those that no node runs any more.
//
// Every tick: renew the leases of the places and the executions on this node, and stop those that were taken away; claim executions
// whose lease ran out (their node died) and replay them; end pauses that nobody answered in time; now and then forget
// old history. Nothing here talks to another node: the store's rows are the only coordinator.
import { LeaseLost } from "../executions/run-registry.ts"
import { noticeAnswers, noticeCancelled } from "./signals.ts"
import type { EngineParts } from "../engine-parts.ts"
import { approvalExpired, endStored } from "../executions/end.ts"
import { load, runUntilSettled, takeUp } from "../executions/execute.ts"
import { newAuditRow } from "../audit/row.ts"
import { principalOf } from "../executions/run.ts"
import { newLease } from "../executions/lease.ts"
import { endRevoked, watchRevision } from "./token-watch.ts"
import type { ExecutionRow } from "../../store/execution-store.ts"

const takeMax = 20
/** Not the first one: a server that starts has more urgent things to do. */
const forgetEveryTicks = 200
/** The first tick too: what a process left behind is found when the next one starts. */
const answeredEveryTicks = 30

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
      .then(() => round(ticks++, parts))
      .catch((error: unknown) => parts.log.error({ error: String(error) }, "Recovery failed; it will be retried"))
    return current
  }
  const timer = setInterval(() => void tick(), parts.leaseMs / 3)
  timer.unref()
  const stopWatching = watchRevision(parts)
  return {
    tick,
    async stop() {
      clearInterval(timer)
      stopWatching()
      await current
    },
  }
}

async function round(tick: number, parts: EngineParts): Promise<void> {
  await parts.places.renew()
  await renew(parts)
  const now = parts.clock.now().toISOString()
  const { executions, leases, values } = parts.executions
  for (const row of await leases.takeExpired(newLease(parts), now, takeMax)) {
    parts.log.warn({ executionId: row.id, run: row.run }, "Taking over an execution whose node has stopped")
    await endHere(row.id, parts)
    const ready = await load(row, new AbortController(), parts)
    runUntilSettled(ready, parts).catch((error: unknown) =>
      parts.log.error({ executionId: row.id, error: String(error) }, "A recovered execution failed"),
    )
  }
  for (const row of await leases.findOverdue(now, takeMax)) await expire(row, parts).catch(() => {})
  if (tick % answeredEveryTicks === 0) await goOnAnswered(parts)
  if (tick % forgetEveryTicks !== 1) return
  const ago = (ms: number): string => new Date(parts.clock.now().getTime() - ms).toISOString()
  const { historyMs, historyKeptMin, auditMs } = parts.limits
  await executions.deleteOld({ before: ago(historyMs), keep: historyKeptMin, auditBefore: ago(auditMs) })
  await values.deleteExpired(now)
}

async function goOnAnswered(parts: EngineParts): Promise<void> {
  for (const row of await parts.executions.leases.findAnswered(takeMax)) {
    if (parts.runs.get(row.id) !== undefined) continue
    const ready = await takeUp(row, new AbortController(), parts)
    if (ready === null) continue
    parts.log.warn({ executionId: row.id }, "Continuing an execution whose answers were taken by a process that has ended")
    runUntilSettled(ready, parts).catch((error: unknown) =>
      parts.log.error({ executionId: row.id, error: String(error) }, "An answered execution failed"),
    )
  }
}

async function expire(row: ExecutionRow, parts: EngineParts): Promise<void> {
  await endStored(row, approvalExpired, parts)
  const facts = { action: "execution.expire", subject: row.id, executionId: row.id, outcome: "ok" }
  await parts.executions.journal.append([{ kind: "audit", row: newAuditRow(principalOf(row), facts, parts.clock) }], "soon")
}

/** A node that was slow may find its own: the run before must be over when the next one reads the journal. */
async function endHere(id: string, parts: EngineParts): Promise<void> {
  const before = parts.runs.get(id)
  if (before === undefined) return
  before.leaseUntilMs = 0
  before.abort.abort(new LeaseLost("Its lease expired on this node"))
  await before.ended.catch(() => {})
}

/** Also of what was stored a moment ago and is not known to be: its lease runs as well. */
async function renew(parts: EngineParts): Promise<void> {
  const live = parts.runs.all()
  if (live.length === 0) return
  await endRevoked(parts)
  await noticeAnswers(live, parts)
  await noticeCancelled(live, parts)
  const lease = newLease(parts)
  const ids = live.map(({ tenant, id }) => ({ tenant, id }))
  const held = await parts.executions.leases.renew(lease, ids)
  const kept = new Map(held.map((row) => [row.id, row]))
  for (const one of live) {
    const row = kept.get(one.id)
    // As the store knows it: one that was locked is still held, but its lease was not prolonged.
    if (row !== undefined) one.leaseUntilMs = Date.parse(row.leaseUntil ?? lease.until)
    else if (one.isStored && parts.runs.get(one.id) === one) one.abort.abort(new LeaseLost("Another node has taken the execution"))
  }
}
