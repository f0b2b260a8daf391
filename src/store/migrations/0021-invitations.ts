// Invitations, and what a human sees of their sessions: how and where from they signed in, and when they were last used.
import type { Migration } from "../migration.ts"

export const invitations: Migration = {
  version: 21,
  name: "invitations",
  statements: ({ text }) => [
    `alter table browser_sessions add column last_seen_at ${text}`,
    `alter table browser_sessions add column method ${text}`,
    `alter table browser_sessions add column address ${text}`,
    `alter table browser_sessions add column user_agent ${text}`,
    `create table invitations (
      tenant_id ${text} not null,
      invitation_id ${text} not null,
      hash ${text} not null,
      user_id ${text} not null,
      email ${text},
      roles ${text} not null,
      invited_by ${text} not null,
      created_at ${text} not null,
      expires_at ${text} not null,
      accepted_at ${text},
      primary key (tenant_id, invitation_id),
      foreign key (tenant_id, user_id) references users on delete cascade
    )`,
    // A link brings nothing but its secret: that is where the tenant comes from.
    `create unique index invitations_by_hash on invitations (hash)`,
  ],
}
