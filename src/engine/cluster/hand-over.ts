// Releases the executions of this process when it stops, so that another can continue them immediately.
import { setTimeout as sleep } from "node:timers/promises"
import type { EngineParts } from "../engine-parts.ts"

/** A write that ends within this time is found done, not uncertain. */
const underWayMsMax = 2000

/** After the sandbox was closed, when no code runs any more: the runs have answered, and begin no call. */
export async function releaseRuns(parts: EngineParts): Promise<void> {
  const open = [...parts.runs.all().map(({ ended }) => ended), ...parts.runs.openCalls()]
  const waited = new AbortController()
  const enough = sleep(underWayMsMax, undefined, { signal: waited.signal }).catch(() => {})
  await Promise.race([Promise.allSettled(open), enough])
  waited.abort()
  try {
    await parts.executions.leases.release(parts.node, parts.clock.now().toISOString())
    await parts.places.close()
  } catch (error) {
    parts.log.warn({ error: String(error) }, "The leases of this process could not be released; they will expire")
  }
}
