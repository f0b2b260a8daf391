// URL, parsed and changed by the host's own parser; the guest keeps the parts.
import type { Kit } from "./kit.ts"

export function installUrl(kit: Kit): void {
  const writable = ["href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"]

  const text: (value: unknown) => string = String

  function partsOf(json: string): Record<string, string> {
    if (json === "") throw new TypeError("Invalid URL")
    return JSON.parse(json) as Record<string, string> // the host answers an object of strings
  }

  const parse = (href: string, base: string | undefined): Record<string, string> =>
    partsOf(kit.bridge.url(base === undefined ? "parse" : "resolve", href, base ?? ""))

  class URL {
    #parts: Record<string, string>
    #params: URLSearchParams
    constructor(href: unknown, base?: unknown) {
      this.#parts = parse(text(href), base === undefined ? undefined : text(base))
      this.#params = new kit.global.URLSearchParams(this.#parts["search"])
      Object.defineProperty(this.#params, kit.urlChanged, { value: (search: string) => this.#change("search", search) })
    }
    static canParse(href: unknown, base?: unknown): boolean {
      return URL.parse(href, base) !== null
    }
    static parse(href: unknown, base?: unknown): URL | null {
      try {
        return new URL(href, base)
      } catch {
        return null
      }
    }
    #change(property: string, value: string): void {
      this.#parts = partsOf(kit.bridge.url(property, this.#parts["href"] ?? "", value))
    }
    get searchParams(): URLSearchParams {
      return this.#params
    }
    toString(): string {
      return this.#parts["href"] ?? ""
    }
    toJSON(): string {
      return this.toString()
    }
    get [Symbol.toStringTag](): string {
      return "URL"
    }
    static {
      const define = (property: string, set?: (this: URL, value: unknown) => void): void => {
        const get = function (this: URL): string {
          return this.#parts[property] ?? ""
        }
        Object.defineProperty(URL.prototype, property, { get, ...(set ? { set } : {}), enumerable: true, configurable: true })
      }
      define("origin")
      for (const property of writable) {
        define(property, function (this: URL, value: unknown) {
          this.#change(property, text(value))
          if (property === "search" || property === "href") kit.resetParams(this.#params, this.#parts["search"] ?? "")
        })
      }
    }
  }
  kit.define("URL", URL)
}
