// Cuts long work on the server's thread into slices, so that other requests are served in between.
//
// Whatever a request can make long (rows, cases, text) asks `isOver` at every step and awaits `next` when it is. Each
// turn of the event loop runs one slice, however many requests wait for theirs: the loop is never held for the sum.
// Work that ends within its first slice never waits.

export type TimeSlices = {
  isOver(): boolean
  /** Waits for the next turn of the event loop; throws when whoever asked for the work has gone. */
  next(): Promise<void>
}

/** Short enough that nobody notices, long enough that the turns between cost nothing. */
const sliceMs = 8

const waiting: (() => void)[] = []

/** `signal`: aborted when nobody wants the result any more. */
export function createTimeSlices(signal?: AbortSignal): TimeSlices {
  let startedMs = performance.now()
  return {
    isOver: () => performance.now() - startedMs >= sliceMs,
    async next() {
      await nextTurn()
      signal?.throwIfAborted()
      startedMs = performance.now()
    },
  }
}

/** Runs work that yields at every step to its end. */
export async function inSlices<T>(work: Generator<unknown, T>, signal?: AbortSignal): Promise<T> {
  const slices = createTimeSlices(signal)
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value
    if (slices.isOver()) await slices.next()
  }
}

export async function mapInSlices<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Promise<Made[]> {
  const slices = createTimeSlices()
  const made: Made[] = []
  for (const item of items) {
    made.push(make(item))
    if (slices.isOver()) await slices.next()
  }
  return made
}

/** Runs work that yields at every step to its end at once. */
export function atOnce<T>(work: Generator<unknown, T>): T {
  let step = work.next()
  while (step.done !== true) step = work.next()
  return step.value
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(release)
  })
}

function release(): void {
  waiting[0]?.()
  waiting.shift()
  if (waiting.length > 0) setImmediate(release)
}
