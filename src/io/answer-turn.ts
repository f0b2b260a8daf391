// Large answers take turns: one at a time is parsed, cleaned and recorded, and the principals that wait for one rotate.
//
// Parsed, an answer takes up to twenty times its bytes. A single execution may have 32 calls under way; all of their
// answers in memory at once would end the server. The thread that parses them is the same for all, so that waiting for a
// turn costs nobody time. What has arrived and waits is counted, and over a limit no more of it is read.
import { countArrived } from "./arrived-bytes.ts"
import type { ArrivedLimits } from "./arrived-bytes.ts"
import { createFairQueue } from "./fair-queue.ts"

export { largeAnswerBytes } from "./arrived-bytes.ts"

export type AnswerTurn = {
  /** Whose it is. */
  readonly who: string
  /** To be told of each piece that arrives. Null: read on. Otherwise once this has resolved. Negative: so many are dealt with. */
  arrive(bytes: number): Promise<void> | null
  /** Resolves when it is this answer's turn; at once when it has it already. It lasts until the end. */
  take(): Promise<void>
  /** The same for whoever hands the answer to code of others, which parses it: it is given back after so long unless it is taken by then. */
  lend(ms: number): Promise<void>
  /** Gives the turn back, as something is to be waited for; it may be taken again. */
  release(): void
  /** The answer came as a message that has its turn already: that one is used as this one's, and ends with it. */
  adopt(message: AnswerTurn): void
  /** Makes a turn that was lent last until the end; false where it is over. */
  keep(): boolean
  /** The answer is recorded, or there is none. */
  end(): void
}

/** The memory that they share is that of the process. */
const turns = createFairQueue()

type Wait = { readonly began: Promise<void>; hasBegun: boolean; timer: NodeJS.Timeout | null; leave(): void }

function startWait(who: string): Wait {
  const began = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  const wait: Wait = {
    began: began.promise,
    hasBegun: false,
    timer: null,
    leave() {
      if (wait.timer !== null) clearTimeout(wait.timer)
      left.resolve()
    },
  }
  void turns.take(who, () => {
    wait.hasBegun = true
    began.resolve()
    return left.promise
  })
  return wait
}

export function openAnswerTurn(who: string, limits: ArrivedLimits): AnswerTurn {
  const arrived = countArrived(who, limits)
  let current: Wait | null = null
  let adopted: AnswerTurn | null = null
  let isEnded = false
  const leave = (wait: Wait): void => {
    if (current === wait) current = null
    wait.leave()
  }
  const keep = (): boolean => {
    if (adopted?.keep() === true) return true
    if (current?.hasBegun !== true) return false
    if (current.timer !== null) clearTimeout(current.timer)
    return true
  }
  return {
    who,
    arrive: arrived.add,
    keep,
    take: () => (isEnded || keep() ? Promise.resolve() : (current ??= startWait(who)).began),
    async lend(ms) {
      if (isEnded || current?.hasBegun === true) return
      const wait = (current ??= startWait(who))
      await wait.began
      wait.timer ??= setTimeout(() => leave(wait), ms).unref()
    },
    release() {
      adopted?.end()
      if (current?.hasBegun === true) leave(current)
    },
    adopt(message) {
      adopted?.end()
      adopted = message
    },
    end() {
      isEnded = true
      adopted?.end()
      if (current !== null) leave(current)
      arrived.close()
    },
  }
}
