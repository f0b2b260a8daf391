// What answers of models cost, by the prices that were configured for them; without a price nothing is said.
import type { ModelPrice, ModelUsage } from "./model-provider.ts"

const million = 1_000_000
/** Finer than any price, so that sums keep no noise of their binary form. */
const stepsPerUsd = 1e12

/** Null without a price, and for a provider that does not say what was used. */
export function costOf({ inputTokens, outputTokens, cachedInputTokens = 0 }: ModelUsage, price: ModelPrice | null): number | null {
  if (price === null || inputTokens === 0) return null
  const cached = Math.min(cachedInputTokens, inputTokens)
  const cost = (inputTokens - cached) * price.input + cached * (price.cachedInput ?? price.input) + outputTokens * price.output
  return rounded(cost / million)
}

/** All of them together; with a cost only where every one has one. */
export function sumUsage(all: readonly ModelUsage[]): ModelUsage {
  const sum = (pick: (usage: ModelUsage) => number | undefined): number => all.reduce((before, usage) => before + (pick(usage) ?? 0), 0)
  const cachedInputTokens = sum((usage) => usage.cachedInputTokens)
  const isPriced = all.length > 0 && all.every(({ costUsd }) => costUsd !== undefined)
  return {
    inputTokens: sum((usage) => usage.inputTokens),
    outputTokens: sum((usage) => usage.outputTokens),
    ...(cachedInputTokens === 0 ? {} : { cachedInputTokens }),
    ...(isPriced ? { costUsd: rounded(sum((usage) => usage.costUsd)) } : {}),
  }
}

const rounded = (usd: number): number => Math.round(usd * stepsPerUsd) / stepsPerUsd
