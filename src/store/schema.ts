// The tables as Kysely sees them: the rows that the migrations of this folder lead to.
//
// Every table has `tenant_id`, and its primary key begins with it. `user_id` is '' for what the tenant owns, so
// that it can be part of a key. Timestamps are ISO text, JSON is text, booleans are 0 and 1: the two databases
// agree on nothing better.
import type { AuthTemplate } from "../core/auth.ts"
import type { ConnectionStatus } from "../core/connection.ts"
import type { SourceKind } from "../core/integration.ts"
import type { PolicyAction } from "../core/policy.ts"
import type { Owner } from "../core/address.ts"
import type { OauthAuthMethod, OauthClientKind, OauthGrantType } from "../core/oauth.ts"
import type { PrincipalKind } from "../core/principal.ts"
import type { TokenSurface } from "../core/token.ts"
import type { Effect } from "../core/tool.ts"
import type { UserSource, UserStatus } from "../core/people/user.ts"
import type { ExecutionTables } from "./executions/tables.ts"
import type { SignInTables } from "./queries/sign-in/tables.ts"
import type { PasskeyTables } from "./passkey-tables.ts"
import type { AgentTables } from "./agents/tables.ts"
import type { NotificationTables } from "./notifications/tables.ts"
import type { RegistryTables } from "./queries/registry/tables.ts"
import type { RetrievalTables } from "./retrieval/tables.ts"
import type { ToolChangeTables } from "./tool-changes/table.ts"

export type Tables = ExecutionTables &
  AgentTables &
  NotificationTables &
  PasskeyTables &
  SignInTables &
  ToolChangeTables &
  RetrievalTables &
  RegistryTables & {
    tenants: { tenant_id: string; created_at: string }
    users: UsersTable
    roles: RolesTable
    tokens: TokensTable
    integrations: IntegrationsTable
    connections: ConnectionsTable
    pins: PinsTable
    tool_sets: { tenant_id: string; tool_set_id: string; tool_count: number }
    tools: ToolsTable
    definitions: { tenant_id: string; tool_set_id: string; name: string; schema_hash: string }
    schemas: { tenant_id: string; schema_hash: string; text: string }
    documents: { tenant_id: string; document_hash: string; compressed: Uint8Array }
    credentials: { tenant_id: string; user_id: string; ref: string; sealed: Uint8Array }
    policies: PoliciesTable
    oauth_clients: OauthClientsTable
    oauth_flows: OauthFlowsTable
    oauth_grants: OauthGrantsTable
    agent_grants: AgentGrantsTable
    /** One row: how often a row changed that caches hold. SQLite only, because PostgreSQL notifies. */
    revision: { value: number }
  }

export type UsersTable = {
  tenant_id: string
  user_id: string
  name: string
  email: string | null
  status: UserStatus
  /** 1: a service account. */
  service: number
  /** `RoleGrant[]` */
  roles: string
  source: UserSource
  created_at: string
  last_seen_at: string | null
}

export type RolesTable = {
  tenant_id: string
  role_id: string
  name: string
  description: string
  patterns: string
  rights: string
  created_at: string
}

export type TokensTable = {
  tenant_id: string
  token_id: string
  user_id: string
  hash: string
  name: string
  kind: PrincipalKind
  elicitation: string
  created_at: string
  patterns: string | null
  expires_at: string | null
  created_by: string | null
  client: string | null
  surface: TokenSurface | null
  debug: number
  /** 1: it is kept for its name alone. */
  revoked: number
}

export type IntegrationsTable = {
  tenant_id: string
  slug: string
  kind: SourceKind
  name: string
  description: string
  config: string
  config_revised_at: string
  document_hash: string | null
  tool_set_id: string | null
  tool_set_synced_at: string | null
  facts: string
  created_at: string
}

export type ConnectionsTable = {
  tenant_id: string
  user_id: string
  integration: string
  name: string
  template: AuthTemplate
  placements: string
  bound: string
  origins: string
  status: ConnectionStatus
  error: string | null
  tool_set_id: string | null
  tools_synced_at: string | null
  changed_tools: string
  created_at: string
}

export type PinsTable = { tenant_id: string; user_id: string; integration: string; name: string; tool: string; definition: string }

export type ToolsTable = {
  tenant_id: string
  tool_set_id: string
  name: string
  title: string
  summary: string
  description: string
  effect: Effect
  requires_approval: number
  approval_description: string | null
  may_elicit: number
  deprecated: number
  tags: string
  input_schema_hash: string
  output_schema_hash: string | null
  binding: string
  /** Name and description in lower case, so that a filter ignores case in the same way on both databases. */
  search_text: string
}

export type PoliciesTable = {
  tenant_id: string
  policy_id: string
  user_id: string
  pattern: string
  action: PolicyAction
  conditions: string
  position: number
  role: string | null
  approved_by: string | null
  created_at: string
}

export type OauthClientsTable = {
  tenant_id: string
  oauth_client_id: string
  kind: OauthClientKind
  name: string
  client_id: string
  auth_method: OauthAuthMethod
  server: string
  integration: string | null
  redirect_uri: string | null
  authorization_params: string
  created_at: string
  expires_at: string | null
}

export type OauthFlowsTable = {
  tenant_id: string
  flow_id: string
  user_id: string
  principal_kind: PrincipalKind
  token_id: string | null
  state_hash: string
  browser_hash: string | null
  integration: string
  owner: Owner
  name: string
  oauth_client_id: string
  server: string
  scopes: string
  resource: string | null
  origins: string
  redirect_uri: string
  redirect_to: string | null
  created_at: string
  expires_at: string
  used_at: string | null
  error: string | null
}

export type AgentGrantsTable = {
  tenant_id: string
  grant_id: string
  user_id: string
  client_id: string
  client_name: string
  redirect_uri: string
  resource: string
  challenge: string
  patterns: string | null
  elicitation: string
  code_hash: string
  token_id: string | null
  secret_hash: string | null
  generation: number
  rotated_at: string | null
  created_at: string
  expires_at: string
}

export type OauthGrantsTable = {
  tenant_id: string
  user_id: string
  integration: string
  name: string
  grant_type: OauthGrantType
  oauth_client_id: string
  server: string
  scopes: string
  resource: string | null
  granted_by: string
  version: number
  renewable: number
  issued_at: string | null
  renew_at: string | null
  expires_at: string | null
  lapsed_at: string | null
  lapsed_reason: string | null
  /** Unique. Earlier versions led people by it. */
  connect_key: string
  granted_scopes: string | null
  lease_owner: string | null
  lease_until: string | null
}
