// AbortController and AbortSignal, with as much of events as they need.
import type { Kit } from "./kit.ts"

export function installAbort(kit: Kit): void {
  type Listener = (event: { type: string; target: unknown }) => void
  const key = {}

  class AbortSignal {
    aborted = false
    reason: unknown = undefined
    onabort: Listener | null = null
    #listeners: { listener: Listener | { handleEvent: Listener }; once: boolean }[] = []
    constructor(proof?: unknown) {
      if (proof !== key) throw new TypeError("Illegal constructor")
    }
    addEventListener(type: string, listener: Listener | { handleEvent: Listener }, options?: { once?: boolean } | boolean): void {
      if (type !== "abort" || !listener || this.#listeners.some((entry) => entry.listener === listener)) return
      this.#listeners.push({ listener, once: typeof options === "object" && Boolean(options.once) })
    }
    removeEventListener(_type: string, listener: unknown): void {
      this.#listeners = this.#listeners.filter((entry) => entry.listener !== listener)
    }
    throwIfAborted(): void {
      if (this.aborted) throw this.reason
    }
    static fire = (signal: AbortSignal, reason: unknown): void => {
      if (signal.aborted) return
      signal.aborted = true
      signal.reason = reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason
      const event = { type: "abort", target: signal }
      signal.onabort?.(event)
      const listeners = signal.#listeners
      signal.#listeners = listeners.filter((entry) => !entry.once)
      for (const { listener } of listeners) {
        if (typeof listener === "function") listener.call(signal, event)
        else listener.handleEvent(event)
      }
    }
    static abort(reason?: unknown): AbortSignal {
      const signal = new AbortSignal(key)
      fire(signal, reason)
      return signal
    }
    static timeout(delayMs: number): AbortSignal {
      const signal = new AbortSignal(key)
      kit.global.setTimeout(() => fire(signal, new DOMException("The operation timed out", "TimeoutError")), delayMs)
      return signal
    }
    static any(signals: Iterable<AbortSignal>): AbortSignal {
      const signal = new AbortSignal(key)
      for (const source of signals) {
        if (source.aborted) fire(signal, source.reason)
        else source.addEventListener("abort", () => fire(signal, source.reason), { once: true })
      }
      return signal
    }
  }

  const fire = AbortSignal.fire
  Reflect.deleteProperty(AbortSignal, "fire")

  class AbortController {
    readonly signal = new AbortSignal(key)
    abort(reason?: unknown): void {
      fire(this.signal, reason)
    }
  }

  kit.define("AbortSignal", AbortSignal)
  kit.define("AbortController", AbortController)
}
