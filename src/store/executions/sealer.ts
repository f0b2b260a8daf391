// Decides when entries of the audit are sealed: soon after they were recorded, and at once for whoever reads the chain.
import type { ExecutionBackend } from "./backend.ts"

export interface Sealer {
  /** Something was recorded. */
  wake(): void
  /** Seals everything, of any tenant, that is recorded by now. */
  sealAll(): Promise<void>
  /** Seals what is left, and begins nothing more. */
  close(): Promise<void>
}

/** Long enough to seal many together, short enough that nobody has time to change an entry before. */
const delayMs = 250
/** The database could not be written to. */
const retryMs = 5000

export function createSealer(backend: Pick<ExecutionBackend, "seal">): Sealer {
  let timer: NodeJS.Timeout | null = null
  let sealing: Promise<void> = Promise.resolve()
  let isClosed = false
  const wakeIn = (ms: number): void => {
    if (timer !== null || isClosed) return
    timer = setTimeout(() => {
      timer = null
      sealAll().catch(() => wakeIn(retryMs))
    }, ms)
    timer.unref()
  }
  const sealAll = (): Promise<void> => {
    sealing = sealing
      .catch(() => {})
      .then(async () => {
        while ((await backend.seal()) === "more");
      })
    return sealing
  }
  // A process that was killed may have left some.
  wakeIn(delayMs)
  return {
    wake: () => wakeIn(delayMs),
    sealAll,
    async close() {
      if (isClosed) return
      isClosed = true
      if (timer !== null) clearTimeout(timer)
      await sealAll().catch(() => {})
    },
  }
}
