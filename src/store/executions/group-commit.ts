// Group commit: everything that waits when a commit can begin goes into it, so that a busy process commits once for many.
//
// Order of events: jobs are added in one turn of the event loop and taken together at its end. While as many groups
// are under way as may be, jobs gather, and the next group takes all of them. A job that nobody waits for lets some
// milliseconds pass, unless one that somebody waits for takes it along. Groups begin in the order of their jobs; as
// `commit` ends them in the same order, a job is never settled before one that was added earlier.
import type { JournalRows } from "../execution-store.ts"

export type Urgency = Parameters<JournalRows["append"]>[1]

export type Settlement<Result> =
  | { readonly status: "committed"; readonly result: Result }
  | { readonly status: "failed"; readonly error: unknown }

export interface GroupCommit<Job, Result> {
  add(job: Job, urgency: Urgency): Promise<Result>
  /** Resolves when everything that was added before is committed, or has failed. */
  settled(): Promise<void>
}

export type GroupOptions<Job, Result> = {
  /** Settles each job, in order; when it rejects, all of the group have failed. */
  commit(jobs: readonly Job[]): Promise<readonly Settlement<Result>[]>
  readonly inFlightMax: number
}

const soonMs = 20
/** A longer group would only keep its first jobs waiting. */
const jobsPerGroup = 500

type Entry<Job, Result> = { readonly job: Job; resolve(result: Result): void; reject(error: unknown): void }

export function createGroupCommit<Job, Result>(options: GroupOptions<Job, Result>): GroupCommit<Job, Result> {
  let waiting: Entry<Job, Result>[] = []
  let inFlight = 0
  let isUrgent = false
  let isScheduled = false
  let soon: NodeJS.Timeout | null = null
  let last: Promise<unknown> = Promise.resolve()

  function hasten(): void {
    isUrgent = true
    if (isScheduled || inFlight >= options.inFlightMax) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      begin()
    })
  }

  function begin(): void {
    while (isUrgent && waiting.length > 0 && inFlight < options.inFlightMax) {
      const group = waiting.slice(0, jobsPerGroup)
      waiting = waiting.slice(jobsPerGroup)
      isUrgent = waiting.length > 0
      if (soon !== null && !isUrgent) {
        clearTimeout(soon)
        soon = null
      }
      inFlight += 1
      void commit(group)
    }
  }

  async function commit(group: readonly Entry<Job, Result>[]): Promise<void> {
    try {
      const settlements = await options.commit(group.map(({ job }) => job))
      group.forEach((entry, index) => settle(entry, settlements[index]))
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
    inFlight -= 1
    if (isUrgent) hasten()
  }

  return {
    add(job, urgency) {
      const promise = new Promise<Result>((resolve, reject) => waiting.push({ job, resolve, reject }))
      last = promise
      if (urgency === "now") hasten()
      else if (!isUrgent) soon ??= setTimeout(hasten, soonMs)
      return promise
    },
    async settled() {
      if (waiting.length === 0 && inFlight === 0) return
      if (waiting.length > 0) hasten()
      await last.catch(() => {})
    },
  }
}

function settle<Job, Result>(entry: Entry<Job, Result>, settlement: Settlement<Result> | undefined): void {
  if (settlement?.status === "committed") entry.resolve(settlement.result)
  else entry.reject(settlement?.error ?? new Error("A commit left one of its jobs unsettled"))
}
