// Runs code for a call of a model: stops it when the call is cancelled, and remembers which questions the model was shown.
import { LruMap } from "../../core/lru-map.ts"
import type { ExecutionReply, ExecutionRequest } from "../../core/execution.ts"
import type { ToolInvocation, ToolOutput } from "../tool.ts"
import type { CatalogExecutor } from "./catalog-executor.ts"
import { forModel } from "./catalog-executor.ts"
import type { Outcome } from "./execution-output.ts"
import { executionOutput } from "./execution-output.ts"

const executionsKeptMax = 1000

/** What all tools of one catalog share. */
export type CatalogRuns = {
  readonly executor: CatalogExecutor
  /** The ids of the approvals that the model was shown, by execution. */
  readonly shownQuestions: LruMap<string, ReadonlySet<string>>
}

export const createCatalogRuns = (executor: CatalogExecutor): CatalogRuns => ({
  executor,
  shownQuestions: new LruMap(executionsKeptMax),
})

export function runCode(code: string, options: Omit<ExecutionRequest, "code">, { signal }: ToolInvocation, runs: CatalogRuns) {
  return forModel(async (): Promise<ToolOutput> => {
    const reply = await runs.executor.run(code, { ...options, signal, cancelOnDisconnect: true })
    return showOutcome({ reply, code }, runs)
  })
}

export async function showOutcome(outcome: Outcome, runs: CatalogRuns): Promise<ToolOutput> {
  const output = await executionOutput(outcome, runs.executor)
  noteQuestions(outcome.reply, runs)
  return output
}

function noteQuestions({ executionId, structured }: ExecutionReply, { shownQuestions }: CatalogRuns): void {
  if (structured.status !== "waiting_for_interaction") return
  const known = shownQuestions.get(executionId) ?? new Set()
  shownQuestions.set(executionId, new Set([...known, ...structured.interactions.map(({ approvalId }) => approvalId)]))
}
