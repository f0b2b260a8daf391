// The store port of agents: where their models are asked.
import type { ModelProviderKind } from "../../core/agents/model-provider.ts"
import type { Scope } from "../../core/principal.ts"
import type { JsonText } from "../../core/tool.ts"
import type { After } from "../store.ts"

export interface AgentStore {
  readonly modelProviders: ModelProviderRows
}

/** Their keys are in the vault, see `modelProviderRef`. */
export interface ModelProviderRows {
  get(scope: Scope, id: string): Promise<ModelProviderRow | null>
  /** By id. */
  list(scope: Scope, page: After<string>): Promise<ModelProviderRow[]>
  /** Inserts or replaces. */
  put(scope: Scope, row: ModelProviderRow): Promise<void>
  remove(scope: Scope, id: string): Promise<boolean>
}

export type ModelProviderRow = {
  readonly id: string
  readonly kind: ModelProviderKind
  readonly baseUrl: string
  readonly hasKey: boolean
  /** A JSON array of names. */
  readonly models: JsonText
  readonly createdAt: string
  readonly updatedAt: string
}

export const modelProviderRef = (id: string): string => `model-provider:${id}`
