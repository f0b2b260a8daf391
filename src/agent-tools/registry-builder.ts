// Collects tools: how each is described to the model, and which handler answers it.
import { ToolRegistry } from "./registry.ts"
import { warnInNode } from "./tool-warning.ts"
import type { ConfiguredToolSpec, ToolHandler, ToolSpec } from "./tool.ts"

/** The names that all model APIs accept. */
const namePattern = /^[a-zA-Z0-9_-]{1,64}$/

export class ToolRegistryBuilder {
  readonly #specs = new Map<string, ConfiguredToolSpec[]>()
  readonly #handlers = new Map<string, ToolHandler[]>()
  readonly #warn: (message: string) => void

  constructor(options: { readonly warn?: (message: string) => void } = {}) {
    this.#warn = options.warn ?? warnInNode
  }

  /** Describes a tool whose calls run one at a time. */
  pushSpec(spec: ToolSpec): void {
    this.pushSpecWithParallelSupport(spec, false)
  }

  pushSpecWithParallelSupport(spec: ToolSpec, supportsParallel: boolean): void {
    checkName(spec.name)
    append(this.#specs, spec.name, { spec, supportsParallel })
  }

  /** Of two handlers of one name the last wins, but an external tool cannot take a local one's name. */
  registerHandler(name: string, handler: ToolHandler): void {
    checkName(name)
    const others = this.#handlers.get(name) ?? []
    if (others.length > 0) this.#warn(duplicateText(name, handler, others))
    append(this.#handlers, name, handler)
  }

  build(): [specs: readonly ConfiguredToolSpec[], registry: ToolRegistry] {
    const handlers = new Map([...this.#handlers].map(([name, all]) => [name, chosen(all)]))
    const specs = [...this.#specs].map(([name, all]) => specOf(all, this.#handlers.get(name) ?? []))
    return [specs, new ToolRegistry(handlers)]
  }
}

const isExternal = (handler: ToolHandler): boolean => handler.kind === "mcp" || handler.external === true

function chosen(handlers: readonly ToolHandler[]): ToolHandler {
  const winner = handlers.findLast((handler) => !isExternal(handler)) ?? handlers.at(-1)
  if (winner === undefined) throw new Error("A name is kept with its first handler")
  return winner
}

/** A model API refuses two tools of one name, so one is described: the last, or the one that came with the local handler. */
function specOf(specs: readonly ConfiguredToolSpec[], handlers: readonly ToolHandler[]): ConfiguredToolSpec {
  const isContested = handlers.some(isExternal) && !handlers.every(isExternal)
  const index = isContested ? handlers.indexOf(chosen(handlers)) : specs.length - 1
  const spec = specs[Math.min(index, specs.length - 1)]
  if (spec === undefined) throw new Error("A name is kept with its first spec")
  return spec
}

function duplicateText(name: string, handler: ToolHandler, others: readonly ToolHandler[]): string {
  const isRefused = isExternal(handler) && !others.every(isExternal)
  if (isRefused) return `The external tool '${name}' is left out: a local tool has this name. Give it another one.`
  if (!isExternal(handler) && others.every(isExternal)) return `The external tool '${name}' is left out: a local tool takes this name.`
  return `Two handlers are registered for the tool '${name}'. The last one answers its calls.`
}

function checkName(name: string): void {
  if (namePattern.test(name)) return
  throw new TypeError(`'${name}' cannot be a tool's name: model APIs accept 1 to 64 letters, digits, '_' and '-'.`)
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
