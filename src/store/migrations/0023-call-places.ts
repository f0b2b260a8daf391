// Places of calls in concurrency groups: who runs or waits, in the order of their tickets.
import type { Migration } from "../migration.ts"

export const callPlaces: Migration = {
  version: 23,
  name: "call places",
  statements: ({ text }) => [
    // A number that was given out is never given again, or a later ticket could come before an earlier one.
    `create table call_groups (
      tenant_id ${text} not null,
      group_name ${text} not null,
      last_ticket bigint not null,
      primary key (tenant_id, group_name)
    )`,
    `create table call_places (
      tenant_id ${text} not null,
      group_name ${text} not null,
      place_id ${text} not null,
      ticket bigint not null,
      lease_owner ${text} not null,
      lease_until ${text} not null,
      primary key (tenant_id, group_name, place_id)
    )`,
    `create index call_places_by_owner on call_places (lease_owner)`,
  ],
}
