// Agents and their versions, and which program an execution runs.
import type { Migration } from "../migration.ts"

export const agents: Migration = {
  version: 29,
  name: "agents",
  statements: ({ text }) => [
    `create table agents (
      tenant_id ${text} not null,
      agent_id ${text} not null,
      slug ${text} not null,
      definition ${text} not null,
      status ${text} not null,
      version ${text} not null,
      published_version ${text},
      published_at ${text},
      content_hash ${text} not null,
      published_hash ${text},
      written_by ${text} not null,
      created_by ${text} not null,
      created_at ${text} not null,
      updated_at ${text} not null,
      primary key (tenant_id, agent_id),
      foreign key (tenant_id) references tenants on delete cascade
    )`,
    `create unique index agents_by_slug on agents (tenant_id, slug)`,
    `create table agent_versions (
      tenant_id ${text} not null,
      agent_id ${text} not null,
      version ${text} not null,
      position integer not null,
      snapshot ${text} not null,
      hash ${text} not null,
      written_by ${text} not null,
      made_by ${text} not null,
      made_at ${text} not null,
      reason ${text},
      primary key (tenant_id, agent_id, version),
      foreign key (tenant_id, agent_id) references agents on delete cascade
    )`,
    `create unique index agent_versions_in_order on agent_versions (tenant_id, agent_id, position)`,
    `alter table executions add column program ${text} not null default 'code'`,
  ],
}
