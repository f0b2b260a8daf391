// The calls of a run that are not answered yet, and whether it is known already what becomes of each.
import type { GateCall } from "../gate/call.ts"

export type CallsInFlight = {
  add(call: GateCall, answering: Promise<unknown>): void
  /** The journal says what became of it: sent, refused, or waiting for a human. */
  decided(key: string): void
  answering(): readonly Promise<unknown>[]
  /** Waits until each is decided, at most for this long; answers those that are not. */
  undecided(waitMs: number): Promise<readonly GateCall[]>
}

export function createCallsInFlight(): CallsInFlight {
  const answering = new Set<Promise<unknown>>()
  const open = new Map<string, GateCall>()
  let onDecided = (): void => {}
  const decided = (key: string): void => {
    if (open.delete(key) && open.size === 0) onDecided()
  }
  return {
    add(call, answer) {
      open.set(call.key, call)
      answering.add(answer)
      const end = (): void => {
        answering.delete(answer)
        decided(call.key)
      }
      answer.then(end, end)
    },
    decided,
    answering: () => [...answering],
    async undecided(waitMs) {
      if (open.size === 0) return []
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs)
        onDecided = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      return [...open.values()]
    },
  }
}
