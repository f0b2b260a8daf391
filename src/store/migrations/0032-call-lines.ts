// Calls say which line of the code made them.
import type { Migration } from "../migration.ts"

export const callLines: Migration = {
  version: 32,
  name: "call lines",
  statements: () => ["alter table calls add column line integer"],
}
