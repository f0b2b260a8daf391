// Places of calls in concurrency groups: tickets in order, each under the lease of its node.
import { sql } from "kysely"
import type { Lease } from "../../execution-store.ts"
import type { PlaceGroup, PlaceId, PlaceRows } from "../../place-store.ts"
import type { Builder, Statement } from "../../statement.ts"
import { compile, prepare } from "../../statement.ts"
import type { ExecutionBackend } from "../backend.ts"

export function placeQueries({ kysely, dialect }: Builder, backend: ExecutionBackend): PlaceRows {
  const ahead = prepare(["tenant", "group", "owner", "now"], ({ tenant, group, owner, now }) =>
    kysely
      .selectFrom(
        kysely
          .selectFrom("call_places")
          .select(["place_id as id", "lease_owner"])
          .select(sql<number | string>`row_number() over (order by ticket) - 1`.as("ahead"))
          .where("tenant_id", "=", tenant)
          .where("group_name", "=", group)
          .where("lease_until", ">", now)
          .as("places"),
      )
      .select(["id", "ahead"])
      .where("lease_owner", "=", owner),
  )
  const others = prepare(["tenant", "group", "owner"], ({ tenant, group, owner }) =>
    kysely
      .selectFrom("call_places")
      .select("place_id")
      .where("tenant_id", "=", tenant)
      .where("group_name", "=", group)
      .where("lease_owner", "<>", owner)
      .limit(1),
  )

  return {
    async take(place, lease, now) {
      await backend.batch(taking(place, lease, now))
    },
    async ahead({ tenant, group }, owner, now) {
      const rows = await backend.all(ahead({ tenant, group, owner, now }), "none")
      // PostgreSQL answers its large integers as text.
      return new Map(rows.map((row) => [row.id, Number(row.ahead)]))
    },
    async release({ tenant, group, id }, owner) {
      await backend.batch([
        compile(
          kysely.deleteFrom("call_places").where("tenant_id", "=", tenant).where("group_name", "=", group).where("place_id", "=", id),
        ),
      ])
      return (await backend.all(others({ tenant, group, owner }), "none")).length > 0
    },
    async renew({ owner, until }, now) {
      await backend.batch([
        compile(
          kysely.updateTable("call_places").set({ lease_until: until }).where("lease_owner", "=", owner).where("lease_until", ">", now),
        ),
      ])
    },
    async releaseAll(owner) {
      await backend.batch([compile(kysely.deleteFrom("call_places").where("lease_owner", "=", owner))])
    },
  }

  /** In PostgreSQL the group's row stays locked until the ticket is committed, and a statement of its own is one transaction. */
  function taking(place: PlaceId, lease: Lease, now: string): Statement<unknown>[] {
    const { tenant, group } = place
    const counted = kysely
      .insertInto("call_groups")
      .values({ tenant_id: tenant, group_name: group, last_ticket: 1 })
      .onConflict((conflict) =>
        conflict.columns(["tenant_id", "group_name"]).doUpdateSet(({ eb }) => ({ last_ticket: eb("call_groups.last_ticket", "+", 1) })),
      )
    const expired = kysely
      .deleteFrom("call_places")
      .where("tenant_id", "=", tenant)
      .where("group_name", "=", group)
      .where("lease_until", "<=", now)
    if (dialect === "postgres") {
      const numbered = kysely
        .with("counted", () => counted.returning("last_ticket"))
        .with("expired", () => expired)
        .insertInto("call_places")
        .columns(columns)
        .expression((from) => from.selectFrom("counted").select("last_ticket").select(values(place, lease)))
      return [compile(numbered)]
    }
    const numbered = kysely
      .insertInto("call_places")
      .columns(columns)
      .expression((from) =>
        from
          .selectFrom("call_groups")
          .select("last_ticket")
          .select(values(place, lease))
          .where("tenant_id", "=", tenant)
          .where("group_name", "=", group),
      )
    return [compile(counted), compile(expired), compile(numbered)]
  }
}

const columns = ["ticket", "tenant_id", "group_name", "place_id", "lease_owner", "lease_until"] as const

const values = ({ tenant, group, id }: PlaceGroup & { readonly id: string }, { owner, until }: Lease) =>
  [
    sql<string>`cast(${tenant} as text)`.as("tenant_id"),
    sql<string>`cast(${group} as text)`.as("group_name"),
    sql<string>`cast(${id} as text)`.as("place_id"),
    sql<string>`cast(${owner} as text)`.as("lease_owner"),
    sql<string>`cast(${until} as text)`.as("lease_until"),
  ] as const
