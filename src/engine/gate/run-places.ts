// The default group: counts the calls of one run.
import type { PlaceQueue } from "./places.ts"

type Waiter = { readonly max: number; isAdmitted: boolean; ahead: number; admit(outcome: "admitted"): void; onWait(ahead: number): void }

/** Of a call that is a run by itself: nobody is before it. */
export const unsharedPlaces: PlaceQueue = { join: () => ({ admitted: Promise.resolve("admitted"), leave: () => {} }) }

export function createRunPlaces(): PlaceQueue {
  /** In order: those that run, and those that wait. */
  const waiters: Waiter[] = []
  const settle = (): void => {
    for (const [ahead, waiter] of waiters.entries()) {
      if (waiter.isAdmitted) continue
      if (ahead < waiter.max) {
        waiter.isAdmitted = true
        waiter.admit("admitted")
      } else if (ahead !== waiter.ahead) {
        waiter.ahead = ahead
        waiter.onWait(ahead)
      }
    }
  }
  return {
    join(max, onWait) {
      const { promise, resolve } = Promise.withResolvers<"admitted">()
      const waiter: Waiter = { max, isAdmitted: false, ahead: 0, admit: resolve, onWait }
      waiters.push(waiter)
      settle()
      return {
        admitted: promise,
        leave() {
          const index = waiters.indexOf(waiter)
          if (index < 0) return
          waiters.splice(index, 1)
          settle()
        },
      }
    },
  }
}
