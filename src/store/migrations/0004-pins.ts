// Pins: the tools that a human accepted as they were, and what a tool wants back when a human has answered it.
import type { Migration, MigrationTarget } from "../migration.ts"

export const pins: Migration = {
  version: 4,
  name: "pins",
  statements: (target) => [
    ...pinned(target),
    // JSON array of the tools that are not what was accepted.
    `alter table connections add column changed_tools ${target.text} not null default '[]'`,
    `alter table approvals add column tool_state ${target.text}`,
  ],
}

const pinned = ({ text }: MigrationTarget): string[] => [
  `create table pins (
    tenant_id ${text} not null,
    user_id ${text} not null,
    integration ${text} not null,
    name ${text} not null,
    tool ${text} not null,
    definition ${text} not null,
    primary key (tenant_id, user_id, integration, name, tool),
    foreign key (tenant_id, user_id, integration, name) references connections on delete cascade
  )`,
]
