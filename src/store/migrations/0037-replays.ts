// Executions say whose recorded answers they begin with.
import type { Migration } from "../migration.ts"

export const replays: Migration = {
  version: 37,
  name: "replays",
  statements: ({ text }) => [`alter table executions add column replay_of ${text}`],
}
