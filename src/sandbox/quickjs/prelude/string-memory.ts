// Fixes text methods that throw nothing when memory runs out, because code would then catch an invalid value.
import type { Kit } from "./kit.ts"

/** An error of QuickJS itself, which the types of JavaScript leave out. */
declare const InternalError: ErrorConstructor

export function installStringMemory(kit: Kit): void {
  const { apply } = Reflect
  const EngineError = InternalError
  const methodsOfText: object = String.prototype

  kit.isNoValue = (error) => {
    const kind: string = typeof error
    return kind === "unknown"
  }

  function mend(name: "normalize" | "localeCompare"): void {
    const builtin = String.prototype[name] as (...args: unknown[]) => unknown // called with what the code gives
    const methods = {
      [name](this: unknown, ...args: unknown[]): unknown {
        try {
          return apply(builtin, this, args)
        } catch (error) {
          throw kit.isNoValue(error) ? new EngineError("out of memory") : error
        }
      },
    }
    Object.defineProperty(methodsOfText, name, { value: methods[name] })
  }
  mend("normalize")
  mend("localeCompare")
}
