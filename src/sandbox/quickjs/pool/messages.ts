// Reads what a worker has to say, and passes it to the runs it concerns.
import type { SandboxEnd, StopReason, ThrownError } from "../../sandbox.ts"
import type { Pool } from "./pool.ts"
import { planFlush, putBack, startAgain } from "./pool.ts"
import type { PoolRun } from "./run.ts"
import type { PoolWorker } from "./worker.ts"
import type { Batch, Cursor, EndStatus } from "../protocol.ts"
import { callKinds, createCursor, endStatuses, logLevels, toPool } from "../protocol.ts"

export function readBatch(worker: PoolWorker, batch: Batch, pool: Pool): void {
  if (batch[0] === 1) {
    worker.state = "idle"
    if (worker.outbox.length > 0 || pool.queue.size > 0 || pool.slowQueue.size > 0) planFlush(pool)
  }
  const cursor = createCursor(batch, 1)
  while (!cursor.isDone()) readMessage(cursor, worker, pool)
}

function readMessage(cursor: Cursor, worker: PoolWorker, pool: Pool): void {
  const operation = cursor.number()
  const known = pool.runs.get(cursor.number())
  // A run that ended here, or lives elsewhere by now, is not concerned.
  const run = known?.worker === worker ? known : null
  switch (operation) {
    case toPool.call: {
      const [seq, key, kind, path, argsJson, line] = [
        cursor.number(),
        cursor.text(),
        callKinds[cursor.number()] ?? "tool",
        cursor.text(),
        cursor.text(),
        cursor.number(),
      ]
      return run?.ask({ seq, key, kind, path, argsJson, line: Number.isSafeInteger(line) && line > 0 ? line : null })
    }
    case toPool.wake: {
      const dueMs = cursor.number()
      return run?.wake(dueMs)
    }
    case toPool.log: {
      const [level, text] = [logLevels[cursor.number()] ?? "log", cursor.text()]
      return run?.show({ kind: "log", line: { level, text } })
    }
    case toPool.emit: {
      const json = cursor.text()
      return run?.show({ kind: "emit", json })
    }
    case toPool.notice: {
      const text = cursor.text()
      return run?.notice(text)
    }
    case toPool.fault: {
      const text = cursor.text()
      return pool.options.log.error({}, text)
    }
    case toPool.unstarted:
      return run ? putBack(run, pool) : undefined
    default:
      return readEnd(cursor, run, pool)
  }
}

function readEnd(cursor: Cursor, run: PoolRun | null, pool: Pool): void {
  const status = endStatuses[cursor.number()] ?? "crashed"
  const [first, second, third, line, column] = [cursor.text(), cursor.text(), cursor.text(), cursor.number(), cursor.number()]
  const [cpuMs, logsDropped] = [cursor.number(), cursor.number()]
  if (!run) return
  run.cpuMs += cpuMs
  run.logsDropped = logsDropped
  if (status === "moved") {
    pool.moved += 1
    // What it took of a fast thread counts now: its principal's next ones may be waiting for the same thread.
    if (run.lane === "fast") pool.cpuDebt.charge(run.run.principal, cpuMs, run.countedMs, performance.now())
    run.lane = "slow"
    return startAgain(run, pool)
  }
  // The worker knows that the run is over, so it is not told to drop it.
  run.leaveWorker()
  const more = { ...(line > 0 ? { line } : {}), ...(column > 0 ? { column } : {}), ...toolErrorOf(third) }
  return run.end(ends[status](first, second, more))
}

type More = Pick<ThrownError, "line" | "column" | "toolError">

/** The prelude writes it, but its tools may have been patched by the guest. */
function toolErrorOf(json: string): Pick<ThrownError, "toolError"> {
  if (json === "") return {}
  try {
    const { tool, code, status } = JSON.parse(json) as Record<string, unknown> // each field is checked
    if (typeof tool !== "string" || typeof code !== "string") return {}
    return { toolError: { tool, code, ...(typeof status === "number" ? { status } : {}) } }
  } catch {
    return {}
  }
}

const ends: Record<Exclude<EndStatus, "moved">, (first: string, second: string, more: More) => SandboxEnd> = {
  returned: (resultJson) => ({ status: "returned", resultJson }),
  nothing: () => ({ status: "returned", resultJson: null }),
  thrown: (name, message, more) => ({ status: "threw", error: { code: "thrown", name, message, ...more } }),
  syntax: (name, message, more) => ({ status: "threw", error: { code: "syntax", name, message, ...more } }),
  stopped: (reason, message) => ({ status: "stopped", reason: reason as StopReason, message }), // a worker stops runs for these reasons only
  waiting: (keys) => ({ status: "waiting", pending: keys.split("\n") }),
  crashed: (message) => ({ status: "killed", reason: "crashed", message }),
}
