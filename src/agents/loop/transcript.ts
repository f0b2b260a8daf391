// The conversation of a run: how it begins, what is added to it, and what is cut where it is too long for the model.
import type { AgentProgram } from "../../core/agents/agent.ts"
import type { ModelMessage } from "../../models/model.ts"

export function firstMessages({ agent, input }: AgentProgram): ModelMessage[] {
  const { instructions, outputSchema } = agent.definition
  const form =
    outputSchema === null
      ? ""
      : `\n\nWhen you are done, answer with one JSON value and nothing else, by this JSON Schema:\n${JSON.stringify(outputSchema)}`
  const asked = [
    ...(input.input === undefined ? [] : [typeof input.input === "string" ? input.input : JSON.stringify(input.input, null, 2)]),
    ...(input.text === undefined ? [] : [input.text]),
  ].filter(isSaid)
  const context = input.context === undefined ? [] : [`Context:\n${JSON.stringify(input.context, null, 2)}`]
  const messages: ModelMessage[] = [{ role: "system", text: `${instructions}${form}` }]
  if (context.length > 0) messages.push({ role: "user", text: context.join("\n") })
  for (const { role, text } of (input.messages ?? []).filter((message) => isSaid(message.text)))
    messages.push(role === "user" ? { role, text } : { role, parts: [{ type: "text", text }] })
  if (asked.length > 0) messages.push({ role: "user", text: asked.join("\n\n") })
  else if (messages.at(-1)?.role !== "user") messages.push({ role: "user", text: "Begin." })
  return messages
}

/** Providers refuse empty texts. */
const isSaid = (text: string): boolean => text.trim() !== ""

/** Of a tool, in whichever form the model was told of it. */
export const isOutput = (message: ModelMessage): message is Extract<ModelMessage, { role: "user" | "tool" }> =>
  message.role === "tool" || (message.role === "user" && message.isOutput === true)

/** How many characters of an output are kept, level by level; instructions are never cut. */
const keptChars = [Number.POSITIVE_INFINITY, 4000, 400, 80] as const
export const trimLevels = keptChars.length

export function trimmed(messages: readonly ModelMessage[], level: number): readonly ModelMessage[] {
  const kept = keptChars[Math.min(level, trimLevels - 1)] ?? 80
  if (kept === Number.POSITIVE_INFINITY) return messages
  return messages.map((message) => {
    if (!isOutput(message) || message.text.length <= kept) return message
    const half = Math.floor(kept / 2)
    const left = message.text.length - 2 * half
    return { ...message, text: `${message.text.slice(0, half)}…${left} characters left out…${message.text.slice(-half)}` }
  })
}
