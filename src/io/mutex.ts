// A mutex: work that must not overlap waits for its turn, in order of arrival.

export interface Mutex {
  take<T>(work: () => Promise<T>): Promise<T>
}

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return {
    take(work) {
      // A failure is the business of whoever asked for the work, never of those behind.
      const mine = last.then(work, work)
      last = mine
      return mine
    },
  }
}
