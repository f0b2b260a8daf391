// Large answers take turns: one at a time is parsed, cleaned and recorded, and the principals that wait for one rotate.
//
// Parsed, an answer takes up to twenty times its bytes. A single execution may have 32 calls under way; all of their
// answers in memory at once would end the server. The thread that parses them is the same for all, so that waiting for a
// turn costs nobody time.
import { createFairQueue } from "./fair-queue.ts"

export type AnswerTurn = {
  /** Resolves when it is this answer's turn; at once when it has it already. */
  take(): Promise<void>
  /** The answer is recorded, or there is none. */
  end(): void
}

/** Smaller ones are done in a few milliseconds. */
export const largeAnswerBytes = 256 * 1024

/** The memory that they share is that of the process. */
const turns = createFairQueue()

export function openAnswerTurn(who: string): AnswerTurn {
  let taken: Promise<void> | null = null
  let isEnded = false
  let finish = (): void => {}
  const wait = (): Promise<void> =>
    new Promise((begin) => {
      void turns.take(who, () => {
        begin()
        return isEnded ? Promise.resolve() : new Promise<void>((resolve) => (finish = resolve))
      })
    })
  return {
    take: () => (taken ??= wait()),
    end() {
      isEnded = true
      finish()
    },
  }
}
