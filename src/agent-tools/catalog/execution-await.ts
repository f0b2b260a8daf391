// Waits until an execution has ended or asks something new, without answering for its human.
import { setTimeout as sleep } from "node:timers/promises"
import type { ExecutionView } from "../../core/execution.ts"
import type { CatalogExecutor } from "./catalog-executor.ts"

export type Awaited = { readonly view: ExecutionView; /** It still asks what the model knows. */ readonly isUnanswered: boolean }

/** Between its last answer and going on, an execution is paused without a question. */
const takeUpMs = 50

/** How late an answer is noticed that was given on another node, at most. */
const lookEveryMs = 5000

/** `isKnown`: whether the model was shown this question. The execution is given as it is when the signal is aborted. */
export async function awaitExecution(
  id: string,
  isKnown: (approvalId: string) => boolean,
  signal: AbortSignal,
  executor: CatalogExecutor,
): Promise<Awaited> {
  for (;;) {
    const view = await executor.executions.get(id)
    const state = stateOf(view, isKnown)
    if (signal.aborted || state === "settled") return { view, isUnanswered: state === "unanswered" }
    if (state === "running") await untilSettled(id, signal, executor)
    else if (state === "unanswered") await untilAnswered(id, isKnown, signal, executor)
    else await sleep(takeUpMs, undefined, { signal }).catch(() => {})
  }
}

/** `settled`: it has ended, or asks something new. `answered`: it is about to go on. */
type State = "running" | "answered" | "unanswered" | "settled"

function stateOf({ status, structured }: ExecutionView, isKnown: (approvalId: string) => boolean): State {
  if (status === "running") return "running"
  if (structured.status !== "waiting_for_interaction") return "settled"
  if (structured.interactions.length === 0) return "answered"
  return structured.interactions.every(({ approvalId }) => isKnown(approvalId)) ? "unanswered" : "settled"
}

async function untilSettled(id: string, signal: AbortSignal, executor: CatalogExecutor): Promise<void> {
  for await (const event of executor.executions.events(id, signal)) if (event.type === "end" || event.type === "pause") return
}

/** The first event comes at once, so that an answer which arrived before it is not missed. */
async function untilAnswered(
  id: string,
  isKnown: (approvalId: string) => boolean,
  signal: AbortSignal,
  executor: CatalogExecutor,
): Promise<void> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(lookEveryMs)])
  for await (const _event of executor.approvals.events(until))
    if (stateOf(await executor.executions.get(id), isKnown) !== "unanswered") return
}
