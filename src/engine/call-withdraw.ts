// Ends the calls of an execution that waited for a human, when it came to its end without them.
import { fail } from "../core/result.ts"
import type { ExecutionRow } from "../store/execution-store.ts"
import type { EngineParts } from "./engine-parts.ts"

/** No call of it is left waiting for ever in its history. What is under way ends by itself. */
export async function withdrawCalls(row: ExecutionRow, parts: Pick<EngineParts, "executions">): Promise<void> {
  const { calls } = await parts.executions.journal.read(row, row.id)
  const failure = fail("approval_cancelled", "The execution came to its end without waiting for this approval")
  const ended = { state: "done", answerForm: "envelope", answerJson: JSON.stringify(failure) } as const
  const { code: errorCode, message: errorMessage } = failure.error
  const waiting = calls.filter((call) => call.state === "waiting")
  const records = waiting.map((call) => ({ kind: "call" as const, row: { ...call, ...ended, errorCode, errorMessage, run: row.run } }))
  await parts.executions.journal.append(records, "soon")
}
