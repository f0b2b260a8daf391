// The questions of an execution, for a model to read: equal questions are shown once, with the arguments of each.
import { withoutRoot } from "../address.ts"
import type { Interaction, StructuredOutcome } from "../execution.ts"
import { questionText } from "./question.ts"
import { argsCharsOf, firstQuestions } from "./questions-shown.ts"

const messageCharsMax = 4000

type Asked = Pick<Extract<StructuredOutcome, { status: "waiting_for_interaction" }>, "interactions" | "more">

/** `whole`: where what is cut can be seen. */
export function questionsText({ interactions, more }: Asked, whole: string): string {
  const shown = firstQuestions(interactions).map((one) => ({ ...one, message: cut(one.message, messageCharsMax) }))
  const groups = Map.groupBy(shown, (one) => JSON.stringify([one.address, questionText(one)]))
  const lines = Array.from(groups.values(), (group) => groupText(group, argsCharsOf(shown.length)))
  const hidden = interactions.length - shown.length
  const isCut = lines.some((line) => cutMark.test(line))
  return [
    ...lines,
    ...(hidden === 0 ? [] : [`- and ${hidden} more, not shown here`]),
    ...(more === undefined ? [] : [`${more} more ${more === 1 ? "question follows" : "questions follow"} once these are answered.`]),
    ...(isCut ? [`What ends with "…" is cut; all of it is shown ${whole}.`] : []),
  ].join("\n")
}

function groupText(group: readonly Interaction[], argsChars: number): string {
  const [first] = group
  if (first === undefined) return ""
  const [question = "", ...more] = questionText(first).split("\n")
  const address = withoutRoot(first.address)
  const args = group.map((one) => cut(JSON.stringify(one.args), argsChars))
  if (group.length === 1) return [`- ${question}`, ...more, `${address} ${args[0] ?? ""}`].join("\n  ")
  return [`- ${question} ×${group.length}`, ...more, `${address}:`, ...args].join("\n  ")
}

const cutMark = /… \(\d+ characters\)/

const cut = (text: string, charsMax: number): string =>
  text.length > charsMax ? `${text.slice(0, charsMax)}… (${text.length} characters)` : text
