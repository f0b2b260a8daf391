// What syncs changed of imported tools, and an index by which the calls of one tool are counted.
import type { Migration } from "../migration.ts"

export const toolChanges: Migration = {
  version: 24,
  name: "tool changes",
  statements: ({ text }) => [
    `create table tool_changes (
      tenant_id ${text} not null,
      user_id ${text} not null,
      integration ${text} not null,
      name ${text} not null,
      tool ${text} not null,
      version integer not null,
      at ${text} not null,
      change ${text} not null,
      diff ${text},
      primary key (tenant_id, user_id, integration, name, tool, version),
      foreign key (tenant_id, user_id, integration, name) references connections on delete cascade
    )`,
    "create index tool_changes_removed on tool_changes (tenant_id, user_id, integration, name, at) where change = 'removed'",
    "create index audit_calls_by_subject on audit (tenant_id, subject, at) where action = 'call'",
  ],
}
