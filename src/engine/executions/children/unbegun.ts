// Answers the calls that an agent's model asked for and that a run which was ended had not begun: each has a row that says so.
import { recordedCalls, recordedOutputs, shownName, writtenCharsMax } from "../../../agents/loop/recorded-calls.ts"
import { fail } from "../../../core/result.ts"
import type { CallRow, ExecutionRow, JournalRecord } from "../../../store/execution-store.ts"

const unbegun = fail("approval_cancelled", "Not made: the run was ended before this call began")

/** `calls`: of the execution, with those of the runs below it. */
export const endUnbegun = (row: ExecutionRow, calls: Iterable<CallRow>): JournalRecord[] =>
  recordedCalls(calls).flatMap(({ key, call, address, step, isOfLastStep, row: begun }): JournalRecord[] => {
    if (begun !== undefined || !isOfLastStep) return []
    const ended: CallRow = {
      ...step,
      key,
      seq: step.seq + 1 + Number(key.split(":").at(-1)),
      path: shownName(call.name),
      address,
      argsJson: JSON.stringify({ written: call.input.slice(0, writtenCharsMax) }),
      effect: "read",
      decision: "none",
      state: "done",
      answerForm: "envelope",
      answerJson: JSON.stringify(unbegun),
      errorCode: unbegun.error.code,
      errorMessage: unbegun.error.message,
      startedAt: null,
      ms: null,
      run: row.run,
    }
    return [{ kind: "call", row: ended }]
  })

/** What an agent's run says of itself where another node ends it: what its tools have answered. */
export const endedFacts = (calls: Iterable<CallRow>): string =>
  JSON.stringify([{ toolOutputs: recordedOutputs(calls, "", "Not answered: the run was ended") }])
