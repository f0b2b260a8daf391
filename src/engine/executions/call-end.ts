// Ends the calls that have no result when their execution ends, so that none stays open in its history.
import type { ToolFailure } from "../../core/result.ts"
import type { CallRow, ExecutionRow } from "../../store/execution-store.ts"
import type { EngineParts } from "../engine-parts.ts"

/** `failureOf`: null for a call that ends by itself. */
export async function endCalls(
  row: ExecutionRow,
  failureOf: (call: CallRow) => ToolFailure | null,
  parts: Pick<EngineParts, "executions">,
): Promise<void> {
  const { calls } = await parts.executions.journal.read(row, row.id)
  const records = calls
    .filter((call) => call.state !== "done")
    .flatMap((call) => {
      const failure = failureOf(call)
      return failure === null ? [] : [{ kind: "call" as const, row: endedCall(call, row.run, failure), asker: row }]
    })
  await parts.executions.journal.append(records, "now")
}

const endedCall = (call: CallRow, run: number, failure: ToolFailure): CallRow => ({
  ...call,
  run,
  state: "done",
  answerForm: "envelope",
  answerJson: JSON.stringify(failure),
  errorCode: failure.error.code,
  errorMessage: failure.error.message,
})
