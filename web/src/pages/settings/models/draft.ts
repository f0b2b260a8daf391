// The models of a provider while they are written, and what is sent of them.
import { modelName } from "../../../../../src/core/agents/model-provider.ts"
import type { ModelEntry, ModelEntryInput } from "../../../../../src/core/agents/model-provider.ts"

export type ModelDraft = { readonly name: string; readonly input: string; readonly output: string; readonly cachedInput: string }

export const emptyModel: ModelDraft = { name: "", input: "", output: "", cachedInput: "" }

export function toDraft(entry: ModelEntry): ModelDraft {
  const price = typeof entry === "string" ? undefined : entry.price
  const text = (amount: number | undefined): string => (amount === undefined ? "" : String(amount))
  return { name: modelName(entry), input: text(price?.input), output: text(price?.output), cachedInput: text(price?.cachedInput) }
}

/** Lines without a name are left out. */
export const toEntries = (drafts: readonly ModelDraft[]): ModelEntryInput[] =>
  drafts
    .filter(({ name }) => name.trim() !== "")
    .map(({ name, input, output, cachedInput }) =>
      input === "" && output === ""
        ? name.trim()
        : {
            name: name.trim(),
            price: { input: Number(input), output: Number(output), ...(cachedInput === "" ? {} : { cachedInput: Number(cachedInput) }) },
          },
    )

export function problemOf(drafts: readonly ModelDraft[]): string | null {
  const half = drafts.find(({ input, output, cachedInput }) => (input === "") !== (output === "") || (cachedInput !== "" && input === ""))
  return half === undefined ? null : `Give both prices of ${half.name === "" ? "the model" : half.name}, or none`
}
