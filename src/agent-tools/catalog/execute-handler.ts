// `execute`: the model's code, run by the executor, where every call of a tool passes the gate.
import type { ExecutionRequest, ResultsMode } from "../../core/execution.ts"
import { readArguments } from "../call-arguments.ts"
import { FunctionCallError } from "../function-call-error.ts"
import type { ToolHandler, ToolInvocation, ToolOutput } from "../tool.ts"
import type { CatalogRuns } from "./run-code.ts"
import { runCode } from "./run-code.ts"

export class ExecuteHandler implements ToolHandler {
  readonly kind = "function"
  readonly #runs: CatalogRuns
  readonly #results: ResultsMode

  constructor(runs: CatalogRuns, results: ResultsMode) {
    this.#runs = runs
    this.#results = results
  }

  /** What code does is known only once it runs. */
  async isMutating(): Promise<boolean> {
    return true
  }

  async handle(invocation: ToolInvocation): Promise<ToolOutput> {
    const { code, ...options } = readExecute(invocation)
    return runCode(code, { ...options, results: this.#results }, invocation, this.#runs)
  }
}

function readExecute({ payload }: ToolInvocation): Pick<ExecutionRequest, "code" | "timeoutMs"> {
  if (payload.type !== "function") throw FunctionCallError.fatal("tool execute invoked with incompatible payload")
  const { code, timeoutMs, ...others } = readArguments(payload.arguments)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw wrong(`'${unknown}' is unknown; execute takes code and timeoutMs`)
  if (typeof code !== "string" || code.trim() === "") throw wrong("'code' must be a text with the code to run")
  if (timeoutMs === undefined) return { code }
  if (typeof timeoutMs !== "number" || !Number.isInteger(timeoutMs) || timeoutMs < 1) throw wrong("'timeoutMs' must be a whole number")
  return { code, timeoutMs }
}

const wrong = (message: string): FunctionCallError => FunctionCallError.respondToModel(`invalid_arguments: ${message}`)
