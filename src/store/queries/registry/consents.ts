// Which versions of others' tools a user lets reach their own connections.
import type { ToolConsentRows } from "../../registry-store.ts"
import type { Session } from "../../session.ts"
import type { Builder } from "../../statement.ts"
import { compile } from "../../statement.ts"

export function toolConsentQueries({ kysely }: Builder): (session: Session) => ToolConsentRows {
  return (session) => ({
    async has({ tenant, user }, toolId, version) {
      const query = kysely.selectFrom("tool_consents").select("version").where("tenant_id", "=", tenant).where("user_id", "=", user)
      return (await session.all(compile(query.where("tool_id", "=", toolId).where("version", "=", version)))).length > 0
    },

    async put({ tenant, user }, toolId, version, at) {
      const row = { tenant_id: tenant, user_id: user, tool_id: toolId, version, created_at: at }
      await session.change(
        compile(
          kysely
            .insertInto("tool_consents")
            .values(row)
            .onConflict((conflict) => conflict.doNothing()),
        ),
      )
    },
  })
}
