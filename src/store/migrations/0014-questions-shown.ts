// How many of a pause's questions were shown: an answer means these and no others.
import type { Migration } from "../migration.ts"

export const questionsShown: Migration = {
  version: 14,
  name: "questions shown",
  statements: () => ["alter table pauses_shown add column questions integer"],
}
