// Schedules work on the server's thread one piece per turn, rotating between principals.
//
// Searching a large catalog takes a millisecond or more. A thousand searches that one execution asks for at once must
// not make everybody else wait for all of them: between two pieces whatever else arrived gets its turn.
import { setImmediate } from "node:timers/promises"
import type { Principal } from "../core/principal.ts"

export type FairQueue = { take<T>(who: string, work: () => Promise<T>): Promise<T> }

type Job = () => Promise<void>

export function createFairQueue(): FairQueue {
  const queues = new Map<string, Job[]>()
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    for (let next = queues.entries().next(); !next.done; next = queues.entries().next()) {
      const [who, jobs] = next.value
      const job = jobs.shift()
      // Whoever had a turn goes to the end of the rotation.
      queues.delete(who)
      if (jobs.length > 0) queues.set(who, jobs)
      await job?.()
      await setImmediate()
    }
    isRunning = false
  }

  return {
    take: (who, work) =>
      new Promise((resolve, reject) => {
        const jobs = queues.get(who) ?? []
        jobs.push(() => work().then(resolve, reject))
        queues.set(who, jobs)
        if (!isRunning) void run()
      }),
  }
}

/** Each token takes its own turns. */
export const principalKey = ({ tenant, user, tokenId }: Pick<Principal, "tenant" | "user" | "tokenId">): string =>
  `${tenant}/${user}/${tokenId ?? ""}`
