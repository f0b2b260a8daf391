// Notifies those who watch the inbox that an approval was added or settled.
//
// The store is watched from outside, so that no place that asks or answers can forget to say so. What other nodes write
// is found by a look now and then, and only while somebody watches.
import { setTimeout as sleep } from "node:timers/promises"
import type { ApprovalsEvent } from "../../core/execution.ts"
import type { Principal } from "../../core/principal.ts"
import type { Clock } from "../../io/clock.ts"
import { newId } from "../../io/ids.ts"
import type { ApprovalRow, ExecutionStore } from "../../store/execution-store.ts"
import { isVisible } from "../execution-access.ts"
import { isAnswerable } from "./answerers.ts"
import { inboxRows } from "./inbox.ts"
import type { InboxParts } from "./inbox.ts"

type Listener = (row: ApprovalRow) => void

export type ApprovalChanges = {
  /** Answers how to stop listening. */
  listen(listener: Listener): () => void
}

export function watchApprovals(store: ExecutionStore): { readonly executions: ExecutionStore; readonly changes: ApprovalChanges } {
  const listeners = new Set<Listener>()
  const notify = (rows: readonly ApprovalRow[]): void => rows.forEach((row) => listeners.forEach((listener) => listener(row)))
  const executions: ExecutionStore = {
    ...store,
    journal: {
      ...store.journal,
      async append(records, urgency) {
        await store.journal.append(records, urgency)
        if (listeners.size > 0) notify(records.flatMap((record) => (record.kind === "approval" ? [record.row] : [])))
      },
    },
    approvals: {
      ...store.approvals,
      async answer(tenant, ids, answer) {
        const rows = await store.approvals.answer(tenant, ids, answer)
        notify(rows)
        return rows
      },
    },
  }
  const changes: ApprovalChanges = {
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  return { executions, changes }
}

export type FollowParts = InboxParts & { readonly approvalChanges: ApprovalChanges; readonly clock: Clock }

/** A burst of questions is one event, not hundreds. */
const quietMs = 200
/** How late an approval of another node is noticed, at most. */
const lookEveryMs = 5000
const lookRowsMax = 20
/** How far the clock of another node may be behind. */
const clockSkewMs = 60_000

/** One event at once, so that nothing is missed between a look and the first event; then one for every change. */
export async function* followApprovals(
  principal: Principal,
  left: AbortSignal | undefined,
  parts: FollowParts,
): AsyncGenerator<ApprovalsEvent> {
  const signal = left ?? new AbortController().signal
  let isChanged = true
  let wake = (): void => {}
  const change = (): void => {
    isChanged = true
    wake()
  }
  const stop = parts.approvalChanges.listen((row) => {
    if (isVisible(row, principal)) return change()
    // Whatever cannot be read now is found by the next look.
    isAnswerable(principal, row, parts).then(
      (isTheirs) => isTheirs && change(),
      () => {},
    )
  })
  try {
    for (let newest = newId("apr", new Date(parts.clock.now().getTime() - clockSkewMs)); !signal.aborted;) {
      if (isChanged) {
        isChanged = false
        yield { type: "approvals" }
        await sleep(quietMs, undefined, { signal })
        continue
      }
      const waiting = new Promise<void>((resolve) => (wake = resolve))
      await Promise.race([waiting, sleep(lookEveryMs, undefined, { signal })])
      if (isChanged) continue
      const latest: string = await newestAfter(newest, principal, parts)
      isChanged = latest !== newest
      newest = latest
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    stop()
  }
}

/** The latest of those that began to wait after this one. Ids are in the order of time. */
async function newestAfter(known: string, principal: Principal, parts: FollowParts): Promise<string> {
  const filter = { status: "pending", expiresAfter: parts.clock.now().toISOString() } as const
  const rows = await inboxRows(principal, filter, { after: known, limit: lookRowsMax }, parts)
  return rows.at(-1)?.id ?? known
}
