// The first tables: identity, catalog, credentials, policies, executions and their journal.
import type { Migration, MigrationTarget } from "../migration.ts"

export const backbone: Migration = {
  version: 1,
  name: "backbone",
  statements: (target) => [...identity(target), ...catalog(target), ...governance(target), ...executions(target), ...revision(target)],
}

const identity = ({ text }: MigrationTarget): string[] => [
  `create table tenants (
    tenant_id ${text} not null primary key,
    created_at ${text} not null
  )`,
  `create table users (
    tenant_id ${text} not null references tenants on delete cascade,
    user_id ${text} not null,
    name ${text} not null,
    roles ${text} not null,
    created_at ${text} not null,
    primary key (tenant_id, user_id)
  )`,
  `create table tokens (
    tenant_id ${text} not null,
    token_id ${text} not null,
    user_id ${text} not null,
    hash ${text} not null unique,
    name ${text} not null,
    kind ${text} not null,
    elicitation ${text} not null,
    created_at ${text} not null,
    primary key (tenant_id, token_id),
    foreign key (tenant_id, user_id) references users on delete cascade
  )`,
  `create index tokens_by_user on tokens (tenant_id, user_id, token_id)`,
]

const catalog = ({ text, bytes }: MigrationTarget): string[] => [
  `create table schemas (
    tenant_id ${text} not null,
    schema_hash ${text} not null,
    text ${text} not null,
    primary key (tenant_id, schema_hash)
  )`,
  `create table documents (
    tenant_id ${text} not null,
    document_hash ${text} not null,
    compressed ${bytes} not null,
    primary key (tenant_id, document_hash)
  )`,
  `create table tool_sets (
    tenant_id ${text} not null,
    tool_set_id ${text} not null,
    tool_count integer not null,
    primary key (tenant_id, tool_set_id)
  )`,
  `create table tools (
    tenant_id ${text} not null,
    tool_set_id ${text} not null,
    name ${text} not null,
    title ${text} not null,
    summary ${text} not null,
    description ${text} not null,
    effect ${text} not null,
    requires_approval integer not null,
    approval_description ${text},
    may_elicit integer not null,
    deprecated integer not null,
    tags ${text} not null,
    input_schema_hash ${text} not null,
    output_schema_hash ${text},
    binding ${text} not null,
    search_text ${text} not null,
    primary key (tenant_id, tool_set_id, name),
    foreign key (tenant_id, tool_set_id) references tool_sets on delete cascade,
    foreign key (tenant_id, input_schema_hash) references schemas,
    foreign key (tenant_id, output_schema_hash) references schemas
  )`,
  `create index tools_by_input_schema on tools (input_schema_hash, tenant_id)`,
  `create index tools_by_output_schema on tools (output_schema_hash, tenant_id)`,
  `create table definitions (
    tenant_id ${text} not null,
    tool_set_id ${text} not null,
    name ${text} not null,
    schema_hash ${text} not null,
    primary key (tenant_id, tool_set_id, name),
    foreign key (tenant_id, tool_set_id) references tool_sets on delete cascade,
    foreign key (tenant_id, schema_hash) references schemas
  )`,
  `create index definitions_by_schema on definitions (schema_hash, tenant_id)`,
  `create table integrations (
    tenant_id ${text} not null,
    slug ${text} not null,
    kind ${text} not null,
    name ${text} not null,
    description ${text} not null,
    config ${text} not null,
    config_revised_at ${text} not null,
    document_hash ${text},
    tool_set_id ${text},
    tool_set_synced_at ${text},
    facts ${text} not null,
    created_at ${text} not null,
    primary key (tenant_id, slug),
    foreign key (tenant_id, document_hash) references documents,
    foreign key (tenant_id, tool_set_id) references tool_sets
  )`,
  `create index integrations_by_document on integrations (document_hash, tenant_id)`,
  `create index integrations_by_tool_set on integrations (tool_set_id, tenant_id)`,
  `create table connections (
    tenant_id ${text} not null,
    user_id ${text} not null,
    integration ${text} not null,
    name ${text} not null,
    template ${text} not null,
    placements ${text} not null,
    bound ${text} not null,
    origins ${text} not null,
    status ${text} not null,
    error ${text},
    tool_set_id ${text},
    tools_synced_at ${text},
    created_at ${text} not null,
    primary key (tenant_id, user_id, integration, name),
    foreign key (tenant_id, integration) references integrations on delete cascade,
    foreign key (tenant_id, tool_set_id) references tool_sets
  )`,
  `create index connections_by_integration on connections (integration, tenant_id)`,
  `create index connections_by_tool_set on connections (tool_set_id, tenant_id)`,
]

const governance = ({ text, bytes }: MigrationTarget): string[] => [
  `create table credentials (
    tenant_id ${text} not null,
    user_id ${text} not null,
    ref ${text} not null,
    sealed ${bytes} not null,
    primary key (tenant_id, user_id, ref)
  )`,
  `create table policies (
    tenant_id ${text} not null,
    policy_id ${text} not null,
    user_id ${text} not null,
    pattern ${text} not null,
    action ${text} not null,
    conditions ${text} not null,
    position double precision not null,
    created_at ${text} not null,
    primary key (tenant_id, policy_id)
  )`,
  `create index policies_by_owner on policies (tenant_id, user_id, position)`,
]

const executions = ({ text }: MigrationTarget): string[] => [
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
    wall_ms integer not null,
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
  )`,
  `create index executions_by_user on executions (tenant_id, user_id, execution_id)`,
  `create index executions_by_status on executions (tenant_id, status, execution_id)`,
  // Recovery looks over all tenants for leases that ran out, and expiry for pauses that did.
  `create index executions_by_lease on executions (lease_until) where lease_until is not null`,
  `create index executions_by_expiry on executions (expires_at) where expires_at is not null`,
  `create table journal (
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
    primary key (tenant_id, execution_id, call_key),
    foreign key (tenant_id, execution_id) references executions on delete cascade
  )`,
]

// PostgreSQL notifies of changes instead: a row that every writer updates would make all of them wait for each other.
const revision = ({ dialect }: MigrationTarget): string[] =>
  dialect === "sqlite" ? [`create table revision (value integer not null)`, `insert into revision (value) values (0)`] : []
