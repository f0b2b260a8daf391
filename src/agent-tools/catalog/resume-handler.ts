// `resume`: goes on with an execution that waits for its human, or still runs. A model can wait and say no, but never approve.
import type { AnswerAction, ExecutionReply } from "../../core/execution.ts"
import { answerActions } from "../../core/execution.ts"
import { defaultLimits } from "../../core/limits.ts"
import { readArguments } from "../call-arguments.ts"
import { FunctionCallError } from "../function-call-error.ts"
import type { ToolHandler, ToolInvocation, ToolOutput } from "../tool.ts"
import { forModel } from "./catalog-executor.ts"
import { awaitExecution } from "./execution-await.ts"
import type { CatalogRuns } from "./run-code.ts"
import { showOutcome } from "./run-code.ts"

type ResumeArguments = { readonly executionId: string; readonly action: AnswerAction }

export class ResumeHandler implements ToolHandler {
  readonly kind = "function"
  readonly #runs: CatalogRuns
  readonly #waitMs: number

  constructor(runs: CatalogRuns, waitMs: number = defaultLimits.mcpAnswerWaitMs) {
    this.#runs = runs
    this.#waitMs = waitMs
  }

  /** Waiting changes nothing: what goes on was started before. */
  async isMutating({ payload }: ToolInvocation): Promise<boolean> {
    return payload.type === "function" && readResume(payload.arguments).action !== "accept"
  }

  async handle({ payload, signal }: ToolInvocation): Promise<ToolOutput> {
    if (payload.type !== "function") throw FunctionCallError.fatal("tool resume invoked with incompatible payload")
    const { executionId, action } = readResume(payload.arguments)
    return forModel(async () => {
      const { executor } = this.#runs
      const { code, status } = await executor.executions.get(executionId)
      if (action !== "accept" && (status === "paused" || (status === "running" && action === "cancel")))
        return showOutcome({ reply: await this.#refuse(executionId, action, status), code }, this.#runs)
      const known = this.#runs.shownQuestions.get(executionId)
      const isKnown = (approvalId: string): boolean => known?.has(approvalId) ?? false
      const until = AbortSignal.any([signal, AbortSignal.timeout(this.#waitMs)])
      const { view, isUnanswered } = await awaitExecution(executionId, isKnown, until, executor)
      return showOutcome({ reply: view, code, isUnanswered }, this.#runs)
    })
  }

  /** What waits is answered with no; what runs is stopped. */
  #refuse(executionId: string, action: "decline" | "cancel", status: "paused" | "running"): Promise<ExecutionReply> {
    const { executor } = this.#runs
    return status === "running" ? executor.executions.cancel(executionId) : executor.resume(executionId, { action })
  }
}

function readResume(text: string): ResumeArguments {
  const { executionId, action } = readArguments(text)
  if (typeof executionId !== "string" || executionId === "")
    throw wrong("'executionId' is missing. Take it from the output that said what the execution waits for")
  const known = answerActions.find((one) => one === action)
  if (known === undefined) throw wrong(`'action' must be one of ${answerActions.join(", ")}`)
  return { executionId, action: known }
}

const wrong = (message: string): FunctionCallError => FunctionCallError.respondToModel(`invalid_arguments: ${message}`)
