// URLSearchParams with the form encoding of the web.
import type { Kit } from "./kit.ts"

export function installUrlSearchParams(kit: Kit): void {
  const changed = Symbol("changed")
  const text: (value: unknown) => string = String
  const decode = (encoded: string): string => {
    const spaced = encoded.replace(/\+/g, " ")
    try {
      return decodeURIComponent(spaced)
    } catch {
      // Stray percent signs stay as they are; the sequences that are whole are decoded.
      return spaced.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
        try {
          return decodeURIComponent(run)
        } catch {
          return kit.decode(
            "utf-8",
            "",
            Uint8Array.from(run.slice(1).split("%"), (hex) => Number.parseInt(hex, 16)),
          )
        }
      })
    }
  }
  const encode = (plain: string): string =>
    encodeURIComponent(plain.toWellFormed())
      .replace(/%20/g, "+")
      .replace(/[!'()~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

  function pairsOf(init: unknown): [string, string][] {
    if (init === undefined || init === null) return []
    if (typeof init === "object" && Symbol.iterator in init) {
      return Array.from(init as Iterable<unknown>, (pair) => {
        // it was seen to be iterable
        const [name, value, ...rest] = Array.from(pair as Iterable<unknown>) // throws the TypeError that is due when it is none
        if (rest.length > 0) throw new TypeError("Each query pair must be an iterable [name, value] tuple")
        return [text(name), text(value)]
      })
    }
    if (typeof init === "object") return Object.entries(init).map(([name, value]) => [name, text(value)])
    return parse(text(init))
  }

  const parse = (search: string): [string, string][] =>
    search
      .replace(/^\?/, "")
      .split("&")
      .filter((piece) => piece !== "")
      .map((piece) => {
        const at = piece.indexOf("=")
        return at < 0 ? [decode(piece), ""] : [decode(piece.slice(0, at)), decode(piece.slice(at + 1))]
      })

  class URLSearchParams {
    #pairs: [string, string][]
    declare [changed]?: (search: string) => void
    constructor(init?: unknown) {
      this.#pairs = pairsOf(init)
    }
    static {
      kit.resetParams = (params, search) => {
        ;(params as unknown as URLSearchParams).#pairs = parse(search) // only this class makes them
      }
    }
    #touch(): void {
      this[changed]?.(this.toString())
    }
    get size(): number {
      return this.#pairs.length
    }
    append(name: unknown, value: unknown): void {
      this.#pairs.push([text(name), text(value)])
      this.#touch()
    }
    delete(name: unknown, value?: unknown): void {
      this.#pairs = this.#pairs.filter((pair) => pair[0] !== text(name) || (value !== undefined && pair[1] !== text(value)))
      this.#touch()
    }
    get(name: unknown): string | null {
      return this.#pairs.find((pair) => pair[0] === text(name))?.[1] ?? null
    }
    getAll(name: unknown): string[] {
      return this.#pairs.filter((pair) => pair[0] === text(name)).map((pair) => pair[1])
    }
    has(name: unknown, value?: unknown): boolean {
      return this.#pairs.some((pair) => pair[0] === text(name) && (value === undefined || pair[1] === text(value)))
    }
    set(name: unknown, value: unknown): void {
      const index = this.#pairs.findIndex((pair) => pair[0] === text(name))
      if (index < 0) return this.append(name, value)
      this.#pairs = this.#pairs.filter((pair, at) => at <= index || pair[0] !== text(name))
      this.#pairs[index] = [text(name), text(value)]
      return this.#touch()
    }
    sort(): void {
      this.#pairs.sort((left, right) => (left[0] < right[0] ? -1 : left[0] > right[0] ? 1 : 0))
      this.#touch()
    }
    forEach(visit: (value: string, name: string, params: URLSearchParams) => void, self?: unknown): void {
      for (const [name, value] of this.#pairs) visit.call(self, value, name, this)
    }
    *entries(): Generator<[string, string]> {
      for (const [name, value] of this.#pairs) yield [name, value]
    }
    *keys(): Generator<string> {
      for (const pair of this.#pairs) yield pair[0]
    }
    *values(): Generator<string> {
      for (const pair of this.#pairs) yield pair[1]
    }
    [Symbol.iterator](): Generator<[string, string]> {
      return this.entries()
    }
    toString(): string {
      return this.#pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&")
    }
    toJSON(): string {
      return this.toString()
    }
    get [Symbol.toStringTag](): string {
      return "URLSearchParams"
    }
  }
  kit.urlChanged = changed
  kit.define("URLSearchParams", URLSearchParams)
}
