// The questions of an execution, for a model to read: equal questions are shown once, with the arguments of each.
import { withoutRoot } from "./address.ts"
import type { Interaction } from "./execution.ts"
import { questionText } from "./question-text.ts"

const argsCharsMax = 2000
const questionsMax = 50

export function questionsText(interactions: readonly Interaction[]): string {
  const shown = interactions.slice(0, questionsMax)
  const groups = Map.groupBy(shown, (one) => JSON.stringify([one.address, questionText(one)]))
  const hidden = interactions.length - shown.length
  return [...Array.from(groups.values(), groupText), ...(hidden === 0 ? [] : [`- and ${hidden} more`])].join("\n")
}

function groupText(group: readonly Interaction[]): string {
  const [first] = group
  if (first === undefined) return ""
  const [question = "", ...more] = questionText(first).split("\n")
  const address = withoutRoot(first.address)
  if (group.length === 1) return [`- ${question}`, ...more, `${address} ${argsText(first)}`].join("\n  ")
  return [`- ${question} ×${group.length}`, ...more, `${address}:`, ...group.map(argsText)].join("\n  ")
}

function argsText({ args }: Interaction): string {
  const text = JSON.stringify(args)
  return text.length > argsCharsMax ? `${text.slice(0, argsCharsMax)}… (${text.length} characters)` : text
}
