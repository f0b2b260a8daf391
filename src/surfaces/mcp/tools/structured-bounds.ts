// Keeps structured content within the bound of the text: a client may hand either of them to its model.
import type { Interaction, StructuredOutcome } from "../../../core/execution.ts"
import { logsWithin } from "../../../core/text/logs.ts"
import { argsCharsOf, firstQuestions } from "../../../core/text/questions-shown.ts"
import { cutResult, outlineOf } from "../../../core/text/result-outline.ts"

type Waiting = Extract<StructuredOutcome, { status: "waiting_for_interaction" }>
/** Without what only a human needs to know in order to answer. */
type Question = Pick<Interaction, "approvalId" | "kind" | "message" | "address" | "args" | "requestedSchema" | "url">
type Content = Exclude<StructuredOutcome, Waiting> | (Omit<Waiting, "interactions"> & { readonly interactions: readonly Question[] })

/** What is cut is cut in this order, until it fits. No question that was shown is left out: an answer means all of them. */
export function boundStructured(structured: StructuredOutcome, executionId: string, charsMax: number): Record<string, unknown> {
  const steps: ((content: Content) => Content)[] = [
    (content) => (isWaiting(content) ? content : { ...content, result: shortResult(content.result, executionId) }),
    (content) => ({ ...content, emitted: withinRoom(content.emitted.map(shortValue), charsMax / 4) }),
    (content) => ({ ...content, logs: logsWithin(content.logs, charsMax / 4, sizeOf) }),
    (content) => withQuestions(content, argsCharsOf),
    (content) => ({ ...content, emitted: [], logs: logsWithin(content.logs, charsMax / 10, sizeOf) }),
    ({ calls: _calls, ...content }) => withQuestions(content, () => argsCharsMin),
  ]
  let bounded: Content = isWaiting(structured) ? toWaiting(structured) : structured
  for (const shorten of steps) {
    if (sizeOf(bounded) <= charsMax) break
    bounded = shorten(bounded)
  }
  return { ...bounded }
}

const argsCharsMin = 200
const messageCharsMax = 4000

/** Also where a client asks by itself, and is told of the page only because it cannot. */
function toWaiting(waiting: Waiting): Extract<Content, { status: "waiting_for_interaction" }> {
  const shown = firstQuestions(waiting.interactions)
  const more = (waiting.more ?? 0) + waiting.interactions.length - shown.length
  return { ...waiting, interactions: shown.map(toQuestion), ...(more === 0 ? {} : { more }) }
}

function withQuestions(content: Content, charsOf: (questions: number) => number): Content {
  if (!isWaiting(content)) return content
  const chars = charsOf(content.interactions.length)
  const interactions = content.interactions.map((one) => ({
    ...one,
    message: one.message.slice(0, messageCharsMax),
    args: cutValue(one.args, chars),
    ...(one.requestedSchema === undefined ? {} : { requestedSchema: cutValue(one.requestedSchema, schemaCharsMax) }),
  }))
  return { ...content, interactions }
}

const isWaiting = <Some extends { readonly status: string }>(
  content: Some,
): content is Extract<Some, { status: "waiting_for_interaction" }> => content.status === "waiting_for_interaction"

const toQuestion = ({ approvalId, kind, message, address, args, requestedSchema, url }: Interaction): Question => ({
  approvalId,
  kind,
  message,
  address,
  args,
  ...(requestedSchema === undefined ? {} : { requestedSchema }),
  ...(url === undefined ? {} : { url }),
})

const sizeOf = (value: unknown): number => (JSON.stringify(value) ?? "").length

function shortResult(result: unknown, executionId: string): unknown {
  const text = typeof result === "string" ? result : (JSON.stringify(result) ?? "null")
  return text.length <= valueCharsMax ? result : cutResult(executionId, text, outlineOf(result))
}

const valueCharsMax = 1500

const schemaCharsMax = 4000

function shortValue(value: unknown): unknown {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "null")
  if (text.length <= valueCharsMax) return value
  return { truncated: true, totalChars: text.length, shape: outlineOf(value), beginning: text.slice(0, valueCharsMax / 2) }
}

function cutValue(value: unknown, charsMax: number): unknown {
  const text = JSON.stringify(value) ?? "null"
  return text.length <= charsMax ? value : { truncated: true, totalChars: text.length, beginning: text.slice(0, charsMax) }
}

/** As many from the front as there is room for. */
function withinRoom<Item>(items: readonly Item[], charsMax: number): Item[] {
  let room = charsMax
  return items.filter((item) => (room -= sizeOf(item)) >= 0)
}
