// Sign-ins under way: found by the hash of their state, and finished once.
import type { SignInFlowsTable } from "./tables.ts"
import type { Session } from "../../session.ts"
import { atomicIn } from "../../session.ts"
import type { SignInFlowRow, SignInFlowRows } from "../../sign-in-store.ts"
import { signInFlowSecretRef } from "../../sign-in-store.ts"
import type { Builder } from "../../statement.ts"
import { compile } from "../../statement.ts"
import { removeExpiredFlows } from "../oauth-flows.ts"

export function signInFlowQueries(builder: Builder): (session: Session) => SignInFlowRows {
  const { kysely } = builder
  return (session) => ({
    async put(flow) {
      await atomicIn(session, flow.tenant, async (transaction) => {
        await removeExpiredFlows("sign_in_flows", signInFlowSecretRef(""), flow, builder, transaction)
        await transaction.change(compile(kysely.insertInto("sign_in_flows").values(writeFlow(flow))))
      })
    },

    async find(stateHash) {
      const [row] = await session.all(compile(kysely.selectFrom("sign_in_flows").selectAll().where("state_hash", "=", stateHash)))
      return row ? readFlow(row) : null
    },

    async take(flow) {
      const query = kysely.deleteFrom("sign_in_flows").where("tenant_id", "=", flow.tenant).where("flow_id", "=", flow.id)
      return atomicIn(session, flow.tenant, async (transaction) => (await transaction.change(compile(query))) === 1)
    },
  })
}

const readFlow = (row: SignInFlowsTable): SignInFlowRow => ({
  tenant: row.tenant_id,
  id: row.flow_id,
  provider: row.provider_id,
  purpose: row.purpose,
  stateHash: row.state_hash,
  cookieHash: row.cookie_hash,
  keyHash: row.key_hash,
  returnTo: row.return_to,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

const writeFlow = (row: SignInFlowRow): SignInFlowsTable => ({
  tenant_id: row.tenant,
  flow_id: row.id,
  provider_id: row.provider,
  purpose: row.purpose,
  state_hash: row.stateHash,
  cookie_hash: row.cookieHash,
  key_hash: row.keyHash,
  return_to: row.returnTo,
  created_at: row.createdAt,
  expires_at: row.expiresAt,
})
