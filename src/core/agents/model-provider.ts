// Where models are asked: the providers that a tenant has configured.
import type { Page, PageRequest } from "../page.ts"

export const modelProviderKinds = ["openai_compatible", "openai", "anthropic"] as const
export type ModelProviderKind = (typeof modelProviderKinds)[number]

export type ModelProviderView = {
  /** Chosen by whoever adds it; agents name it. */
  readonly id: string
  readonly kind: ModelProviderKind
  /** The only address that the key is sent to. */
  readonly baseUrl: string
  /** Null: none is sent. */
  readonly apiKey: "***" | null
  /** The models that people may choose; empty: any. */
  readonly models: readonly string[]
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
  readonly models?: readonly string[]
}

/** `***` keeps the key, unless the address changes; null: none from now on. */
export type ModelProviderUpdate = {
  readonly baseUrl?: string
  readonly apiKey?: string | null
  readonly models?: readonly string[]
}

export type ModelUsage = { readonly inputTokens: number; readonly outputTokens: number }

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
