// How an execution ended, in words: from what its journal has, never from what its code says of it.
import type { ApprovalView, CallView, ExecutionView, RunError } from "toolplane/client"

export function headlineOf({ status, calls }: Pick<ExecutionView, "status" | "calls">): string {
  if (status === "running" || status === "paused") return "Running"
  if (status === "failed") return "Failed"
  if (status === "cancelled") return "Cancelled"
  const answers = calls.flatMap(({ approval }) => (approval === undefined ? [] : [approval.answer]))
  return answers.length > 0 && answers.every((answer) => answer === "decline") ? "Declined" : "Done"
}

/** Such as "The code completed. 1 call was approved." */
export function endingOf({ calls, program }: Pick<ExecutionView, "calls" | "program">, error: RunError | undefined): string {
  const completed = program === "agent" ? "The agent finished." : "The code completed."
  const facts = factsOf(calls)
  return `${error === undefined ? completed : `${errorTexts[error.code]}${placeOf(error)}.`}${facts === "" ? "" : ` ${facts}`}`
}

function factsOf(calls: readonly CallView[]): string {
  const count = (isMeant: (call: CallView) => boolean): number => calls.filter(isMeant).length
  const isDeclined = ({ approval }: CallView): boolean => approval?.answer === "decline"
  const facts = [
    [count(({ approval }) => approval?.answer === "accept"), "approved"],
    [count(isDeclined), "declined"],
    [count((call) => call.error !== undefined && !isDeclined(call)), "unsuccessful"],
  ] as const
  return facts
    .filter(([many]) => many > 0)
    .map(([many, what]) => `${many === 1 ? "1 call was" : `${many} calls were`} ${what}.`)
    .join(" ")
}

const errorTexts: Record<RunError["code"], string> = {
  thrown: "The code threw an error",
  syntax: "The code has a syntax error",
  timeout: "The code took too long",
  cpu_limit: "The code used too much CPU time",
  memory_limit: "The code needed too much memory",
  output_limit: "The code returned too much",
  cancelled: "The execution was cancelled",
  approval_expired: "Nobody answered in time",
  replay_diverged: "The code behaved differently when it was run again",
  limit_reached: "The agent has used up its steps, calls or tokens",
  loop_detected: "The agent went in circles",
  model_error: "The agent's model gave no answer to go on with",
  internal: "Executor failed",
}

const placeOf = ({ line, column }: RunError): string =>
  line === undefined ? "" : ` (line ${line}${column === undefined ? "" : `, column ${column}`})`

/** The call could not wait: its code went on without it, and whatever that came to is no outcome of the answer. */
export const couldNotWait = ({ calls }: Pick<ExecutionView, "calls">, { approvalId, kind }: ApprovalView): boolean =>
  kind === "approval" && !calls.some(({ approval }) => approval?.approvalId === approvalId)

export const settledTexts: Record<Exclude<ApprovalView["status"], "pending">, readonly [title: string, text: string]> = {
  accept: ["Approved", "The call is allowed once, when its caller repeats it with the same arguments."],
  decline: ["Declined", "The call is refused when its caller repeats it."],
  cancel: ["Withdrawn", "The question was withdrawn without an answer."],
  expired: ["Expired", "Nobody answered in time. Whoever asked must ask again."],
}
