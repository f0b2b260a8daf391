// Which pause of an execution was shown to whom: an answer that names none means that one.
import type { Migration } from "../migration.ts"

export const pausesShown: Migration = {
  version: 13,
  name: "pauses shown",
  statements: ({ text }) => [
    `create table pauses_shown (
      tenant_id ${text} not null,
      execution_id ${text} not null,
      viewer ${text} not null,
      pause integer not null,
      primary key (tenant_id, execution_id, viewer)
    )`,
  ],
}
