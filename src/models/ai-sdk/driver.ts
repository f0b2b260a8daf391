// Asks models through the provider packages of the AI SDK, with our network and without their retries.
//
// The packages read keys and addresses from the environment of the server when they are given none: a tenant must never
// spend what is there, so that both are always given.
import { createAnthropic } from "@ai-sdk/anthropic"
import { createOpenAI } from "@ai-sdk/openai"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import type { EmbeddingModelV4, LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider"
import type { Limits } from "../../core/limits.ts"
import { LruMap } from "../../core/lru-map.ts"
import type { Clock } from "../../io/clock.ts"
import type { Network } from "../../io/network/outbound.ts"
import type { Embeddings, ModelAnswer, ModelDriver, ModelEndpoint, ModelFailure, ModelQuestion } from "../model.ts"
import { readAnswer } from "./answer.ts"
import { toFailure } from "./failure.ts"
import { modelFetch } from "./fetch.ts"
import { toPrompt, toTools } from "./prompt.ts"

export type DriverParts = { readonly network: Network; readonly limits: Limits; readonly clock: Clock }

type Opened = { language(model: string): LanguageModelV4; embedding(model: string): EmbeddingModelV4 | null }

export const createModelDriver =
  (parts: DriverParts): ModelDriver =>
  (endpoint) => {
    const opened = open(endpoint, parts)
    return {
      ask: (question) => guarded(question.signal, endpoint, parts, (signal, onPiece) => ask(question, opened, signal, onPiece)),
      embed: (question) =>
        guarded(question.signal, endpoint, parts, async (abortSignal): Promise<Embeddings | ModelFailure> => {
          const model = opened.embedding(question.model)
          if (model === null) return { ok: false, kind: "refused", message: "Anthropic has no embeddings; use a provider of another kind" }
          const { dimensions } = question
          const answer = await model.doEmbed({
            values: [...question.texts],
            abortSignal,
            ...(dimensions === undefined ? {} : { dimensions, providerOptions: { provider: { dimensions }, openai: { dimensions } } }),
          })
          return checkVectors(answer.embeddings, question.texts.length, answer.usage?.tokens ?? 0)
        }),
    }
  }

function open({ kind, baseUrl, apiKey }: ModelEndpoint, { network, limits }: DriverParts): Opened {
  // An admin wrote it, as for integrations.
  const fetch = modelFetch(baseUrl, { outbound: network.outbound({ literalUrls: [baseUrl] }), limits })
  const baseURL = baseUrl.replace(/\/+$/, "")
  switch (kind) {
    case "openai_compatible": {
      const provider = createOpenAICompatible({
        name: "provider",
        baseURL,
        fetch,
        includeUsage: true,
        ...(apiKey === null ? {} : { apiKey }),
      })
      return { language: languages((model) => provider.chatModel(model)), embedding: (model) => provider.embeddingModel(model) }
    }
    case "openai": {
      const provider = createOpenAI({ baseURL, fetch, apiKey: apiKey ?? "" })
      return { language: languages((model) => provider.responses(model)), embedding: (model) => provider.embeddingModel(model) }
    }
    case "anthropic": {
      const provider = createAnthropic({ baseURL, fetch, apiKey: apiKey ?? "" })
      return { language: languages((model) => provider.languageModel(model)), embedding: () => null }
    }
  }
}

/** A package makes the schemas of all that it reads anew for each model, which takes longer than to use them. */
function languages(make: (model: string) => LanguageModelV4): (model: string) => LanguageModelV4 {
  const opened = new LruMap<string, LanguageModelV4>(modelsMax)
  return (model) => opened.get(model) ?? opened.set(model, make(model))
}

const modelsMax = 50

async function ask(question: ModelQuestion, opened: Opened, abortSignal: AbortSignal, onPiece: () => void): Promise<ModelAnswer> {
  const { tools, options, onText = () => {} } = question
  const asked: LanguageModelV4CallOptions = {
    prompt: toPrompt(question.messages),
    ...options,
    ...(tools.length === 0 ? {} : { tools: toTools(tools), toolChoice: { type: "auto" } }),
    abortSignal,
    // What a run needs to go on is in its journal, for as long as it takes; the provider need not keep anything.
    providerOptions: { openai: { store: false } },
  }
  const { stream } = await opened.language(question.model).doStream(asked)
  return readAnswer(stream, { onText, onPiece })
}

async function guarded<Answer>(
  signal: AbortSignal,
  { baseUrl, apiKey }: ModelEndpoint,
  { limits, clock }: DriverParts,
  work: (signal: AbortSignal, onPiece: () => void) => Promise<Answer>,
): Promise<Answer | ModelFailure> {
  // Not `AbortSignal.timeout`, which stays in memory until its time is up, also when the answer was there long before.
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), limits.modelAnswerMs)
  const deadline = late.signal
  let isPartial = false
  try {
    return await work(AbortSignal.any([signal, deadline]), () => {
      isPartial = true
    })
  } catch (error) {
    return toFailure(error, { host: new URL(baseUrl).host, apiKey, signal, deadline, isPartial, clock })
  } finally {
    clearTimeout(timer)
  }
}

function checkVectors(vectors: readonly (readonly number[])[], count: number, tokens: number): Embeddings | ModelFailure {
  const size = vectors[0]?.length ?? 0
  const isWhole = vectors.length === count && vectors.every((one) => one.length === size && one.every(Number.isFinite))
  if (isWhole && (size > 0 || count === 0)) return { ok: true, vectors, tokens }
  return {
    ok: false,
    kind: "invalid_answer",
    message: `The provider answered with ${vectors.length} vectors for ${count} texts, or with vectors of different lengths`,
  }
}
