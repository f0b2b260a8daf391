// Processes that share a file tell each other what happened through a table; PostgreSQL has notifications for it.
import type { Migration } from "../migration.ts"

export const broadcasts: Migration = {
  version: 31,
  name: "broadcasts",
  statements: ({ dialect, text }) =>
    dialect === "sqlite" ? [`create table broadcasts (position integer primary key autoincrement, text ${text} not null)`] : [],
}
