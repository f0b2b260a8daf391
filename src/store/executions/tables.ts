// The tables of executions as Kysely sees them.
import type { ApprovalMode, ExecutionMode, ExecutionStatus, InteractionKind, ResultsMode, ProgramKind } from "../../core/execution.ts"
import type { PrincipalKind } from "../../core/principal.ts"
import type { Effect } from "../../core/tool.ts"
import type { ApprovalStatus, CallState, EventRow } from "../execution-store.ts"
import type { Packed } from "./packing.ts"

export type ExecutionTables = {
  executions: ExecutionsTable
  calls: CallsTable
  events: EventsTable
  approvals: ApprovalsTable
  session_values: SessionValuesTable
  audit: AuditTable
  audit_chains: AuditChainsTable
  pauses_shown: PausesShownTable
  call_groups: { tenant_id: string; group_name: string; last_ticket: number | string }
  call_places: CallPlacesTable
}

export type ExecutionsTable = {
  tenant_id: string
  execution_id: string
  user_id: string
  principal_kind: PrincipalKind
  token_id: string | null
  roles: string
  code: Packed
  results: ResultsMode
  approval: ApprovalMode
  auto_approve: number
  wall_ms: number
  seed: string
  started_at_ms: number
  status: ExecutionStatus
  run: number
  lease_owner: string | null
  lease_until: string | null
  wall_used_ms: number
  pause_count: number
  expires_at: string | null
  created_at: string
  ended_at: string | null
  result: Packed | null
  error: string | null
  logs: Packed
  emitted: Packed
  outputs_seen: number
  session: string | null
  mode: ExecutionMode
  program: ProgramKind
  workspace: string | null
  replay_of: string | null
  direct_call: string | null
  parent_id: string | null
  root_id: string | null
  root_key: string | null
}

export type CallsTable = {
  tenant_id: string
  execution_id: string
  call_key: string
  seq: number
  path: string
  address: string
  args: Packed
  effect: Effect
  state: CallState
  decision: string
  rule: string | null
  approval_id: string | null
  answer_form: "envelope" | "value" | "reject" | null
  answer: Packed | null
  error_code: string | null
  error_message: string | null
  started_at: string | null
  ms: number | null
  run: number
  line: number | null
}

export type EventsTable = {
  tenant_id: string
  execution_id: string
  position: number
  type: EventRow["type"]
  call_key: string | null
  at_ms: number
  run: number
}

export type ApprovalsTable = {
  tenant_id: string
  approval_id: string
  execution_id: string | null
  call_key: string | null
  user_id: string
  principal_kind: PrincipalKind
  token_id: string | null
  kind: InteractionKind
  message: string
  address: string
  args: Packed
  args_hash: string
  tool_hash: string
  effect: Effect
  context: string
  answerable_by: string | null
  requested_schema: string | null
  url: string | null
  tool_state: string | null
  pause: number
  status: ApprovalStatus
  content: string | null
  remember: "execution" | "always" | null
  answered_by: string | null
  answered_at: string | null
  used_at: string | null
  created_at: string
  expires_at: string
}

/** `bytes`: of name and value, so that the size of a session is known without reading it. */
export type SessionValuesTable = {
  tenant_id: string
  session: string
  name: string
  bytes: number
  expires_at: string
  value: string
}

export type PausesShownTable = {
  tenant_id: string
  execution_id: string
  viewer: string
  pause: number
  questions: number | null
}

export type CallPlacesTable = {
  tenant_id: string
  group_name: string
  place_id: string
  /** PostgreSQL answers its large integers as text. */
  ticket: number | string
  lease_owner: string
  lease_until: string
}

export type AuditTable = {
  tenant_id: string
  audit_id: string
  at: string
  user_id: string
  principal_kind: PrincipalKind
  token_id: string | null
  action: string
  subject: string
  execution_id: string | null
  decision: string | null
  rule: string | null
  outcome: string
  details: string
  /** 0 until it is sealed; null outside of the chain. PostgreSQL answers its large integers as text. */
  position: number | string | null
  previous_hash: string | null
  hash: string | null
}

/** The last entry of a tenant's chain, and the last one that was deleted for its age. */
export type AuditChainsTable = {
  tenant_id: string
  position: number | string
  hash: string
  pruned_position: number | string
  pruned_hash: string
  /** What is older may be outside of the chain, because earlier versions wrote it; '' where none did. */
  begins_at: string
}
