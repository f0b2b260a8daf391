// An approval tells why it is asked and by whom; what a revoked token did keeps its name.
import type { Migration } from "../migration.ts"

export const approvalContext: Migration = {
  version: 11,
  name: "approval context",
  statements: ({ text }) => [
    `alter table approvals add column context ${text} not null default '{}'`,
    "alter table tokens add column revoked integer not null default 0",
  ],
}
