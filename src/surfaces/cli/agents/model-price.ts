// The prices of models as they are typed and shown: US dollars of a million tokens.
import { InvalidArgumentError } from "commander"
import { modelName } from "../../../core/agents/model-provider.ts"
import type { ModelEntry, ModelEntryInput, ModelPrice } from "../../../core/agents/model-provider.ts"
import { UsageError } from "../usage-error.ts"

export type TypedPrice = { readonly name: string; readonly price: ModelPrice }

/** `gpt-5=1.25/10`, or with cached input `gpt-5=1.25/10/0.125`. */
export function collectPrice(text: string, before: readonly TypedPrice[] = []): TypedPrice[] {
  const [, name, input, output, cachedInput] = /^(.+)=(\d*\.?\d+)\/(\d*\.?\d+)(?:\/(\d*\.?\d+))?$/.exec(text.trim()) ?? []
  if (name === undefined) throw new InvalidArgumentError("It must be such as gpt-5=1.25/10, or gpt-5=1.25/10/0.125 with cached input.")
  const cached = cachedInput === undefined ? {} : { cachedInput: Number(cachedInput) }
  return [...before, { name, price: { currency: "USD", input: Number(input), output: Number(output), ...cached } }]
}

/** The models with their prices: those typed now, or that they had. Undefined where nothing changes. */
export function pricedModels(
  { models, price = [] }: { readonly models?: readonly string[]; readonly price?: readonly TypedPrice[] },
  before: readonly ModelEntry[] = [],
): ModelEntryInput[] | undefined {
  if (models === undefined && price.length === 0) return undefined
  const names = models ?? before.map(modelName)
  const unknown = price.find(({ name }) => !names.includes(name))
  if (unknown !== undefined) throw new UsageError(`--price names '${unknown.name}', which is not among the models: add it to --models`)
  const typed = new Map(price.map((one) => [one.name, one]))
  const known = new Map(before.map((entry) => [modelName(entry), entry]))
  return names.map((name) => typed.get(name) ?? known.get(name) ?? name)
}

export function entryText(entry: ModelEntry): string {
  if (typeof entry === "string" || entry.price === undefined) return modelName(entry)
  const { input, output, cachedInput } = entry.price
  return `${entry.name} ($${input}/$${output}${cachedInput === undefined ? "" : `/$${cachedInput}`})`
}

const leastShownUsd = 0.0001

/** Four decimals, as prices of a single answer need. */
export const costText = (usd: number): string => (usd > 0 && usd < leastShownUsd ? "less than $0.0001" : `$${usd.toFixed(4)}`)
