// The queue before the workers: principals take turns, and nobody may fill it.

export type Admission<Run> = {
  readonly size: number
  /** False when the queue, or this principal's share of it, is full. */
  add(run: Run, principal: string): boolean
  /** A run that was taken and could not start stands first among those of its principal again. */
  putBack(run: Run, principal: string): void
  /** A run that was started before and lost its worker goes first. */
  addFirst(run: Run): void
  /** The next run of a principal that may still start one. */
  next(mayStart: (principal: string) => boolean): Run | null
  clear(): Run[]
}

export function createAdmission<Run>(sizeMax: number, sizePerPrincipalMax: number): Admission<Run> {
  const returning: Run[] = []
  /** In the order of turns: whoever was served last stands at the end. */
  const waiting = new Map<string, Run[]>()
  let size = 0

  function take(principal: string, runs: Run[]): Run | null {
    const run = runs.shift()
    waiting.delete(principal)
    if (runs.length > 0) waiting.set(principal, runs)
    if (run === undefined) return null
    size -= 1
    return run
  }

  return {
    get size() {
      return size + returning.length
    },
    add(run, principal) {
      const runs = waiting.get(principal) ?? []
      if (size >= sizeMax || runs.length >= sizePerPrincipalMax) return false
      runs.push(run)
      waiting.set(principal, runs)
      size += 1
      return true
    },
    putBack(run, principal) {
      const runs = waiting.get(principal) ?? []
      runs.unshift(run)
      waiting.set(principal, runs)
      size += 1
    },
    addFirst: (run) => void returning.push(run),
    next(mayStart) {
      const first = returning.shift()
      if (first !== undefined) return first
      for (const [principal, runs] of waiting) if (mayStart(principal)) return take(principal, runs)
      return null
    },
    clear() {
      const all = [...returning.splice(0), ...[...waiting.values()].flat()]
      waiting.clear()
      size = 0
      return all
    },
  }
}
