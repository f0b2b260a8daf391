// Turns any value of the guest into readable JSON: maps, sets, errors, cycles, getters that throw, and the rest.
import type { Kit } from "./kit.ts"

export function installRender(kit: Kit): void {
  const depthMax = 100
  /** Of what an iterator gives; it may never end. */
  const itemsMax = 1000
  const overflow = {}
  const stringify = JSON.stringify
  const toText = String
  const isArray = Array.isArray

  const prototypeOf = Object.getPrototypeOf as (value: object) => unknown // a prototype is an object or null
  const plainPrototype = Object.prototype
  const toStringOf = Object.prototype.toString
  const iteratorPrototype = prototypeOf(prototypeOf([][Symbol.iterator]()) as object) as object // those of all engines have one
  const isIterator = (value: object): boolean => Object.prototype.isPrototypeOf.call(iteratorPrototype, value)
  /** What iterators gave, as they give it only once. */
  let taken = new Map<object, unknown[]>()
  let mayTake = false

  /** The plain form of a value that JSON does not know; the value itself when JSON does. */
  function plain(value: unknown): unknown {
    if (typeof value === "string" || typeof value === "boolean" || value === null || value === undefined) return value
    if (typeof value === "number") return value - value === 0 ? value : toText(value)
    if (typeof value === "object") return isArray(value) ? value : plainObject(value)
    if (typeof value === "function") return plainFunction(value)
    return toText(value)
  }

  function plainFunction(value: { name: unknown }): string {
    const path = kit.toolProxies.get(value)
    if (path !== undefined) return `[tools.${path}]`
    return typeof value.name === "string" && value.name !== "" ? `[Function: ${value.name}]` : "[Function]"
  }

  function plainObject(value: object): unknown {
    const prototype = prototypeOf(value)
    if (prototype === plainPrototype || prototype === kit.envelopeGuard) return value
    if (prototype === null) return kit.toolProxies.has(value) ? "[tools]" : value
    if (value instanceof Map) return plainMap(value)
    if (value instanceof Set) return [...value]
    if (value instanceof Error) return plainError(value)
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString()
    if (ArrayBuffer.isView(value)) return value instanceof DataView ? plainBytes(value.buffer) : Array.from(value as Uint8Array) // every other view is iterable
    if (value instanceof ArrayBuffer) return plainBytes(value)
    if (value instanceof RegExp) return toText(value)
    if (value instanceof Promise) return "[Promise]"
    if (value instanceof WeakMap || value instanceof WeakSet) return "[Weak collection]"
    if (isIterator(value)) return mayTake ? itemsOf(value as Iterator<unknown>) : `[${tagOf(value).slice(8, -1)}]` // its prototype has `next`
    if (tagOf(value) === "[object AsyncGenerator]") return "[AsyncGenerator: collect it with `for await`]"
    return unboxed(value)
  }

  function itemsOf(iterator: Iterator<unknown>): unknown[] {
    const items = taken.get(iterator) ?? []
    if (taken.has(iterator)) return items
    taken.set(iterator, items)
    while (items.length < itemsMax) {
      const next = iterator.next()
      if (next.done) return items
      items.push(next.value)
    }
    items.push("… [cut]")
    return items
  }

  const tagOf = (value: object): string => toStringOf.call(value)

  /** The value in `new Number(1)` and its like; what only looks like one is left alone. */
  function unboxed(value: object): unknown {
    if (!/^\[object (?:Number|String|Boolean|BigInt|Symbol)\]$/.test(tagOf(value))) return value
    try {
      const held: unknown = value.valueOf()
      return typeof held === "object" ? value : plain(held)
    } catch {
      return value
    }
  }

  const plainError = (error: Error): object => {
    const { name, message } = error
    const own = Object.fromEntries(Object.entries(error))
    const errors = error instanceof AggregateError ? { errors: error.errors } : {}
    return { name, message, ...own, ...errors, ...("cause" in error ? { cause: error.cause } : {}) }
  }

  const plainBytes = (buffer: ArrayBufferLike): number[] => Array.from(new Uint8Array(buffer))

  function plainMap(map: Map<unknown, unknown>): unknown {
    const entries = [...map]
    if (!entries.every(([key]) => typeof key === "string")) return entries
    const object = Object.create(null) as Record<string, unknown> // without a prototype, as a map may hold the key "__proto__"
    for (const [key, item] of entries) object[String(key)] = item
    return object
  }

  /** The engine's own JSON with a replacer: fast, and fails on cycles, throwing getters and great depth. */
  function renderFast(value: unknown, charsMax: number): string | undefined {
    let chars = 0
    const path: unknown[] = []
    return stringify(value, function (this: Record<string, unknown>, key: string, item: unknown) {
      // An invalid date has become null by now.
      const plainItem = plain(item === null && this[key] instanceof Date ? this[key] : item)
      chars += typeof plainItem === "string" ? plainItem.length + 3 : 3
      if (chars > charsMax) throw overflow
      if (typeof plainItem !== "object" || plainItem === null) return plainItem
      // The walk is depth first, so the holder of this item is the last one on the path that is still open.
      while (path.length > 0 && path[path.length - 1] !== this) path.length -= 1
      if (path.length >= depthMax) return "[Too deep]"
      path[path.length] = plainItem
      return plainItem
    })
  }

  /** Touches every property with care: what throws is shown as such, and the rest goes on. With a mark it ends where it is cut. */
  function renderCareful(root: unknown, charsMax: number, cutMark?: string): string {
    const pieces: string[] = []
    const ancestors = new Set<object>()
    let chars = 0
    function add(text: string): void {
      pieces.push(chars + text.length > charsMax ? text.slice(0, charsMax - chars) : text)
      chars += text.length
      if (chars > charsMax) throw overflow
    }
    const addText = (text: string): void => add(stringify(text))
    const guarded = <T>(read: () => T, otherwise: (mark: string) => T): T => {
      try {
        return read()
      } catch (error) {
        return otherwise(`[Thrown: ${thrownText(error)}]`)
      }
    }
    function addValue(value: unknown): void {
      const form = guarded(
        () => jsonForm(value),
        (mark) => mark,
      )
      if (typeof form === "string") return addText(form)
      if (typeof form !== "object" || form === null) return add(form === undefined ? "null" : toText(form))
      if (ancestors.has(form)) return addText("[Circular]")
      if (ancestors.size >= depthMax) return addText("[Too deep]")
      ancestors.add(form)
      addContainer(form)
      ancestors.delete(form)
    }
    function addContainer(container: object): void {
      const keys = guarded<string[] | string | null>(
        () => (isArray(container) ? null : Object.keys(container)),
        (mark) => mark,
      )
      if (typeof keys === "string") return addText(keys)
      if (keys === null) return addArray(container as unknown[]) // no keys were read only because it is an array
      let separator = "{"
      for (const key of keys) {
        const item = guarded(
          () => (container as Record<string, unknown>)[key],
          (mark): unknown => mark,
        ) // the key is its own
        if (item === undefined) continue
        add(`${separator}${stringify(key)}:`)
        separator = ","
        addValue(item)
      }
      add(separator === "{" ? "{}" : "}")
    }
    function addArray(items: unknown[]): void {
      add("[")
      const length = guarded(
        () => items.length,
        () => 0,
      )
      for (let index = 0; index < length; index++) {
        if (index > 0) add(",")
        addValue(
          guarded(
            () => items[index],
            (mark): unknown => mark,
          ),
        )
      }
      add("]")
    }
    try {
      addValue(root)
    } catch (error) {
      if (error !== overflow || cutMark === undefined) throw error
      pieces.push(cutMark)
    }
    return pieces.join("")
  }

  function jsonForm(value: unknown): unknown {
    if (value instanceof Date) return plain(value)
    if (typeof value === "object" && value !== null && "toJSON" in value && typeof value.toJSON === "function") {
      try {
        return plain(value.toJSON())
      } catch {
        return plain(value)
      }
    }
    return plain(value)
  }

  function thrownText(error: unknown): string {
    try {
      return error instanceof Error ? toText(error.message) : toText(error)
    } catch {
      return "unreadable"
    }
  }

  function rendered<T>(render: () => T, careful: () => T): T | null {
    kit.isRendering = true
    try {
      return render()
    } catch (error) {
      try {
        return error === overflow ? null : careful()
      } catch {
        return null
      }
    } finally {
      kit.isRendering = false
    }
  }

  kit.render = (value, charsMax) =>
    rendered(
      () => renderFast(value, charsMax),
      () => renderCareful(value, charsMax),
    )

  kit.renderAll = (value, charsMax) => {
    mayTake = true
    const text = kit.render(value, charsMax)
    mayTake = false
    taken = new Map()
    return text
  }

  kit.preview = (value, charsMax) => {
    const cut = (): string => renderCareful(value, charsMax, "… [cut]")
    const text = kit.render(value, charsMax)
    return text === undefined ? "undefined" : (text ?? rendered(cut, cut) ?? "[A value that cannot be shown]")
  }
}
