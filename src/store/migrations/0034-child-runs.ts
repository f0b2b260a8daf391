// Runs that other runs started are executions with a parent, whose journal is a part of their root's.
import type { Migration } from "../migration.ts"

export const childRuns: Migration = {
  version: 34,
  name: "child runs",
  statements: ({ text }) => [
    `alter table executions add column parent_id ${text}`,
    `alter table executions add column root_id ${text}`,
    `alter table executions add column root_key ${text}`,
    `create index executions_by_root on executions (tenant_id, root_id) where root_id is not null`,
  ],
}
