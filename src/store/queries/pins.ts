// Pins: the tools of a connection as a human accepted them.
import { createTimeSlices } from "../../io/time-slices.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"
import type { PinRows } from "../tool-changes/pin-store.ts"
import { chunks } from "./chunks.ts"
import { ownerUser, sees } from "./owner.ts"

export function pinQueries({ kysely }: Builder): (session: Session) => PinRows {
  return (session) => ({
    async list(scope, ref) {
      if (!sees(scope, ref.owner)) return []
      await session.lockTenant(scope.tenant)
      const query = kysely
        .selectFrom("pins")
        .select(["tool", "definition"])
        .where("tenant_id", "=", scope.tenant)
        .where("user_id", "=", ownerUser(scope, ref.owner))
        .where("integration", "=", ref.integration)
        .where("name", "=", ref.connection)
        .orderBy("tool")
      return session.all(compile(query))
    },

    async put(scope, ref, pins) {
      const connection = {
        tenant_id: scope.tenant,
        user_id: ownerUser(scope, ref.owner),
        integration: ref.integration,
        name: ref.connection,
      }
      await atomicIn(session, scope.tenant, async (transaction) => {
        const slices = createTimeSlices()
        for (const some of chunks(pins)) {
          if (slices.isOver()) await slices.next()
          const query = kysely
            .insertInto("pins")
            .values(some.map((pin) => ({ ...connection, ...pin })))
            .onConflict((conflict) =>
              conflict
                .columns(["tenant_id", "user_id", "integration", "name", "tool"])
                .doUpdateSet((row) => ({ definition: row.ref("excluded.definition") })),
            )
          await transaction.change(compile(query))
        }
      })
    },
  })
}
