// `structuredClone` for everything a guest can make: cycles, collections, dates, errors, buffers.
import type { Kit } from "./kit.ts"

export function installStructuredClone(kit: Kit): void {
  const refuse = (value: unknown): never => {
    throw new DOMException(`${typeof value === "symbol" ? String(value) : `A ${typeof value}`} could not be cloned.`, "DataCloneError")
  }

  function clone(value: unknown, seen: Map<object, unknown>): unknown {
    if (typeof value === "function" || typeof value === "symbol") return refuse(value)
    if (typeof value !== "object" || value === null) return value
    if (seen.has(value)) return seen.get(value)
    if (kit.toolProxies.has(value) || value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) return refuse(value)
    const shell = shellOf(value, seen)
    seen.set(value, shell)
    fill(value, shell, seen)
    return shell
  }

  /** The empty counterpart: it must exist before the contents, or cycles would not end. */
  function shellOf(value: object, seen: Map<object, unknown>): object {
    if (Array.isArray(value)) return Array.from({ length: value.length })
    if (value instanceof Date) return new Date(value.getTime())
    if (value instanceof RegExp) return new RegExp(value.source, value.flags)
    if (value instanceof Map) return new Map()
    if (value instanceof Set) return new Set()
    if (value instanceof ArrayBuffer) return value.slice(0)
    if (ArrayBuffer.isView(value)) {
      const buffer = clone(value.buffer, seen)
      const View = value.constructor as new (buffer: unknown, offset: number, length: number) => object // every view has this constructor
      return new View(buffer, value.byteOffset, value instanceof DataView ? value.byteLength : (value as Uint8Array).length)
    }
    if (value instanceof Error) return errorShell(value)
    return {}
  }

  function errorShell(error: Error): Error {
    const known = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError } as Record<string, ErrorConstructor>
    const copy = new (known[error.name] ?? Error)(error.message)
    Object.defineProperty(copy, "stack", { value: error.stack, writable: true, configurable: true })
    return copy
  }

  function fill(from: object, to: object, seen: Map<object, unknown>): void {
    if (from instanceof Map) for (const [key, item] of from) (to as Map<unknown, unknown>).set(clone(key, seen), clone(item, seen)) // the shell has its kind
    else if (from instanceof Set) for (const item of from) (to as Set<unknown>).add(clone(item, seen)) // the shell has its kind
    else if (from instanceof Error) {
      if ("cause" in from) Object.defineProperty(to, "cause", { value: clone(from.cause, seen), writable: true, configurable: true })
    } else if (Array.isArray(from) || Object.getPrototypeOf(to) === Object.prototype) {
      for (const key of Object.keys(from)) {
        const item = clone((from as Record<string, unknown>)[key], seen) // the key is its own
        Object.defineProperty(to, key, { value: item, writable: true, enumerable: true, configurable: true })
      }
    }
  }

  kit.define("structuredClone", (value: unknown) => clone(value, new Map()))
}
