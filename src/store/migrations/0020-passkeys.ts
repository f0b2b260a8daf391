// Passkeys of people, and the challenges that browsers answer with them.
import type { Migration } from "../migration.ts"

export const passkeys: Migration = {
  version: 20,
  name: "passkeys",
  statements: ({ text, bytes }) => [
    `create table passkeys (
      tenant_id ${text} not null,
      passkey_id ${text} not null,
      user_id ${text} not null,
      credential_id ${text} not null,
      public_key ${bytes} not null,
      user_handle ${text} not null,
      counter bigint not null,
      synced integer not null,
      transports ${text} not null,
      name ${text} not null,
      created_at ${text} not null,
      last_used_at ${text},
      primary key (tenant_id, passkey_id),
      foreign key (tenant_id, user_id) references users on delete cascade
    )`,
    // A sign-in brings nothing but its credential: that is where the tenant comes from.
    `create unique index passkeys_by_credential on passkeys (credential_id)`,
    `create index passkeys_by_user on passkeys (tenant_id, user_id)`,
    `create table passkey_challenges (
      hash ${text} not null primary key,
      key_hash ${text} not null,
      challenge_hash ${text} not null,
      purpose ${text} not null,
      subject ${text} not null,
      user_handle ${text} not null,
      created_at ${text} not null,
      expires_at ${text} not null
    )`,
    `create index passkey_challenges_by_expiry on passkey_challenges (expires_at)`,
  ],
}
