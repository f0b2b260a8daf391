// Rules that count for one role only, and rules that name who may approve; an approval keeps whom they named when it was asked.
import type { Migration } from "../migration.ts"

export const fourEyes: Migration = {
  version: 18,
  name: "four eyes",
  statements: ({ text }) => [
    `alter table policies add column role ${text}`,
    `alter table policies add column approved_by ${text}`,
    `alter table approvals add column answerable_by ${text}`,
  ],
}
