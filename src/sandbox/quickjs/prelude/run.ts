// Starts the guest's code, and turns its end, a value or an error, into what the host reads.
import type { Kit } from "./kit.ts"

export function installRun(kit: Kit): void {
  const messageCharsMax = 8_000
  const stringify = JSON.stringify
  const sourceOf = (value: object): string => Function.prototype.toString.call(value)
  let startedMs = 0
  const hints: Record<string, string> = {
    process: "There is no `process` in the sandbox; pass values in the code itself.",
    Buffer: "There is no `Buffer` in the sandbox; use Uint8Array, TextEncoder, atob and btoa.",
    module: "Code is not a CommonJS module here; use `return` or `export default`.",
    window: "There is no browser here; reach the network through `tools`.",
    document: "There is no browser here; reach the network through `tools`.",
    XMLHttpRequest: "There is no network here; reach it through `tools`.",
  }

  kit.define("fetch", () =>
    Promise.reject(new Error("fetch is not available in the sandbox: call a tool instead, and find one with `tools.search({ query })`.")),
  )
  kit.require = (name) => {
    throw new Error(`Module '${String(name)}' is not available in the sandbox: there are no modules; call a tool instead.`)
  }
  kit.define("require", kit.require)
  // Collection is not part of the journal, so code must not be able to see it.
  Reflect.deleteProperty(kit.global, "WeakRef")
  Reflect.deleteProperty(kit.global, "FinalizationRegistry")
  Reflect.deleteProperty(kit.global, "SharedArrayBuffer")

  kit.define("performance", {
    now: () => Date.now() - startedMs,
    get timeOrigin() {
      return startedMs
    },
    toJSON: () => ({ timeOrigin: startedMs }),
  })

  const isClass = (value: object): boolean => /^class\b/.test(sourceOf(value))

  /** `shape`: 0 a body, 1 an expression, 2 a module with a default export. A function that comes out of 1 or 2 is called. */
  kit.start = (code, shape, mode) => {
    kit.isRaw = mode === 1
    startedMs = Date.now()
    const exported: { default?: unknown } = {}
    const ended = code(exported, kit.require)
    return shape === 0 ? ended : calledIfFunction(ended, shape === 2 ? exported : null)
  }

  async function calledIfFunction(ended: Promise<unknown>, exported: { default?: unknown } | null): Promise<unknown> {
    let value = await ended
    if (exported !== null && value === undefined) value = await exported.default
    if (typeof value !== "function" || kit.toolProxies.has(value) || isClass(value)) return value
    return value(kit.tools) as unknown
  }

  const tellDropped = (): void => {
    if (kit.logsDropped > 0) kit.bridge.log(-1, String(kit.logsDropped))
  }

  kit.finish = (value) => {
    tellDropped()
    const text = kit.render(value, kit.limits.resultCharsMax)
    return text === undefined ? "u" : text === null ? "x" : `v${text}`
  }

  const textOf = (read: () => unknown): string => {
    try {
      const value = read()
      return typeof value === "string" ? value.slice(0, messageCharsMax) : ""
    } catch {
      return ""
    }
  }

  /** Written by hand, because the guest may have given arrays a `toJSON`. */
  const triple = (name: string, message: string, stack: string): string => `[${stringify(name)},${stringify(message)},${stringify(stack)}]`

  function describe(error: unknown): string {
    if (!(error instanceof Error)) {
      return triple("Error", typeof error === "string" ? error.slice(0, messageCharsMax) : kit.preview(error, messageCharsMax), "")
    }
    const message = textOf(() => error.message)
    const missing = /^(?:'?)(\w+)(?:'?) is not defined$/.exec(message)?.[1]
    const hint = missing === undefined || !Object.hasOwn(hints, missing) ? "" : `. ${hints[missing]}`
    return triple(
      textOf(() => error.name) || "Error",
      message + hint,
      textOf(() => error.stack),
    )
  }

  /** JSON of `[name, message, stack]`. */
  kit.describeError = (error) => {
    tellDropped()
    try {
      return describe(error)
    } catch {
      return '["Error","The error could not be read.",""]'
    }
  }
}
