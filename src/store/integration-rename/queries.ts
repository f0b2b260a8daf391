// Gives an integration another slug, together with all rows that name it.
import type { ConnectionName } from "../../core/address.ts"
import { ExecutorError } from "../../core/errors.ts"
import { ownerOf } from "../queries/owner.ts"
import type { Session, Transaction } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"
import { renamePatterns } from "./patterns.ts"
import type { IntegrationRenames, OwnedConnection } from "./rename-store.ts"

type Rename = { readonly tenant: string; readonly from: string; readonly to: string }

/** They belong to a connection, and go with it. */
const ofConnections = ["pins", "tool_changes", "oauth_grants"] as const
const ofIntegrations = ["oauth_clients", "oauth_flows"] as const

export function integrationRenameQueries(builder: Builder): (session: Session) => IntegrationRenames {
  const { kysely } = builder
  const named = (tenant: string, slug: string) =>
    kysely.selectFrom("integrations").selectAll().where("tenant_id", "=", tenant).where("slug", "=", slug)

  return (session) => ({
    async findNamed(slugs, except) {
      const query = kysely.selectFrom("integrations").select(["tenant_id", "slug"]).where("slug", "in", slugs).where("kind", "!=", except)
      const rows = await session.all(compile(query.orderBy("tenant_id").orderBy("slug")))
      return rows.map((row) => ({ tenant: row.tenant_id, slug: row.slug }))
    },

    rename: ({ tenant }, from, to) =>
      atomicIn(session, tenant, async (transaction) => {
        const [row] = await transaction.all(compile(named(tenant, from)))
        if (row === undefined) return null
        const [taken] = await transaction.all(compile(named(tenant, to)))
        if (taken !== undefined) throw new ExecutorError("conflict", `The integration slug '${to}' is taken; choose another`)
        const rename = { tenant, from, to }
        // A key that others refer to cannot change, so the rows are copied, what refers to them follows, and the old ones go.
        await transaction.change(compile(kysely.insertInto("integrations").values({ ...row, slug: to })))
        const connections = await copyConnections(rename, transaction)
        await follow(rename, transaction)
        await transaction.change(compile(kysely.deleteFrom("integrations").where("tenant_id", "=", tenant).where("slug", "=", from)))
        await renamePatterns(rename, builder, transaction)
        transaction.bumpRevision()
        return connections
      }),
  })

  async function copyConnections({ tenant, from, to }: Rename, transaction: Transaction): Promise<OwnedConnection[]> {
    const query = kysely.selectFrom("connections").selectAll().where("tenant_id", "=", tenant).where("integration", "=", from)
    const rows = await transaction.all(compile(query.orderBy("user_id").orderBy("name")))
    for (const row of rows) await transaction.change(compile(kysely.insertInto("connections").values({ ...row, integration: to })))
    // Names are written from checked ones only.
    return rows.map((row) => ({ user: row.user_id, owner: ownerOf(row.user_id), connection: row.name as ConnectionName }))
  }

  async function follow({ tenant, from, to }: Rename, transaction: Transaction): Promise<void> {
    for (const table of [...ofConnections, ...ofIntegrations]) {
      const query = kysely.updateTable(table).set({ integration: to }).where("tenant_id", "=", tenant).where("integration", "=", from)
      await transaction.change(compile(query))
    }
  }
}
