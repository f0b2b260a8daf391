// Follows an execution while it runs: its calls, logs, pauses and end, as they happen on this node.
import type { ExecutionEvent } from "../core/execution.ts"
import type { Principal } from "../core/principal.ts"
import type { EngineParts } from "./engine-parts.ts"
import { approvalsOf } from "./approval-read.ts"
import { getExecution } from "./execution-access.ts"
import { toReply } from "./execution-reply.ts"
import { waitForRest } from "./execution-wait.ts"

const backlogMax = 10_000

/** Ends with the end or the pause of the execution. What is at rest already is told at once. */
export async function* followExecution(
  principal: Principal,
  id: string,
  signal: AbortSignal | undefined,
  parts: EngineParts,
): AsyncGenerator<ExecutionEvent> {
  const backlog: ExecutionEvent[] = []
  let wake = (): void => {}
  const stop = parts.live.follow(id, (event) => {
    if (backlog.length < backlogMax || event.type === "end" || event.type === "pause") backlog.push(event)
    wake()
  })
  const isStopped = (): boolean => signal?.aborted === true
  const stopWaiting = (): void => wake()
  signal?.addEventListener("abort", stopWaiting, { once: true })
  try {
    const live = parts.live.get(id)
    if (live === undefined || !live.isVisibleTo(principal)) return yield* tellRest(principal, id, signal, parts)
    let isOver = false
    const end = (): void => {
      isOver = true
      wake()
    }
    live.ended.then(end, end)
    while (!isStopped()) {
      const event = backlog.shift()
      if (event !== undefined) yield event
      if (event?.type === "end" || event?.type === "pause") return
      if (event !== undefined) continue
      // A run that fails, because the server stops for instance, ends without an event.
      if (isOver) return yield* tellRest(principal, id, signal, parts)
      await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    signal?.removeEventListener("abort", stopWaiting)
    stop()
  }
}

/** It rests, or runs on another node: its rows say how it ends. */
async function* tellRest(
  principal: Principal,
  id: string,
  signal: AbortSignal | undefined,
  parts: EngineParts,
): AsyncGenerator<ExecutionEvent> {
  const row = await getExecution(principal, id, parts)
  const rested = row.status === "running" ? await waitForRest(row, parts, signal) : row
  if (rested.status === "running") return
  const reply = toReply(rested, await approvalsOf(rested, parts), parts)
  yield rested.status === "paused" ? { type: "pause", reply } : { type: "end", reply }
}
