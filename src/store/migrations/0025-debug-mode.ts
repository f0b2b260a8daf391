// Executions say in which mode they run, and tokens whether their agents may run them in debug mode.
import type { Migration } from "../migration.ts"

export const debugMode: Migration = {
  version: 25,
  name: "debug-mode",
  statements: ({ text }) => [
    `alter table executions add column mode ${text} not null default 'production'`,
    `alter table tokens add column debug integer not null default 0`,
  ],
}
