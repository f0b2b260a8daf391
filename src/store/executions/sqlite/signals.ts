// Signals about executions in an SQLite file: nothing notifies one process of another's commits, so each polls.
import type { ExecutionSignals } from "../../execution-store.ts"

/** A human who cancels notices no more than this; a look is one query, and only while something that is stored runs here. */
const lookEveryMs = 250

export const sqliteSignals: ExecutionSignals = {
  notify: async () => {},
  listen(listener) {
    let isStopped = false
    let timer: NodeJS.Timeout | null = null
    // The next look waits for the one before: a file that is held for a while must not gather them.
    const lookLater = (): void => {
      if (isStopped) return
      timer = setTimeout(() => void listener(null).finally(lookLater), lookEveryMs)
      timer.unref()
    }
    lookLater()
    return () => {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
    }
  },
}
