// Registry tools say who wrote what they run, which is not always who made or published them.
import type { Migration } from "../migration.ts"

/** Of what there is already nobody knows, so that it counts as somebody else's for everyone. */
export const toolMaker: Migration = {
  version: 26,
  name: "tool-maker",
  statements: ({ text }) => [`alter table tool_registry add column written_by ${text} not null default ''`],
}
