// The tables of agents.
import type { AgentStatus } from "../../core/agents/agent.ts"
import type { ModelProviderKind } from "../../core/agents/model-provider.ts"

export type AgentTables = { agents: AgentsTable; agent_versions: AgentVersionsTable; model_providers: ModelProvidersTable }

export type AgentsTable = {
  tenant_id: string
  agent_id: string
  slug: string
  definition: string
  status: AgentStatus
  version: string
  published_version: string | null
  published_at: string | null
  content_hash: string
  published_hash: string | null
  written_by: string
  created_by: string
  created_at: string
  updated_at: string
}

export type AgentVersionsTable = {
  tenant_id: string
  agent_id: string
  version: string
  position: number
  snapshot: string
  hash: string
  written_by: string
  made_by: string
  made_at: string
  reason: string | null
}

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
