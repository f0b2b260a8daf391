// The tables of signing in: browser sessions, invitations, providers, flows and identities.
import type { SignInMethod } from "../../../core/people/session.ts"
import type { SignInFlowRow } from "../../sign-in-store.ts"

export type SignInTables = {
  browser_sessions: BrowserSessionsTable
  sign_in_providers: SignInProvidersTable
  sign_in_flows: SignInFlowsTable
  identities: IdentitiesTable
  invitations: InvitationsTable
}

export type IdentitiesTable = {
  tenant_id: string
  issuer: string
  subject: string
  user_id: string
  created_at: string
  /** `SignInRecord` */
  last_sign_in: string | null
}

export type BrowserSessionsTable = {
  tenant_id: string
  session_id: string
  user_id: string
  kind: "code" | "session"
  hash: string
  key_hash: string | null
  created_at: string
  expires_at: string
  last_seen_at: string | null
  method: SignInMethod | null
  address: string | null
  user_agent: string | null
}

export type InvitationsTable = {
  tenant_id: string
  invitation_id: string
  hash: string
  user_id: string
  email: string | null
  /** `string[]` */
  roles: string
  invited_by: string
  created_at: string
  expires_at: string
  accepted_at: string | null
}

export type SignInProvidersTable = {
  tenant_id: string
  provider_id: string
  name: string
  issuer: string
  client_id: string
  scopes: string
  claim: string
  rules: string
  default_role: string | null
  allow: string
  created_at: string
}

export type SignInFlowsTable = {
  tenant_id: string
  flow_id: string
  provider_id: string
  purpose: SignInFlowRow["purpose"]
  state_hash: string
  cookie_hash: string | null
  key_hash: string | null
  return_to: string | null
  created_at: string
  expires_at: string
}
