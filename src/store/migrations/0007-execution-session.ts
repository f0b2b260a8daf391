// Executions say in which MCP session they were asked for: what code keeps with `store` belongs to that session.
import type { Migration } from "../migration.ts"

export const executionSession: Migration = {
  version: 7,
  name: "execution session",
  statements: ({ text }) => [`alter table executions add column session ${text}`],
}
