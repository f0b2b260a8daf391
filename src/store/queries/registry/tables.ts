// The tables of the registry.
import type { ToolStatus } from "../../../core/registry/tool.ts"

export type RegistryTables = {
  tool_registry: ToolRegistryTable
  tool_versions: ToolVersionsTable
  artifacts: { tenant_id: string; artifact_id: string; slug: string; name: string; version: number; created_at: string }
  artifact_versions: ArtifactVersionsTable
  tenant_credentials: TenantCredentialsTable
  tool_consents: { tenant_id: string; user_id: string; tool_id: string; version: string; created_at: string }
}

export type ToolRegistryTable = {
  tenant_id: string
  tool_id: string
  slug: string
  name: string
  description: string
  scope: string
  schema: string
  config_schema: string
  status: ToolStatus
  version: string
  implementation_type: string
  published_at: string | null
  published_version: string | null
  artifact_id: string | null
  artifact_version: string | null
  builtin_key: string | null
  builtin_template_id: string | null
  is_builtin_template: number
  is_active: number
  is_system: number
  replaced_by: string | null
  literal_urls: string
  content_hash: string
  published_hash: string | null
  written_by: string
  created_by: string
  created_at: string
  updated_at: string
  /** Slug, name and description in lower case, for the filter of lists. */
  search_text: string
}

export type ToolVersionsTable = {
  tenant_id: string
  tool_id: string
  version: string
  position: number
  schema_snapshot: string
  hash: string
  made_by: string
  made_at: string
  reason: string | null
}

export type ArtifactVersionsTable = {
  tenant_id: string
  artifact_id: string
  version: number
  inputs: string
  code: string
  made_by: string
  made_at: string
}

export type TenantCredentialsTable = {
  tenant_id: string
  credential_id: string
  category: string
  provider_key: string
  provider_variant: string | null
  label: string
  value_names: string
  endpoint: string | null
  created_at: string
  updated_at: string
}
