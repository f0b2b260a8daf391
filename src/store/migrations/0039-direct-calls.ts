// Runs of agents that were called outside of executions say by which call, so that the same call finds them again.
import type { Migration } from "../migration.ts"

export const directCalls: Migration = {
  version: 39,
  name: "direct calls",
  statements: ({ text }) => [
    `alter table executions add column direct_call ${text}`,
    `create index executions_by_direct_call on executions (tenant_id, direct_call) where direct_call is not null`,
  ],
}
