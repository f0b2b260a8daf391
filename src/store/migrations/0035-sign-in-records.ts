// How users came, and what a provider said of them when they last signed in.
import type { Migration } from "../migration.ts"

const provider = `from identities join sign_in_providers
  on sign_in_providers.tenant_id = identities.tenant_id and sign_in_providers.issuer = identities.issuer
  where identities.tenant_id = users.tenant_id and identities.user_id = users.user_id`

export const signInRecords: Migration = {
  version: 35,
  name: "sign-in-records",
  statements: ({ text }) => [
    `alter table identities add column last_sign_in ${text}`,
    `alter table users add column source ${text} not null default 'local'`,
    // As far as it can be told of those who are there already.
    `update users set source = (select 'sso:' || min(provider_id) ${provider}) where exists (select 1 ${provider})`,
    `update users set source = 'invitation' where status = 'invited' or exists (
      select 1 from invitations
      where invitations.tenant_id = users.tenant_id and invitations.user_id = users.user_id and accepted_at is not null
    )`,
  ],
}
