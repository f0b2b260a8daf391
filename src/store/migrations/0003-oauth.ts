// OAuth: the clients we are at providers, the consents under way, and the grants that connections live on.
import type { Migration, MigrationTarget } from "../migration.ts"

export const oauth: Migration = {
  version: 3,
  name: "oauth",
  statements: (target) => [...clients(target), ...flows(target), ...grants(target)],
}

const clients = ({ text }: MigrationTarget): string[] => [
  `create table oauth_clients (
    tenant_id ${text} not null,
    oauth_client_id ${text} not null,
    kind ${text} not null,
    name ${text} not null,
    client_id ${text} not null,
    auth_method ${text} not null,
    server ${text} not null,
    integration ${text},
    redirect_uri ${text},
    authorization_params ${text} not null,
    created_at ${text} not null,
    expires_at ${text},
    primary key (tenant_id, oauth_client_id)
  )`,
]

const flows = ({ text }: MigrationTarget): string[] => [
  `create table oauth_flows (
    tenant_id ${text} not null,
    flow_id ${text} not null,
    user_id ${text} not null,
    principal_kind ${text} not null,
    token_id ${text},
    state_hash ${text} not null,
    browser_hash ${text},
    integration ${text} not null,
    owner ${text} not null,
    name ${text} not null,
    oauth_client_id ${text} not null,
    server ${text} not null,
    scopes ${text} not null,
    resource ${text},
    origins ${text} not null,
    redirect_uri ${text} not null,
    redirect_to ${text},
    created_at ${text} not null,
    expires_at ${text} not null,
    used_at ${text},
    primary key (tenant_id, flow_id)
  )`,
  // A link or a provider's answer brings nothing but these: they are where the tenant comes from.
  `create unique index oauth_flows_by_id on oauth_flows (flow_id)`,
  `create unique index oauth_flows_by_state on oauth_flows (state_hash)`,
  `create index oauth_flows_by_expiry on oauth_flows (tenant_id, expires_at)`,
]

const grants = ({ text }: MigrationTarget): string[] => [
  `create table oauth_grants (
    tenant_id ${text} not null,
    user_id ${text} not null,
    integration ${text} not null,
    name ${text} not null,
    grant_type ${text} not null,
    oauth_client_id ${text} not null,
    server ${text} not null,
    scopes ${text} not null,
    resource ${text},
    granted_by ${text} not null,
    version integer not null,
    renewable integer not null,
    issued_at ${text},
    renew_at ${text},
    expires_at ${text},
    lapsed_at ${text},
    lapsed_reason ${text},
    connect_key ${text} not null,
    lease_owner ${text},
    lease_until ${text},
    primary key (tenant_id, user_id, integration, name),
    foreign key (tenant_id, user_id, integration, name) references connections on delete cascade
  )`,
  `create unique index oauth_grants_by_connect_key on oauth_grants (connect_key)`,
]
