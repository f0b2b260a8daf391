// Answers before a client gives up: what takes longer goes on, and the reply says so.
import { setTimeout as sleep } from "node:timers/promises"
import type { ExecutionReply } from "../../../core/execution.ts"

/** What is about to be answered when the time is up is still waited for: it may have been noted as shown already. */
const graceMs = 1000

/** The reply, or after this time how far the execution is. `left` tells the work that nobody will see its reply. */
export async function replySoon(
  work: (left: AbortSignal) => Promise<ExecutionReply>,
  stillRunning: () => Promise<ExecutionReply>,
  waitMs: number,
): Promise<ExecutionReply> {
  const left = new AbortController()
  const timer = new AbortController()
  const reply = work(left.signal)
  const late = sleep(waitMs, undefined, { signal: timer.signal })
    .then(() => left.abort())
    .then(() => sleep(graceMs, undefined, { signal: timer.signal }))
    .then(stillRunning)
  // Whichever comes second is not heard any more.
  for (const promise of [reply, late]) promise.catch(() => {})
  try {
    return await Promise.race([reply, late])
  } finally {
    timer.abort()
  }
}
