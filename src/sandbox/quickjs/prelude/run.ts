// Starts the guest's code, and turns what it returns into what the host reads.
import type { Kit } from "./kit.ts"

export function installRun(kit: Kit): void {
  const sourceOf = (value: object): string => Function.prototype.toString.call(value)
  let startedMs = 0
  let hasTools = true

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
  kit.start = (code, shape, mode, ...input) => {
    kit.isRaw = (mode & 1) === 1
    if (input.length > 0) kit.define("input", input[0])
    hasTools = (mode & 2) === 0
    if (!hasTools) for (const name of ["tools", "store", "load"]) Reflect.deleteProperty(kit.global, name)
    startedMs = Date.now()
    const exported: { default?: unknown } = {}
    const ended = code(exported, kit.require)
    return shape === 0 ? ended : calledIfFunction(ended, shape === 2 ? exported : null, input)
  }

  async function calledIfFunction(ended: Promise<unknown>, exported: { default?: unknown } | null, input: unknown[]): Promise<unknown> {
    let value = await ended
    if (exported !== null && value === undefined) value = await exported.default
    if (typeof value !== "function" || kit.toolProxies.has(value) || isClass(value)) return value
    if (input.length > 0) return value(input[0], hasTools ? parts() : {}) as unknown
    return value(takesParts(value) ? parts() : kit.tools) as unknown
  }

  const takesParts = (value: object): boolean => /^(?:async\s*)?(?:function\b[\s\w$]*)?\(\s*\{/.test(sourceOf(value))

  /** For a parameter that is taken apart: the globals by their names, and every other name as a part of `tools`. */
  function parts(): object {
    const names = ["tools", "console", "emit", "store", "load"] as const
    const globals = kit.global as unknown as Record<string, unknown> // each of them is defined by the prelude
    return Object.create(kit.tools, Object.fromEntries(names.map((name) => [name, { value: globals[name] }]))) as object
  }

  kit.reportDropped = () => {
    if (kit.logsDropped > 0) kit.bridge.log(-1, String(kit.logsDropped))
    if (kit.emitsDropped > 0) kit.bridge.log(-2, String(kit.emitsDropped))
    kit.logsDropped = 0
    kit.emitsDropped = 0
  }

  kit.finish = (value) => {
    kit.reportDropped()
    const text = kit.renderAll(value, kit.limits.resultCharsMax)
    return text === undefined ? "u" : text === null ? "x" : `v${text}`
  }
}
