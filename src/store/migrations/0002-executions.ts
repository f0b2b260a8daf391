// Executions as they became: their calls and settle order, approvals, session values and the audit.
import type { Migration, MigrationTarget } from "../migration.ts"

export const executions: Migration = {
  version: 2,
  name: "executions",
  statements: (target) => [
    `drop table journal`,
    `drop table executions`,
    ...runs(target),
    ...journal(target),
    ...approvals(target),
    ...values(target),
    ...audit(target),
  ],
}

// No foreign keys: the journal is the busiest writer, it writes an execution before its calls, and forgetting deletes by hand.
const runs = ({ text, dialect }: MigrationTarget): string[] => [
  `create table executions (
    tenant_id ${text} not null,
    execution_id ${text} not null,
    user_id ${text} not null,
    principal_kind ${text} not null,
    token_id ${text},
    roles ${text} not null,
    code ${text} not null,
    results ${text} not null,
    approval ${text} not null,
    auto_approve integer not null,
    wall_ms double precision not null,
    seed ${text} not null,
    started_at_ms double precision not null,
    status ${text} not null,
    run integer not null,
    lease_owner ${text},
    lease_until ${text},
    wall_used_ms double precision not null,
    pause_count integer not null,
    expires_at ${text},
    created_at ${text} not null,
    ended_at ${text},
    result ${text},
    error ${text},
    logs ${text} not null,
    emitted ${text} not null,
    outputs_seen integer not null,
    primary key (tenant_id, execution_id)
  )${roomForUpdates(dialect)}`,
  // The token is in it so that an agent's own executions are found among its user's without reading the rows.
  `create index executions_by_user on executions (tenant_id, user_id, execution_id, token_id)`,
  `create index executions_by_status on executions (tenant_id, status, execution_id)`,
  // Recovery looks over all tenants for leases that ran out, and expiry for pauses that did.
  `create index executions_by_lease on executions (lease_until) where lease_until is not null`,
  `create index executions_by_expiry on executions (expires_at) where expires_at is not null`,
]

const journal = ({ text, dialect }: MigrationTarget): string[] => [
  `create table calls (
    tenant_id ${text} not null,
    execution_id ${text} not null,
    call_key ${text} not null,
    seq integer not null,
    path ${text} not null,
    address ${text} not null,
    args ${text} not null,
    effect ${text} not null,
    state ${text} not null,
    decision ${text} not null,
    rule ${text},
    approval_id ${text},
    answer_form ${text},
    answer ${text},
    error_code ${text},
    error_message ${text},
    started_at ${text},
    ms double precision,
    primary key (tenant_id, execution_id, call_key)
  )${roomForUpdates(dialect)}`,
  // The audit is read by time.
  `create index calls_by_time on calls (tenant_id, started_at)`,
  `create table events (
    tenant_id ${text} not null,
    execution_id ${text} not null,
    position integer not null,
    type ${text} not null,
    call_key ${text},
    at_ms double precision not null,
    primary key (tenant_id, execution_id, position)
  )${clustered(dialect)}`,
]

const approvals = ({ text }: MigrationTarget): string[] => [
  `create table approvals (
    tenant_id ${text} not null,
    approval_id ${text} not null,
    execution_id ${text},
    call_key ${text},
    user_id ${text} not null,
    principal_kind ${text} not null,
    token_id ${text},
    kind ${text} not null,
    message ${text} not null,
    address ${text} not null,
    args ${text} not null,
    args_hash ${text} not null,
    tool_hash ${text} not null,
    effect ${text} not null,
    requested_schema ${text},
    url ${text},
    pause integer not null,
    status ${text} not null,
    content ${text},
    remember ${text},
    answered_by ${text},
    answered_at ${text},
    used_at ${text},
    created_at ${text} not null,
    expires_at ${text} not null,
    primary key (tenant_id, approval_id)
  )`,
  `create index approvals_by_status on approvals (tenant_id, status, approval_id)`,
  `create index approvals_by_user on approvals (tenant_id, user_id, status, approval_id, token_id)`,
  `create index approvals_by_execution on approvals (tenant_id, execution_id, approval_id)`,
  // Grants that may still be spent, and approvals that no execution takes along when it is forgotten.
  `create index approvals_grants on approvals (tenant_id, user_id, args_hash, tool_hash, approval_id) where status = 'accept' and used_at is null and pause = 0`,
  `create index approvals_alone on approvals (expires_at) where execution_id is null`,
]

const values = ({ text }: MigrationTarget): string[] => [
  `create table session_values (
    tenant_id ${text} not null,
    session ${text} not null,
    name ${text} not null,
    bytes integer not null,
    expires_at ${text} not null,
    value ${text} not null,
    primary key (tenant_id, session, name)
  )`,
  `create index session_values_by_expiry on session_values (expires_at)`,
]

const audit = ({ text }: MigrationTarget): string[] => [
  `create table audit (
    tenant_id ${text} not null,
    audit_id ${text} not null,
    at ${text} not null,
    user_id ${text} not null,
    principal_kind ${text} not null,
    token_id ${text},
    action ${text} not null,
    subject ${text} not null,
    execution_id ${text},
    decision ${text},
    rule ${text},
    outcome ${text} not null,
    details ${text} not null,
    primary key (tenant_id, audit_id)
  )`,
  `create index audit_by_time on audit (tenant_id, at, audit_id)`,
]

/** A call is written when it starts and again when it is done: with room in its page PostgreSQL need not touch the indexes. */
const roomForUpdates = (dialect: MigrationTarget["dialect"]): string => (dialect === "postgres" ? " with (fillfactor = 75)" : "")

/** Small rows that are only read in the order of their key need no second tree. */
const clustered = (dialect: MigrationTarget["dialect"]): string => (dialect === "sqlite" ? " without rowid" : "")
