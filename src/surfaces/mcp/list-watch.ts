// Notices when what clients were shown is no longer true.
import type { Log } from "../../io/log.ts"
import { ownerOf } from "./request-principal.ts"
import type { Asker } from "./request-principal.ts"

export type ListWatch = {
  /** Remembers that they were shown the tools as they are. */
  note(asker: Asker): void
  stop(): void
}

export type ListWatchParts = {
  revision(): string
  /** Changes with what this asker is shown. */
  fingerprint(asker: Asker): Promise<string>
  /** Called with whether an asker would be shown something else now. */
  onChange(isChanged: (asker: Asker) => boolean): void
  readonly log: Log
}

const lookMs = 1000
const askersMax = 200

export function createListWatch(parts: ListWatchParts): ListWatch {
  const shown = new Map<string, { readonly asker: Asker; print: Promise<string | null> }>()
  let revision = parts.revision()
  let isLooking = false
  const print = (asker: Asker): Promise<string | null> => parts.fingerprint(asker).catch(() => null)

  const look = async (): Promise<void> => {
    const now = parts.revision()
    if (now === revision || isLooking) return
    isLooking = true
    try {
      revision = now
      const changed = new Set<string>()
      for (const [key, entry] of shown) {
        const current = print(entry.asker)
        if ((await current) !== (await entry.print)) changed.add(key)
        entry.print = current
      }
      if (changed.size > 0) parts.onChange((asker) => changed.has(keyOf(asker)))
    } finally {
      isLooking = false
    }
  }
  const timer = setInterval(() => {
    look().catch((error: unknown) => parts.log.warn({ error: String(error) }, "What clients were shown could not be compared"))
  }, lookMs).unref()

  return {
    note(asker) {
      const key = keyOf(asker)
      shown.delete(key)
      shown.set(key, { asker, print: print(asker) })
      const [oldest] = shown.keys()
      if (shown.size > askersMax && oldest !== undefined) shown.delete(oldest)
    },
    stop: () => clearInterval(timer),
  }
}

const keyOf = ({ principal, options: { direct } }: Asker): string =>
  [ownerOf(principal), direct?.integration ?? "", direct?.connection ?? ""].join("\0")
