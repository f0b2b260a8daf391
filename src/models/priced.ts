// Adds to each answer of a provider what it cost, where its model has a price.
import { costOf } from "../core/agents/model-cost.ts"
import { modelName } from "../core/agents/model-provider.ts"
import type { ModelEntry, ModelPrice } from "../core/agents/model-provider.ts"
import type { ModelProvider } from "./model.ts"

export const withCosts = (provider: ModelProvider, entries: readonly ModelEntry[]): ModelProvider => ({
  async ask(question) {
    const answer = await provider.ask(question)
    if (!answer.ok) return answer
    const costUsd = costOf(answer.usage, priceOf(question.model, entries))
    return costUsd === null ? answer : { ...answer, usage: { ...answer.usage, costUsd } }
  },
  embed: (question) => provider.embed(question),
})

function priceOf(model: string, entries: readonly ModelEntry[]): ModelPrice | null {
  const entry = entries.find((one) => modelName(one) === model)
  return entry === undefined || typeof entry === "string" ? null : (entry.price ?? null)
}
