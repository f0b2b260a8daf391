// The tables of agents.
import type { ModelProviderKind } from "../../core/agents/model-provider.ts"

export type AgentTables = { model_providers: ModelProvidersTable }

export type ModelProvidersTable = {
  tenant_id: string
  provider_id: string
  kind: ModelProviderKind
  base_url: string
  has_key: number
  models: string
  created_at: string
  updated_at: string
}
