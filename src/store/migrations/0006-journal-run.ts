// Calls and events say which run of their execution wrote them, so that one that lost its lease cannot overwrite its successor.
import type { Migration } from "../migration.ts"

export const journalRun: Migration = {
  version: 6,
  name: "journal run",
  statements: () => [
    "alter table calls add column run integer not null default 1",
    "alter table events add column run integer not null default 1",
  ],
}
