// What the kinds of model providers are called.
import type { ModelProviderKind } from "../../../../../src/core/agents/model-provider.ts"

export const kindLabels: Readonly<Record<ModelProviderKind, string>> = {
  openai_compatible: "OpenAI-compatible",
  openai: "OpenAI",
  anthropic: "Anthropic",
}
