// Executions say which workspace their tools are in.
import type { Migration } from "../migration.ts"

export const workspaces: Migration = {
  version: 30,
  name: "workspaces",
  statements: ({ text }) => [`alter table executions add column workspace ${text}`],
}
