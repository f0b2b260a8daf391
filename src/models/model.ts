// The port through which models are asked: one question, one answer, or the reason why there is none.
//
// A question has the whole conversation in it. What a model said is kept part by part as its provider sent it, so that
// the next question can hand it back unchanged, on any node.
import type { ModelUsage } from "../core/agents/model-provider.ts"
import type { Scope } from "../core/principal.ts"

/** `meta`: what the provider wants to have back with it. */
export type ModelPart =
  | { readonly type: "text"; readonly text: string; readonly meta?: ModelMeta }
  | { readonly type: "reasoning"; readonly text: string; readonly meta?: ModelMeta }
  /** `input`: the arguments as the model wrote them, JSON or not. */
  | { readonly type: "call"; readonly id: string; readonly name: string; readonly input: string; readonly meta?: ModelMeta }

export type ModelMeta = Readonly<Record<string, unknown>>

export type ModelMessage =
  | { readonly role: "system"; readonly text: string }
  /** `isOutput`: a tool said it, to a model that cannot take outputs. */
  | { readonly role: "user"; readonly text: string; readonly isOutput?: true }
  | { readonly role: "assistant"; readonly parts: readonly ModelPart[] }
  | { readonly role: "tool"; readonly callId: string; readonly name: string; readonly text: string; readonly isError: boolean }

export type ModelTool = { readonly name: string; readonly description: string; readonly parameters: Readonly<Record<string, unknown>> }

export type ModelOptions = {
  readonly temperature?: number
  readonly topP?: number
  readonly maxOutputTokens?: number
  readonly seed?: number
  readonly reasoning?: "none" | "minimal" | "low" | "medium" | "high"
}

export type ModelQuestion = {
  /** As the provider names it. */
  readonly model: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly options: ModelOptions
  readonly signal: AbortSignal
  /** Told of the text as it arrives. An answer that fails later may have told some. */
  readonly onText?: (text: string) => void
}

export type ModelFinish = "stop" | "calls" | "length" | "filtered" | "other"

export type ModelAnswer = {
  readonly ok: true
  readonly parts: readonly ModelPart[]
  readonly finish: ModelFinish
  readonly usage: ModelUsage
  /** Why it was asked again before it answered; absent where it answered at once. */
  readonly retries?: readonly ModelRetry[]
}

export type ModelRetry = { readonly kind: ModelFailureKind; readonly waitedMs: number }

export type ModelFailureKind =
  | "rate_limited"
  | "server_error"
  | "unreachable"
  | "timeout"
  | "context_too_long"
  /** It could not be read, or ended in the middle. */
  | "invalid_answer"
  | "auth"
  /** The provider refuses the question as it is. */
  | "refused"
  | "cancelled"

export type ModelFailure = {
  readonly ok: false
  readonly kind: ModelFailureKind
  /** Says what to do next, and never shows a key. */
  readonly message: string
  /** As the provider asked for it. */
  readonly retryAfterMs?: number
  /** Something of the answer had arrived. */
  readonly isPartial?: true
}

export type EmbeddingQuestion = {
  readonly model: string
  readonly texts: readonly string[]
  readonly dimensions?: number
  /** Somebody waits who can do without: a provider that is busy or away is not asked again. */
  readonly isUrgent?: true
  readonly signal: AbortSignal
}

export type Embeddings = { readonly ok: true; readonly vectors: readonly (readonly number[])[]; readonly tokens: number }

/** One provider, opened for a call or a run. */
export interface ModelProvider {
  /** Never rejects. */
  ask(question: ModelQuestion): Promise<ModelAnswer | ModelFailure>
  /** One vector for each text, in order. Never rejects. */
  embed(question: EmbeddingQuestion): Promise<Embeddings | ModelFailure>
}

/** How a provider is reached. `apiKey` null: none is sent. */
export type ModelEndpoint = {
  readonly kind: "openai_compatible" | "openai" | "anthropic"
  readonly baseUrl: string
  readonly apiKey: string | null
}

/** What makes a provider of an endpoint. */
export type ModelDriver = (endpoint: ModelEndpoint) => ModelProvider

/** The providers of all tenants. */
export interface Models {
  /** Null when the tenant has none of that id; throws where its key cannot be read. */
  open(scope: Scope, provider: string): Promise<ModelProvider | null>
}

export const noModels: Models = { open: async () => null }
