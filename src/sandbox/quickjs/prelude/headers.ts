// Headers: names without case, values joined by commas, iterated in order of name.
import type { Kit } from "./kit.ts"

export function installHeaders(kit: Kit): void {
  const named = (name: unknown): string => {
    const text = String(name).toLowerCase()
    if (!/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(text)) throw new TypeError(`Invalid header name: ${text}`)
    return text
  }
  const valued = (value: unknown): string => {
    const text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "")
    if (/[\0\n\r]/.test(text)) throw new TypeError("Invalid header value")
    return text
  }

  class Headers {
    #values = new Map<string, string[]>()
    constructor(init?: unknown) {
      if (init === undefined || init === null) return
      if (typeof init !== "object") throw new TypeError("Headers are made from an object or from pairs.")
      const pairs = Symbol.iterator in init ? (init as Iterable<[unknown, unknown]>) : Object.entries(init) // the check says it is iterable
      for (const [name, value] of pairs) this.append(name, value)
    }
    append(name: unknown, value: unknown): void {
      const values = this.#values.get(named(name))
      if (values) values.push(valued(value))
      else this.#values.set(named(name), [valued(value)])
    }
    delete(name: unknown): void {
      this.#values.delete(named(name))
    }
    get(name: unknown): string | null {
      return this.#values.get(named(name))?.join(", ") ?? null
    }
    getSetCookie(): string[] {
      return [...(this.#values.get("set-cookie") ?? [])]
    }
    has(name: unknown): boolean {
      return this.#values.has(named(name))
    }
    set(name: unknown, value: unknown): void {
      this.#values.set(named(name), [valued(value)])
    }
    forEach(visit: (value: string, name: string, headers: Headers) => void, self?: unknown): void {
      for (const [name, value] of this.entries()) visit.call(self, value, name, this)
    }
    *entries(): Generator<[string, string]> {
      for (const name of [...this.#values.keys()].toSorted()) {
        if (name === "set-cookie") for (const cookie of this.getSetCookie()) yield [name, cookie]
        else yield [name, this.get(name) ?? ""]
      }
    }
    *keys(): Generator<string> {
      for (const [name] of this.entries()) yield name
    }
    *values(): Generator<string> {
      for (const [, value] of this.entries()) yield value
    }
    [Symbol.iterator](): Generator<[string, string]> {
      return this.entries()
    }
    toJSON(): Record<string, string> {
      return Object.fromEntries(this.entries())
    }
    get [Symbol.toStringTag](): string {
      return "Headers"
    }
  }
  kit.define("Headers", Headers)
}
