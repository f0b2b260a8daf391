// A human's no to a call that could not wait is told to the next one, as a yes is: both are found by what the call asks for.
import type { Migration } from "../migration.ts"

export const answeredGrants: Migration = {
  version: 9,
  name: "answered grants",
  statements: () => [
    `drop index approvals_grants`,
    `create index approvals_grants on approvals (tenant_id, user_id, args_hash, tool_hash, approval_id) where answered_by is not null and used_at is null and pause = 0`,
  ],
}
