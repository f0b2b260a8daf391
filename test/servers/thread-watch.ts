// Loaded into a server before it starts: tells on SIGUSR2 how much its main thread did, and how much of it in one turn, since it was last asked.
//
// What counts is the thread's own processor time, so that a busy machine changes nothing.
import { isMainThread } from "node:worker_threads"

export type Held = {
  /** The most in one turn of the event loop. */
  readonly turnMs: number
  readonly turnWallMs: number
  readonly totalMs: number
}

/** What a line of the server's output begins with that tells it. */
export const heldMark = "thread-watch "

/** A timer that is due every millisecond comes once a turn, unless turns are shorter. */
const everyMs = 1

if (isMainThread && process.env["THREAD_WATCH"] !== undefined) {
  let last = moment()
  let held: Held = { turnMs: 0, turnWallMs: 0, totalMs: 0 }
  const look = (): void => {
    const now = moment()
    const turnMs = now.cpuMs - last.cpuMs
    held = {
      turnMs: Math.max(held.turnMs, turnMs),
      turnWallMs: Math.max(held.turnWallMs, now.wallMs - last.wallMs),
      totalMs: held.totalMs + turnMs,
    }
    last = now
  }
  setInterval(look, everyMs).unref()
  process.on("SIGUSR2", () => {
    look()
    process.stdout.write(`${heldMark}${JSON.stringify(held)}\n`)
    held = { turnMs: 0, turnWallMs: 0, totalMs: 0 }
  })
}

function moment(): { readonly wallMs: number; readonly cpuMs: number } {
  const { user, system } = process.threadCpuUsage()
  return { wallMs: performance.now(), cpuMs: (user + system) / 1000 }
}
