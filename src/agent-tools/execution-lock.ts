// Decides which calls of a turn run at the same time: shared holders do so together, an exclusive one alone.
//
// Whoever asks first is served first. An exclusive call that waits therefore holds back shared ones that come after it:
// they could otherwise keep it waiting for ever, and would not see what it changes.

export type LockMode = "shared" | "exclusive"

export type ExecutionLock = {
  /** Gives the function that releases the lock, or null if the signal was aborted before the lock was free. */
  acquire(mode: LockMode, signal: AbortSignal): Promise<(() => void) | null>
}

type Waiter = { readonly mode: LockMode; admit(): void }

export function createExecutionLock(): ExecutionLock {
  /** A set keeps the order of arrival, and lets whoever is cancelled leave from the middle. */
  const waiting = new Set<Waiter>()
  let sharedCount = 0
  let isExclusive = false

  const isFree = (mode: LockMode): boolean => !isExclusive && (mode === "shared" || sharedCount === 0)

  function hold(mode: LockMode): () => void {
    if (mode === "shared") sharedCount += 1
    else isExclusive = true
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      if (mode === "shared") sharedCount -= 1
      else isExclusive = false
      admitNext()
    }
  }

  function admitNext(): void {
    for (const waiter of waiting) {
      if (!isFree(waiter.mode)) return
      waiting.delete(waiter)
      waiter.admit()
    }
  }

  return {
    async acquire(mode, signal) {
      if (signal.aborted) return null
      if (waiting.size === 0 && isFree(mode)) return hold(mode)
      return new Promise((resolve) => {
        const waiter: Waiter = {
          mode,
          admit() {
            signal.removeEventListener("abort", leave)
            resolve(hold(mode))
          },
        }
        const leave = (): void => {
          waiting.delete(waiter)
          resolve(null)
          admitNext()
        }
        signal.addEventListener("abort", leave, { once: true })
        waiting.add(waiter)
      })
    },
  }
}
