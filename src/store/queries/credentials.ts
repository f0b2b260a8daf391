// Credentials: sealed bytes under a reference, which says whose they are.
import { ExecutorError } from "../../core/errors.ts"
import type { Scope } from "../../core/principal.ts"
import type { Session } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile, prepare } from "../statement.ts"
import type { CredentialRows } from "../store.ts"
import { orgUser } from "./owner.ts"

export function credentialQueries({ kysely }: Builder): (session: Session) => CredentialRows {
  const find = prepare(["tenant", "user", "ref"], ({ tenant, user, ref }) =>
    kysely.selectFrom("credentials").select("sealed").where("tenant_id", "=", tenant).where("user_id", "=", user).where("ref", "=", ref),
  )

  return (session) => ({
    async get(scope, ref) {
      const user = secretUser(scope, ref)
      if (user === null) return null
      await session.lockTenant(scope.tenant)
      const [row] = await session.all(find({ tenant: scope.tenant, user, ref }))
      // One driver answers with a Buffer, which is also equal to nothing but a Buffer.
      return row ? new Uint8Array(row.sealed) : null
    },

    async put(scope, ref, sealed) {
      const user = secretUser(scope, ref)
      if (user === null) throw new ExecutorError("forbidden", "This credential belongs to another user")
      await session.lockTenant(scope.tenant)
      const query = kysely.insertInto("credentials").values({ tenant_id: scope.tenant, user_id: user, ref, sealed })
      await session.change(
        compile(query.onConflict((conflict) => conflict.columns(["tenant_id", "user_id", "ref"]).doUpdateSet({ sealed }))),
      )
    },

    async remove(scope, ref) {
      const user = secretUser(scope, ref)
      if (user === null) return
      await session.lockTenant(scope.tenant)
      const query = kysely.deleteFrom("credentials").where("tenant_id", "=", scope.tenant)
      await session.change(compile(query.where("user_id", "=", user).where("ref", "=", ref)))
    },
  })
}

/** The `user_id` of the reference, or null where it belongs to somebody else. */
function secretUser(scope: Scope, ref: string): string | null {
  const [noun, , owner, ...rest] = ref.split(":")
  if (noun !== "connection" || owner !== "user") return orgUser
  // `connection:<integration>:user:<user>:<connection>`, and the user may have a colon in the name.
  const user = rest.slice(0, -1).join(":")
  return user === scope.user && user !== orgUser ? user : null
}
