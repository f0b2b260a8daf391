// Follows an execution while it runs, on any node: its calls, logs, pauses and end.
import type { ExecutionEvent } from "../../core/execution.ts"
import type { Principal } from "../../core/principal.ts"
import type { EngineParts } from "../engine-parts.ts"
import type { ActiveRun } from "./run-registry.ts"
import { followElsewhere } from "./follow-elsewhere.ts"

const backlogMax = 10_000

/** Ends with the end or the pause of the execution. One that has ended or paused already yields that at once. */
export async function* followExecution(
  principal: Principal,
  id: string,
  left: AbortSignal | undefined,
  parts: EngineParts,
): AsyncGenerator<ExecutionEvent> {
  const signal = left ?? new AbortController().signal
  const backlog = openBacklog(id, signal, parts)
  try {
    let isOver = false
    // Nothing comes between this and the first event of the backlog.
    const words = visibleRun(principal, id, parts)?.words ?? ""
    if (words !== "") yield { type: "text", text: words }
    while (!isOver && !signal.aborted) {
      const live = visibleRun(principal, id, parts)
      isOver = live !== undefined ? yield* followHere(live, backlog, signal) : yield* followElsewhere(principal, id, signal, parts)
    }
  } finally {
    backlog.close()
  }
}

function visibleRun(principal: Principal, id: string, { runs }: EngineParts): ActiveRun | undefined {
  const live = runs.get(id)
  return live?.isVisibleTo(principal) === true ? live : undefined
}

type Backlog = {
  take(): ExecutionEvent | undefined
  /** Until there may be something to take, or `wake` is called. */
  wait(): Promise<void>
  wake(): void
  close(): void
}

function openBacklog(id: string, signal: AbortSignal, parts: EngineParts): Backlog {
  const events: ExecutionEvent[] = []
  let resume = (): void => {}
  const wake = (): void => resume()
  const stop = parts.runs.follow(id, (event) => {
    if (events.length < backlogMax || event.type === "end" || event.type === "pause") events.push(event)
    wake()
  })
  signal.addEventListener("abort", wake, { once: true })
  return {
    take: () => events.shift(),
    wait: () => new Promise((resolve) => (resume = resolve)),
    wake,
    close() {
      signal.removeEventListener("abort", wake)
      stop()
    },
  }
}

/** Answers whether all is told: a run that was taken away, or whose server stops, ends without an event. */
async function* followHere(live: ActiveRun, backlog: Backlog, signal: AbortSignal): AsyncGenerator<ExecutionEvent, boolean> {
  let isOver = false
  const end = (): void => {
    isOver = true
    backlog.wake()
  }
  live.ended.then(end, end)
  while (!signal.aborted) {
    const event = backlog.take()
    if (event !== undefined) yield event
    if (event?.type === "end" || event?.type === "pause") return true
    if (event !== undefined) continue
    if (isOver) return false
    await backlog.wait()
  }
  return true
}
