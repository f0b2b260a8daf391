// Where models are asked: the providers that a tenant has configured.
import type { Page, PageRequest } from "../page.ts"

export const modelProviderKinds = ["openai_compatible", "openai", "anthropic"] as const
export type ModelProviderKind = (typeof modelProviderKinds)[number]

/** Of a million tokens. `cachedInput`: what the provider had cached; by default as `input`. */
export type ModelPrice = { readonly currency: "USD"; readonly input: number; readonly output: number; readonly cachedInput?: number }

/** A model that people may choose; with its price, runs tell what they cost. */
export type ModelEntry = string | { readonly name: string; readonly price?: ModelPrice }

export const modelName = (entry: ModelEntryInput): string => (typeof entry === "string" ? entry : entry.name)

/** The currency may be left out. */
export type ModelEntryInput = string | { readonly name: string; readonly price?: Omit<ModelPrice, "currency"> & Partial<ModelPrice> }

export type ModelProviderView = {
  /** Chosen by whoever adds it; agents name it. */
  readonly id: string
  readonly kind: ModelProviderKind
  /** The only address that the key is sent to. */
  readonly baseUrl: string
  /** Null: none is sent. */
  readonly apiKey: "***" | null
  /** The models that people may choose; empty: any. */
  readonly models: readonly ModelEntry[]
  readonly createdAt: string
  readonly updatedAt: string
}

export type ModelProviderCreate = {
  readonly id: string
  readonly kind: ModelProviderKind
  /** By default the address of the kind; `openai_compatible` has none. */
  readonly baseUrl?: string
  /** The key itself, or `${env:NAME}`. */
  readonly apiKey?: string
  readonly models?: readonly ModelEntryInput[]
}

/** `***` keeps the key, unless the address changes; null: none from now on. */
export type ModelProviderUpdate = {
  readonly baseUrl?: string
  readonly apiKey?: string | null
  readonly models?: readonly ModelEntryInput[]
}

export type ModelUsage = {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Of the input, what the provider had cached. */
  readonly cachedInputTokens?: number
  /** Absent where a model has no price. */
  readonly costUsd?: number
}

/** What one short question to a model gave. */
export type ModelTest =
  | { readonly ok: true; readonly model: string; readonly text: string; readonly ms: number; readonly usage: ModelUsage }
  | { readonly ok: false; readonly model: string; readonly kind: string; readonly message: string; readonly ms: number }

export interface ModelsApi {
  readonly providers: {
    list(page?: PageRequest): Promise<Page<ModelProviderView>>
    create(input: ModelProviderCreate): Promise<ModelProviderView>
    update(id: string, change: ModelProviderUpdate): Promise<ModelProviderView>
    remove(id: string): Promise<void>
    /** Asks a model one short question; by default the first of its `models`. */
    test(id: string, options?: { readonly model?: string }): Promise<ModelTest>
  }
}
