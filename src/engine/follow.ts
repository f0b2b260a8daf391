// Follows an execution while it runs: its calls, logs, pauses and end, as they happen on this node.
import type { ExecutionEvent } from "../core/execution.ts"
import type { Principal } from "../core/principal.ts"
import type { EngineParts } from "./engine-parts.ts"
import { approvalsOf } from "./execute.ts"
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
  signal?.addEventListener("abort", () => wake(), { once: true })
  try {
    const isHere = parts.live.get(id)?.isVisibleTo(principal) === true
    if (!isHere) return yield* tellRest(principal, id, parts)
    for (;;) {
      const event = backlog.shift()
      if (event !== undefined) yield event
      if (event?.type === "end" || event?.type === "pause" || signal?.aborted === true) return
      if (event === undefined) await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    stop()
  }
}

/** It rests, or runs on another node: its rows say how it ends. */
async function* tellRest(principal: Principal, id: string, parts: EngineParts): AsyncGenerator<ExecutionEvent> {
  const row = await getExecution(principal, id, parts)
  const rested = row.status === "running" ? await waitForRest(row, parts) : row
  const reply = toReply(rested, await approvalsOf(rested, parts), parts)
  yield rested.status === "paused" ? { type: "pause", reply } : { type: "end", reply }
}
