// Counts the bytes of large answers that have arrived and are not dealt with yet, and says who may read on.
//
// Over the limits nothing fails: an answer is not read any further until others are done. The oldest one of each
// principal always goes on, so that they never wait for each other, nor one principal for another.
import type { Limits } from "../core/limits.ts"

export type ArrivedBytes = {
  /** Null: read on. Otherwise once this has resolved. Negative: so many are dealt with. */
  add(bytes: number): Promise<void> | null
  /** The answer is dealt with. */
  close(): void
}

export type ArrivedLimits = Pick<Limits, "answersArrivedBytesPerPrincipalMax" | "answersArrivedBytesMax">

type Answer = { bytes: number; readonly limits: ArrivedLimits; waiting: (() => void)[] }

/** Smaller answers are done in a few milliseconds; they neither count nor wait. */
export const largeAnswerBytes = 256 * 1024

/** The memory that they share is that of the process. */
const answersOf = new Map<string, Set<Answer>>()

const sum = (answers: Iterable<Answer>): number => Iterator.from(answers).reduce((bytes, answer) => bytes + answer.bytes, 0)
const all = (): number => Iterator.from(answersOf.values()).reduce((bytes, answers) => bytes + sum(answers), 0)

function mayRead(answer: Answer, own: ReadonlySet<Answer>): boolean {
  const { answersArrivedBytesPerPrincipalMax, answersArrivedBytesMax } = answer.limits
  if (own.values().next().value === answer) return true
  return sum(own) <= answersArrivedBytesPerPrincipalMax && all() <= answersArrivedBytesMax
}

function wake(): void {
  for (const own of answersOf.values()) {
    for (const answer of own) {
      if (answer.waiting.length === 0 || !mayRead(answer, own)) continue
      for (const go of answer.waiting.splice(0)) go()
    }
  }
}

export function countArrived(who: string, limits: ArrivedLimits): ArrivedBytes {
  const answer: Answer = { bytes: 0, limits, waiting: [] }
  let isClosed = false
  return {
    add(bytes) {
      answer.bytes += bytes
      if (bytes < 0) wake()
      if (isClosed || bytes < 0 || answer.bytes <= largeAnswerBytes) return null
      const own = answersOf.get(who) ?? new Set()
      answersOf.set(who, own.add(answer))
      return mayRead(answer, own) ? null : new Promise((resolve) => answer.waiting.push(resolve))
    },
    close() {
      isClosed = true
      const own = answersOf.get(who)
      if (own?.delete(answer) !== true) return
      if (own.size === 0) answersOf.delete(who)
      for (const go of answer.waiting.splice(0)) go()
      wake()
    },
  }
}
