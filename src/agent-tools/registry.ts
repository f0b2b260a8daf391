// Knows which handler answers a tool.
import type { ToolHandler } from "./tool.ts"

export class ToolRegistry {
  readonly #handlers: ReadonlyMap<string, ToolHandler>

  constructor(handlers: ReadonlyMap<string, ToolHandler>) {
    this.#handlers = handlers
  }

  handler(name: string): ToolHandler | undefined {
    return this.#handlers.get(name)
  }

  names(): readonly string[] {
    return [...this.#handlers.keys()]
  }
}
