// Keeps a worker within the memory budgets: waiting executions are moved to the slow lane or to disk.
//
// Memory that grew large is written by the threads of the slow lane alone: writing it and reading it back takes some ten
// milliseconds, for which others in a fast thread would wait. So a large execution of a fast thread starts again in
// the slow lane, from what is recorded, and goes to disk there. Small ones, as most are, cost a fast thread nothing.
import type { GuestContext } from "./end.ts"
import { endRun } from "./end.ts"
import type { GuestRun } from "./run.ts"
import { pageBytes } from "../vm/page-store.ts"
import { toPool } from "../protocol.ts"

/** Written in about a millisecond. */
const smallPages = (2 * 1024 * 1024) / pageBytes

/** Called when the run has left the guest; nothing is inside of any. */
export function keepBudget(run: GuestRun, context: GuestContext): void {
  const { instances, memory } = context
  if (context.runs.has(run.no)) instances.count(run)
  for (let next = memory.overBudget(run.column); next !== null; next = memory.overBudget(run.column)) giveWay(next, context)
}

function giveWay(run: GuestRun, context: GuestContext): void {
  const { instances, memory } = context
  if (run.lane === "fast" && run.residentPages > smallPages) {
    endRun(run, { status: "moved", first: "", second: "" }, context)
    return instances.release(run, "sound")
  }
  if (!memory.maySpill(run)) return endHeld(run, diskFullMessage, context)
  try {
    return instances.spill(run)
  } catch (error) {
    context.post(
      toPool.fault,
      run.no,
      `The memory of waiting executions cannot be written to ${context.options.spillDir}: ${String(error)}`,
    )
    return endHeld(run, unwritableMessage, context)
  }
}

function endHeld(run: GuestRun, message: string, context: GuestContext): void {
  endRun(run, { status: "stopped", first: "memory_limit", second: message }, context)
  context.instances.release(run, "sound")
}

const diskFullMessage =
  "Waiting executions use all the memory and disk reserved for them; let some of them end, or keep less data while waiting."
const unwritableMessage =
  "Waiting executions use too much memory, and the server could not write this one to disk; keep less data while waiting, and ask the operator to check the log."
