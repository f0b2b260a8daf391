// Browser sessions of humans, and the one-time codes that open them: both by the hash of their secret.
import type { Migration } from "../migration.ts"

export const sessions: Migration = {
  version: 5,
  name: "sessions",
  statements: ({ text }) => [
    `create table browser_sessions (
      tenant_id ${text} not null,
      session_id ${text} not null,
      user_id ${text} not null,
      kind ${text} not null,
      hash ${text} not null,
      created_at ${text} not null,
      expires_at ${text} not null,
      primary key (tenant_id, session_id),
      foreign key (tenant_id, user_id) references users on delete cascade
    )`,
    // A cookie or a link brings nothing but its secret: that is where the tenant comes from.
    `create unique index browser_sessions_by_hash on browser_sessions (hash)`,
    `create index browser_sessions_by_expiry on browser_sessions (tenant_id, expires_at)`,
  ],
}
