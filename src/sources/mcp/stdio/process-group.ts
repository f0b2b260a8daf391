// Ends a group of processes, and knows when the last of them is gone.
//
// A kill is a message: on a busy machine a process lives until it is scheduled the next time. What was killed is
// therefore waited for. Processes that have ended but were not collected count as gone, because not every container
// has somebody who collects them.
import { readFileSync, readdirSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"

/** Of a process that the kernel cannot end, because it waits for a device. */
const endWaitMs = 10_000

/** `group`: the id of its first process. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal)
    return true
  } catch {
    // Nobody of the group is left.
    return false
  }
}

/** Kills until nobody of the group is left: its first process is not always the last one. */
export async function endGroup(group: number): Promise<void> {
  const deadline = performance.now() + endWaitMs
  for (let waitMs = 1; signalGroup(group, "SIGKILL") && performance.now() < deadline; waitMs = Math.min(waitMs * 2, 50)) {
    await sleep(waitMs)
    if (process.platform === "linux" && !hasLiving(group)) return
  }
}

const hasLiving = (group: number): boolean => readdirSync("/proc").some((name) => /^\d+$/.test(name) && isLivingIn(group, name))

/** The name of a process is in parentheses and may contain some; then come its state, its parent and its group. */
function isLivingIn(group: number, pid: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const [state, , itsGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return Number(itsGroup) === group && state !== "Z" && state !== "X"
  } catch {
    return false
  }
}
