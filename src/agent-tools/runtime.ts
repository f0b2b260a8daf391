// Runs the calls of one turn: decides when each may start, and answers for those that are cancelled.
//
//   wait for the lock ─▶ dispatch ─▶ release ─▶ output
//        │ cancelled       │ cancelled
//        ▼                 ▼
//   never started     its handler has two seconds to end; then the lock is free in any case, and the model reads "aborted"
import { setTimeout as sleep } from "node:timers/promises"
import { defaultLimits } from "../core/limits.ts"
import { type ToolCallBatch, startBatch } from "./call-batch.ts"
import { createExecutionLock } from "./execution-lock.ts"
import { TurnDiffTracker } from "./local/turn-diff-tracker.ts"
import type { ResponseInputItem } from "./response-item.ts"
import type { ToolRouter } from "./router.ts"
import { abortedResponse } from "./tool-output.ts"
import type { ToolCall, ToolInvocation, ToolSession, TurnContext } from "./tool.ts"

export type ToolCallRuntimeOptions = {
  readonly router: ToolRouter
  readonly session: ToolSession
  readonly turn: TurnContext
  readonly tracker?: TurnDiffTracker
}

export class ToolCallRuntime {
  readonly tracker: TurnDiffTracker
  readonly #options: ToolCallRuntimeOptions
  readonly #lock = createExecutionLock()

  constructor(options: ToolCallRuntimeOptions) {
    this.#options = options
    this.tracker = options.tracker ?? new TurnDiffTracker()
  }

  /** Gives the item that answers the call, also if it failed or was cancelled. Throws only what ends the turn. */
  async handleToolCall(call: ToolCall, signal: AbortSignal = new AbortController().signal): Promise<ResponseInputItem> {
    const startedAtMs = performance.now()
    const mode = this.#options.router.toolSupportsParallel(call.toolName) ? "shared" : "exclusive"
    const release = await this.#lock.acquire(mode, signal)
    if (release === null) return aborted(call, startedAtMs)
    try {
      // Between the lock and here, too, somebody may have cancelled it.
      if (signal.aborted) return aborted(call, startedAtMs)
      return await this.#run(call, signal, startedAtMs)
    } finally {
      release()
    }
  }

  /** Collects the calls of one answer while it streams; their outputs come in the order of the calls. */
  startBatch(signal: AbortSignal = new AbortController().signal): ToolCallBatch {
    return startBatch(this.#options.router, (call, batchSignal) => this.handleToolCall(call, batchSignal), signal)
  }

  async #run(call: ToolCall, signal: AbortSignal, startedAtMs: number): Promise<ResponseInputItem> {
    // The lock was given, and the call cancelled before it could use it.
    if (signal.aborted) return aborted(call, startedAtMs)
    let hasEnded = false
    const { promise: cancelled, resolve } = Promise.withResolvers<ResponseInputItem | null>()
    const onAbort = (): void => resolve(hasEnded ? null : aborted(call, startedAtMs))
    signal.addEventListener("abort", onAbort, { once: true })
    const { router, session, turn } = this.#options
    const invocation: ToolInvocation = { session, turn, tracker: this.tracker, ...call, signal }
    const output = router.dispatchToolCall(invocation, { handlerEnded: () => (hasEnded = true) })
    try {
      const first = await Promise.race([output, cancelled])
      if (first === null) return await output
      if (signal.aborted && !hasEnded) await ended(output)
      return first
    } finally {
      signal.removeEventListener("abort", onAbort)
    }
  }
}

/** Waits for a handler that was told to stop, but not for one that does not listen. */
async function ended(output: Promise<unknown>): Promise<void> {
  const timer = new AbortController()
  const timeout = sleep(defaultLimits.toolAbortWaitMs, undefined, { signal: timer.signal }).catch(() => {})
  await Promise.race([output.catch(() => {}), timeout])
  timer.abort()
}

function aborted(call: ToolCall, startedAtMs: number): ResponseInputItem {
  const seconds = Math.max(0.1, (performance.now() - startedAtMs) / 1000).toFixed(1)
  const isShell = call.toolName === "shell" || call.payload.type === "local_shell"
  const text = isShell ? `Wall time: ${seconds} seconds\naborted by user` : `aborted by user after ${seconds}s`
  return abortedResponse(text, call.callId, call.payload)
}
