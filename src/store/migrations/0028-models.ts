// Model providers: where the models of a tenant's agents are asked. Their keys are in the vault.
import type { Migration } from "../migration.ts"

export const models: Migration = {
  version: 28,
  name: "models",
  statements: ({ text }) => [
    `create table model_providers (
      tenant_id ${text} not null,
      provider_id ${text} not null,
      kind ${text} not null,
      base_url ${text} not null,
      has_key integer not null,
      models ${text} not null,
      created_at ${text} not null,
      updated_at ${text} not null,
      primary key (tenant_id, provider_id),
      foreign key (tenant_id) references tenants on delete cascade
    )`,
  ],
}
