// Answers the calls of tools that the embedding program registers at run time, by calling it back.
import { readArguments } from "./call-arguments.ts"
import { FunctionCallError } from "./function-call-error.ts"
import type { ToolRegistryBuilder } from "./registry-builder.ts"
import { isToolOutput } from "./tool-output.ts"
import type { DynamicToolSpec, ToolHandler, ToolInvocation, ToolOutput } from "./tool.ts"

export class DynamicHandler implements ToolHandler {
  readonly kind = "function"
  readonly external = true
  readonly #spec: DynamicToolSpec

  constructor(spec: DynamicToolSpec) {
    this.#spec = spec
  }

  /** A program that does not say whether its tool changes something is taken to do so. */
  async isMutating(): Promise<boolean> {
    return this.#spec.mutating ?? true
  }

  async handle({ payload, callId, signal }: ToolInvocation): Promise<ToolOutput> {
    if (payload.type !== "function") throw FunctionCallError.fatal(`tool ${this.#spec.name} invoked with incompatible payload`)
    const output = await this.#spec.call(readArguments(payload.arguments), { callId, signal })
    if (isToolOutput(output)) return output
    const content = typeof output === "string" ? output : JSON.stringify(output ?? null)
    return { type: "function", content, success: true }
  }
}

export function addDynamicTools(builder: ToolRegistryBuilder, tools: readonly DynamicToolSpec[]): void {
  for (const tool of tools) {
    const { name, description, parameters, parallel } = tool
    builder.pushSpecWithParallelSupport({ type: "function", name, description, parameters }, parallel ?? false)
    builder.registerHandler(name, new DynamicHandler(tool))
  }
}
