// Signing in at OpenID Connect providers.
import type { Migration } from "../migration.ts"

export const signIn: Migration = {
  version: 19,
  name: "sign-in",
  statements: ({ text }) => [
    `create table sign_in_providers (
      tenant_id ${text} not null,
      provider_id ${text} not null,
      name ${text} not null,
      issuer ${text} not null,
      client_id ${text} not null,
      scopes ${text} not null,
      claim ${text} not null,
      rules ${text} not null,
      default_role ${text},
      allow ${text} not null,
      created_at ${text} not null,
      primary key (tenant_id, provider_id),
      foreign key (tenant_id) references tenants on delete cascade
    )`,
    `create table sign_in_flows (
      tenant_id ${text} not null,
      flow_id ${text} not null,
      provider_id ${text} not null,
      purpose ${text} not null,
      state_hash ${text} not null,
      cookie_hash ${text},
      key_hash ${text},
      return_to ${text},
      created_at ${text} not null,
      expires_at ${text} not null,
      primary key (tenant_id, flow_id),
      foreign key (tenant_id, provider_id) references sign_in_providers on delete cascade
    )`,
    // A provider's answer brings nothing but this: it is where the tenant comes from.
    `create unique index sign_in_flows_by_state on sign_in_flows (state_hash)`,
    `create index sign_in_flows_by_expiry on sign_in_flows (tenant_id, expires_at)`,
    `create table identities (
      tenant_id ${text} not null,
      issuer ${text} not null,
      subject ${text} not null,
      user_id ${text} not null,
      created_at ${text} not null,
      primary key (tenant_id, issuer, subject),
      foreign key (tenant_id, user_id) references users on delete cascade
    )`,
  ],
}
