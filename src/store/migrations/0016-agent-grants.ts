// Agent grants: what humans allowed MCP clients, from the code that their browser carries to the refresh that keeps a token alive.
import type { Migration } from "../migration.ts"

export const agentGrants: Migration = {
  version: 16,
  name: "agent-grants",
  statements: ({ text }) => [
    `create table agent_grants (
      tenant_id ${text} not null,
      grant_id ${text} not null,
      user_id ${text} not null,
      client_id ${text} not null,
      client_name ${text} not null,
      redirect_uri ${text} not null,
      resource ${text} not null,
      challenge ${text} not null,
      patterns ${text},
      elicitation ${text} not null,
      code_hash ${text} not null,
      token_id ${text},
      secret_hash ${text},
      generation integer not null,
      rotated_at ${text},
      created_at ${text} not null,
      expires_at ${text} not null,
      primary key (tenant_id, grant_id),
      foreign key (tenant_id, user_id) references users on delete cascade
    )`,
    // A client brings nothing but its code or its refresh token: they are where the tenant comes from.
    `create unique index agent_grants_by_code on agent_grants (code_hash)`,
    `create unique index agent_grants_by_secret on agent_grants (secret_hash)`,
    `create index agent_grants_by_token on agent_grants (tenant_id, token_id)`,
    `create index agent_grants_by_expiry on agent_grants (tenant_id, expires_at)`,
  ],
}
