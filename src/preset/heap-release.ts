// Releases memory that the server's own thread holds after a burst, once the server is idle.
//
// V8 keeps the heap that a rush made it grow to until there is more garbage, and a server that has nothing to do makes
// none. A collection stops the thread for some ten milliseconds, so it waits for a moment in which nobody notices.
import { performance } from "node:perf_hooks"
import { getHeapStatistics } from "node:v8"
import { collectGarbage } from "../io/garbage.ts"

const lookEveryMs = 2000
/** The part of the time between two looks that a thread without requests is busy at most. */
const quietShare = 0.02
/** Less is not worth a collection. */
const grownBytesMin = 32 * 1024 * 1024

export function releaseHeap(): { stop(): void } {
  let keptBytes = getHeapStatistics().total_heap_size
  let seen = performance.eventLoopUtilization()
  const looking = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(seen)
    seen = performance.eventLoopUtilization()
    const { total_heap_size: heldBytes } = getHeapStatistics()
    keptBytes = Math.min(keptBytes, heldBytes)
    if (utilization > quietShare || heldBytes - keptBytes < grownBytesMin) return
    collectGarbage()
    keptBytes = getHeapStatistics().total_heap_size
  }, lookEveryMs)
  looking.unref()
  return { stop: () => clearInterval(looking) }
}
