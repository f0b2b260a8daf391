// Which of its questions an execution shows to a model at once: an answer means these and no others, so that all of them must be readable.
import type { ExecutionReply, Interaction } from "../execution.ts"

const questionsMax = 20
/** What the questions themselves may weigh, without arguments; the first is shown in any case. */
const questionCharsMax = 8000
const argsCharsTotal = 10_000
const argsCharsMax = 2000

export function firstQuestions<Some extends Interaction>(interactions: readonly Some[]): readonly Some[] {
  let room = questionCharsMax
  const end = interactions.findIndex((one, index) => index >= questionsMax || ((room -= weightOf(one)) < 0 && index > 0))
  return end < 0 ? interactions : interactions.slice(0, end)
}

const weightOf = ({ message, address, url = "", requestedSchema }: Interaction): number =>
  message.length + address.length + url.length + (JSON.stringify(requestedSchema) ?? "").length

/** How much each of so many questions may show of its arguments. */
export const argsCharsOf = (questions: number): number => Math.min(argsCharsMax, Math.floor(argsCharsTotal / Math.max(1, questions)))

/** The reply with as many questions as can be shown, and how many are left. */
export function withFirstQuestions(reply: ExecutionReply): ExecutionReply {
  const { structured } = reply
  if (structured.status !== "waiting_for_interaction") return reply
  const interactions = firstQuestions(structured.interactions)
  const more = structured.interactions.length - interactions.length
  return more === 0 ? reply : { ...reply, structured: { ...structured, interactions, more } }
}
