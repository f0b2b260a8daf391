// One tool of the catalog, called by itself: an execution of one call, so that it passes the gate and can wait for a human.
import { callCode } from "../../core/call/code.ts"
import type { Effect } from "../../core/tool.ts"
import { readArguments } from "../call-arguments.ts"
import { FunctionCallError } from "../function-call-error.ts"
import type { ToolHandler, ToolInvocation, ToolOutput } from "../tool.ts"
import type { CatalogRuns } from "./run-code.ts"
import { runCode } from "./run-code.ts"

export class CatalogToolHandler implements ToolHandler {
  readonly kind = "function"
  readonly external = true
  readonly #address: string
  readonly #effect: Effect
  readonly #runs: CatalogRuns

  constructor(address: string, effect: Effect, runs: CatalogRuns) {
    this.#address = address
    this.#effect = effect
    this.#runs = runs
  }

  /** By what its calls do at most. The gate knows the effect of the single call, and decides by that. */
  async isMutating(): Promise<boolean> {
    return this.#effect !== "read"
  }

  async handle(invocation: ToolInvocation): Promise<ToolOutput> {
    const { payload } = invocation
    if (payload.type !== "function") throw FunctionCallError.fatal(`tool ${invocation.toolName} invoked with incompatible payload`)
    return runCode(callCode(this.#address, readArguments(payload.arguments)), {}, invocation, this.#runs)
  }
}
