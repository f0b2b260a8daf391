// People and their roles; tokens that see less than their user, end by themselves, or belong to a client that asked for them.
import type { Migration } from "../migration.ts"

export const people: Migration = {
  version: 15,
  name: "people",
  statements: ({ text }) => [
    `alter table users add column email ${text}`,
    `alter table users add column status ${text} not null default 'active'`,
    `alter table users add column service integer not null default 0`,
    `alter table users add column last_seen_at ${text}`,
    // Whoever was there before roles decided what people see keeps seeing everything.
    `update users set roles = case when roles like '%"admin"%' then '[{"role":"admin","from":"given"}]' else '[{"role":"member","from":"given"}]' end`,
    `create table roles (
      tenant_id ${text} not null,
      role_id ${text} not null,
      name ${text} not null,
      description ${text} not null,
      patterns ${text} not null,
      rights ${text} not null,
      created_at ${text} not null,
      primary key (tenant_id, role_id),
      foreign key (tenant_id) references tenants on delete cascade
    )`,
    `alter table tokens add column patterns ${text}`,
    `alter table tokens add column expires_at ${text}`,
    `alter table tokens add column created_by ${text}`,
    `alter table tokens add column client ${text}`,
    `alter table tokens add column surface ${text}`,
  ],
}
