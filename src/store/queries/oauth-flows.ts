// OAuth flows: consents in progress, each finished once, by one browser or by the token that started it.
import { sql } from "kysely"
import type { OauthFlowsTable } from "../schema.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"
import type { OauthFlowRow, OauthFlowRows } from "../oauth-store.ts"
import { oauthFlowSecretRef } from "../oauth-store.ts"
import { orgUser } from "./owner.ts"

export function oauthFlowQueries(builder: Builder): (session: Session) => OauthFlowRows {
  const { kysely } = builder
  const one = (flow: OauthFlowRow) => kysely.updateTable("oauth_flows").where("tenant_id", "=", flow.tenant).where("flow_id", "=", flow.id)

  const flows = kysely.selectFrom("oauth_flows").selectAll()

  return (session) => ({
    async put(flow) {
      await atomicIn(session, flow.tenant, async (transaction) => {
        await removeExpiredFlows("oauth_flows", oauthFlowSecretRef(""), flow, builder, transaction)
        await transaction.change(compile(kysely.insertInto("oauth_flows").values(writeFlow(flow))))
      })
    },

    async findById(id) {
      const [row] = await session.all(compile(flows.where("flow_id", "=", id)))
      return row ? readFlow(row) : null
    },

    async findByState(stateHash) {
      const [row] = await session.all(compile(flows.where("state_hash", "=", stateHash)))
      return row ? readFlow(row) : null
    },

    async bind(flow, browserHash) {
      await session.lockTenant(flow.tenant)
      const query = one(flow)
        .set({ browser_hash: browserHash })
        .where("used_at", "is", null)
        .where((where) => where.or([where("browser_hash", "is", null), where("browser_hash", "=", browserHash)]))
      return (await session.change(compile(query))) === 1
    },

    async use(flow, at) {
      await session.lockTenant(flow.tenant)
      const query = one(flow).set({ used_at: at }).where("used_at", "is", null).where("expires_at", ">", at)
      return (await session.change(compile(query))) === 1
    },

    async fail(flow, error) {
      await session.lockTenant(flow.tenant)
      await session.change(compile(one(flow).set({ error })))
    },
  })
}

/** With their secrets, whose names begin with `secretRef` and end with the flow's id. */
export async function removeExpiredFlows(
  table: "oauth_flows" | "sign_in_flows",
  secretRef: string,
  { tenant, createdAt }: { readonly tenant: string; readonly createdAt: string },
  { kysely }: Builder,
  session: Session,
): Promise<void> {
  const expired = kysely
    .selectFrom(table)
    .select(sql<string>`${secretRef} || flow_id`.as("ref"))
    .where("tenant_id", "=", tenant)
    .where("expires_at", "<", createdAt)
  const secrets = kysely
    .deleteFrom("credentials")
    .where("tenant_id", "=", tenant)
    .where("user_id", "=", orgUser)
    .where("ref", "in", expired)
  await session.change(compile(secrets))
  await session.change(compile(kysely.deleteFrom(table).where("tenant_id", "=", tenant).where("expires_at", "<", createdAt)))
}

const readFlow = (row: OauthFlowsTable): OauthFlowRow => ({
  tenant: row.tenant_id,
  user: row.user_id,
  id: row.flow_id,
  principalKind: row.principal_kind,
  tokenId: row.token_id,
  stateHash: row.state_hash,
  browserHash: row.browser_hash,
  integration: row.integration,
  owner: row.owner,
  name: row.name,
  oauthClientId: row.oauth_client_id,
  server: row.server,
  scopes: row.scopes,
  resource: row.resource,
  origins: row.origins,
  redirectUri: row.redirect_uri,
  redirectTo: row.redirect_to,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  usedAt: row.used_at,
  error: row.error,
})

const writeFlow = (flow: OauthFlowRow): OauthFlowsTable => ({
  tenant_id: flow.tenant,
  flow_id: flow.id,
  user_id: flow.user,
  principal_kind: flow.principalKind,
  token_id: flow.tokenId,
  state_hash: flow.stateHash,
  browser_hash: flow.browserHash,
  integration: flow.integration,
  owner: flow.owner,
  name: flow.name,
  oauth_client_id: flow.oauthClientId,
  server: flow.server,
  scopes: flow.scopes,
  resource: flow.resource,
  origins: flow.origins,
  redirect_uri: flow.redirectUri,
  redirect_to: flow.redirectTo,
  created_at: flow.createdAt,
  expires_at: flow.expiresAt,
  used_at: flow.usedAt,
  error: flow.error,
})
