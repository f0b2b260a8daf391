// Returns memory that executions left behind in their thread to the system, when there is much of it.
//
// The memory of an instance that was dropped, or the text of a large result, is freed by the next collection of the
// thread's own heap; and a thread that has nothing to do never collects. After hostile code every thread would hold
// several times the memory limit until it is busy again. A collection stops the thread for some ten milliseconds, so it
// waits for a quiet moment, but not for ever.

/** Less is not worth a collection. */
const leftBytesMin = 8 * 1024 * 1024
/** So much is not left until the thread has time. */
const leftBytesMax = 64 * 1024 * 1024
const quietMs = 250
/** After so many moments that were not quiet it is done all the same. */
const busyMomentsMax = 8

export type MemoryRelease = {
  /** The thread has work. */
  busy(): void
  /** So much is held by nobody any more. */
  left(bytes: number): void
  /** Collects at once when much is left. Nothing of it may be in use any more. */
  collectIfMuch(): void
}

export function createMemoryRelease(collect: () => void): MemoryRelease {
  let leftBytes = 0
  let isPlanned = false
  let wasBusy = false

  function release(moments: number): void {
    if (wasBusy && moments < busyMomentsMax) return plan(moments + 1)
    isPlanned = false
    leftBytes = 0
    return collect()
  }

  function plan(moments: number): void {
    wasBusy = false
    setTimeout(release, quietMs, moments)
  }

  return {
    busy() {
      wasBusy = true
    },
    left(bytes) {
      leftBytes += bytes
      if (leftBytes < leftBytesMin || isPlanned) return
      isPlanned = true
      plan(1)
    },
    collectIfMuch() {
      if (leftBytes < leftBytesMax) return
      leftBytes = 0
      collect()
    },
  }
}
