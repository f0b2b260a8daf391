// Summarizes the calls that an execution has made, so that anyone who runs its code again knows what not to repeat.
import type { CallRecap } from "../core/execution.ts"
import type { CallRow } from "../store/execution-store.ts"

const recapsMax = 50
const argsCharsMax = 300
const answerCharsMax = 120

/** `ended`: whether what is under way is broken off, or goes on. Writes come first. */
export function recapCalls(calls: Iterable<CallRow>, ended: "stopped" | "by_itself"): CallRecap[] {
  const made = [...calls].flatMap((call) => {
    const outcome = outcomeOf(call, ended)
    return outcome === null ? [] : [{ call, outcome }]
  })
  const writesFirst = [...made.filter(({ call }) => call.effect !== "read"), ...made.filter(({ call }) => call.effect === "read")]
  return writesFirst.slice(0, recapsMax).map(({ call, outcome }) => {
    const answer = outcome === "done" && call.effect !== "read" ? briefAnswer(call.answerJson) : null
    const { path: tool, effect } = call
    return { tool, args: cut(call.argsJson, argsCharsMax), effect, outcome, ...(answer === null ? {} : { answer }) }
  })
}

/** Null for what has not been sent: it failed before, or waits for a human. */
function outcomeOf({ state, effect, errorCode, decision }: CallRow, ended: "stopped" | "by_itself"): CallRecap["outcome"] | null {
  if (state === "waiting") return null
  if (state === "started") return effect === "read" || ended === "by_itself" ? "under_way" : "unknown"
  // What has no verdict was answered by Executor itself.
  if (errorCode === null) return decision === "none" ? null : "done"
  const mayHaveHappened = errorCode === "outcome_unknown" || (effect !== "read" && errorCode === "timeout")
  return mayHaveHappened ? "unknown" : null
}

/** The names by which what was made is found again. */
const idNames = ["id", "number", "key", "name", "sha", "url"]

/** The id of what was made, or the beginning of the answer. */
function briefAnswer(answerJson: string | null): string | null {
  if (answerJson === null) return null
  const { data } = JSON.parse(answerJson) as { data?: unknown } // written by the journal
  if (typeof data === "string") return cut(data, answerCharsMax)
  if (typeof data !== "object" || data === null) return data === undefined ? null : JSON.stringify(data)
  const fields = data as Record<string, unknown> // any object can be asked for any key
  const name = idNames.find((one) => typeof fields[one] === "string" || typeof fields[one] === "number")
  return name === undefined ? cut(JSON.stringify(data), answerCharsMax) : cut(`${name} ${String(fields[name])}`, answerCharsMax)
}

const cut = (text: string, charsMax: number): string => (text.length > charsMax ? `${text.slice(0, charsMax)}…` : text)
