// One time limit and one abort signal for all parts of an exchange.
import type { Clock } from "../clock.ts"

/** `cancelled`: the caller no longer wants the answer. */
export type Ending = "timeout" | "cancelled"

export interface Deadline {
  /** Null while there is time. */
  readonly ending: Ending | null
  remainingMs(): number
  /** At most one listener: the step that is under way. */
  watch(listener: ((ending: Ending) => void) | null): void
  /** False when the deadline came first. */
  sleep(ms: number): Promise<boolean>
  /** The time does not count until `resume`: it is ours that passes. */
  pause(): void
  resume(): void
  release(): void
}

export function startDeadline(timeoutMs: number, signal: AbortSignal | undefined, clock: Clock): Deadline {
  let endsAt = clock.monotonicMs() + timeoutMs
  let ending: Ending | null = null
  let listener: ((ending: Ending) => void) | null = null
  const end = (how: Ending): void => {
    if (ending !== null) return
    ending = how
    listener?.(how)
  }
  const onAbort = (): void => end(isTimeout(signal?.reason) ? "timeout" : "cancelled")
  let timer = setTimeout(() => end("timeout"), timeoutMs)
  let pausedAt: number | null = null
  signal?.addEventListener("abort", onAbort)
  if (signal?.aborted) onAbort()
  return {
    get ending() {
      return ending
    },
    remainingMs: () => (ending === null ? endsAt - clock.monotonicMs() : 0),
    watch: (next) => void (listener = next),
    async sleep(ms) {
      if (ending !== null) return false
      return new Promise<boolean>((resolve) => {
        const pause = setTimeout(() => resolve(true), ms)
        listener = () => {
          clearTimeout(pause)
          resolve(false)
        }
      })
    },
    pause() {
      if (ending !== null || pausedAt !== null) return
      pausedAt = clock.monotonicMs()
      clearTimeout(timer)
    },
    resume() {
      if (ending !== null || pausedAt === null) return
      endsAt += clock.monotonicMs() - pausedAt
      pausedAt = null
      timer = setTimeout(() => end("timeout"), endsAt - clock.monotonicMs())
    },
    release() {
      ending ??= "cancelled"
      clearTimeout(timer)
      signal?.removeEventListener("abort", onAbort)
      listener = null
    },
  }
}

const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === "TimeoutError"
