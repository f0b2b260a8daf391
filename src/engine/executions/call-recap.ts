// Summarizes the calls that an execution has made, so that anyone who runs its code again knows what not to repeat.
import type { CallRecap } from "../../core/execution.ts"
import type { CallRow } from "../../store/execution-store.ts"

const recapsMax = 50
const argsCharsMax = 300
const answerCharsMax = 120
/** What one recap may weigh; calls beyond it are only counted. */
const recapCharsMax = 6000

export type RecappedCall = Pick<CallRow, "path" | "argsJson" | "effect" | "state" | "decision" | "errorCode" | "answerJson">

type Made = { readonly call: RecappedCall; readonly outcome: CallRecap["outcome"] }

/** How the code ended, if it has: whether what is under way is broken off or goes on, and what is still to be approved is not made. */
type CodeEnd = "stopped" | "by_itself" | "not_yet"

/** Writes come first. */
export function recapCalls(calls: Iterable<RecappedCall>, ended: CodeEnd): CallRecap[] {
  const made = [...calls].flatMap((call): Made[] => {
    const outcome = outcomeOf(call, ended)
    return outcome === null ? [] : [{ call, outcome }]
  })
  const writesFirst = [...made.filter(({ call }) => call.effect !== "read"), ...made.filter(({ call }) => call.effect === "read")]
  let room = recapCharsMax
  const recaps = writesFirst.slice(0, recapsMax).flatMap(({ call, outcome }) => {
    const recap = recapOf(call, outcome)
    room -= recap.tool.length + recap.args.length + (recap.answer?.length ?? 0)
    return room < 0 ? [] : [recap]
  })
  return [...recaps, ...counted(writesFirst.slice(recaps.length))]
}

const recapOf = ({ path: tool, argsJson, effect, answerJson }: RecappedCall, outcome: CallRecap["outcome"]): CallRecap => {
  const answer = outcome === "done" && effect !== "read" ? briefAnswer(answerJson) : null
  return { tool, args: cut(argsJson, argsCharsMax), effect, outcome, ...(answer === null ? {} : { answer }) }
}

/** What there is no room for, by tool. */
function counted(made: readonly Made[]): CallRecap[] {
  const groups = Map.groupBy(made, ({ call, outcome }) => JSON.stringify([call.path, call.effect, outcome]))
  return [...groups.values()]
    .slice(0, recapsMax)
    .flatMap((group) =>
      group.slice(0, 1).map(({ call, outcome }) => ({ tool: call.path, args: "", effect: call.effect, outcome, count: group.length })),
    )
}

/** Null for what has not been sent because it failed before, or may still be. */
function outcomeOf({ state, effect, errorCode, decision, answerJson }: RecappedCall, ended: CodeEnd): CallRecap["outcome"] | null {
  if (state === "waiting") return ended === "not_yet" ? null : "not_made"
  if (state === "started") return ended !== "stopped" ? "under_way" : effect === "read" ? "stopped" : "unknown"
  // What has no verdict was answered by Executor itself.
  if (errorCode === null) return decision === "none" ? null : "done"
  const isUnsure = errorCode === "timeout" || (errorCode === "upstream_error" && isServerError(answerJson))
  return errorCode === "outcome_unknown" || (effect !== "read" && isUnsure) ? "unknown" : null
}

/** What fails inside an upstream may have done its work before. */
function isServerError(answerJson: string | null): boolean {
  const { error } = JSON.parse(answerJson ?? "{}") as { error?: { status?: unknown } } // written by the journal
  return typeof error?.status === "number" && error.status >= 500
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
