// Tests what is said of the cost of answers, and when nothing is.
import { expect, test } from "vitest"
import { costOf, sumUsage } from "./model-cost.ts"

const price = { currency: "USD", input: 2, output: 10 } as const
const used = { inputTokens: 1000, outputTokens: 100 }

test.each([
  ["input and output", used, price, 0.003],
  ["cached input at its own price", { ...used, cachedInputTokens: 600 }, { ...price, cachedInput: 0.5 }, 0.0021],
  ["cached input without a price of its own", { ...used, cachedInputTokens: 600 }, price, 0.003],
  ["more cached input than input", { ...used, cachedInputTokens: 5000 }, { ...price, cachedInput: 0 }, 0.001],
  ["a model that is free", used, { currency: "USD", input: 0, output: 0 } as const, 0],
  ["no price", used, null, null],
  ["a provider that does not say what was used", { inputTokens: 0, outputTokens: 0 }, price, null],
])("%s", (_name, usage, its, cost) => {
  expect(costOf(usage, its)).toBe(cost)
})

test("a sum has a cost where all of it has one", () => {
  const one = { ...used, cachedInputTokens: 5, costUsd: 0.1 }
  expect(sumUsage([one, { ...used, costUsd: 0.2 }])).toEqual({
    inputTokens: 2000,
    outputTokens: 200,
    cachedInputTokens: 5,
    costUsd: 0.3,
  })
  expect(sumUsage([one, used])).toEqual({ inputTokens: 2000, outputTokens: 200, cachedInputTokens: 5 })
  expect(sumUsage([])).toEqual({ inputTokens: 0, outputTokens: 0 })
})
