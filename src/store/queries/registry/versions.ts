// The versions of registry tools: snapshots that are written once.
import { ExecutorError } from "../../../core/errors.ts"
import type { ToolVersionRow, ToolVersionRows } from "../../registry-store.ts"
import type { ToolVersionsTable } from "./tables.ts"
import type { Session } from "../../session.ts"
import { atomicIn } from "../../session.ts"
import type { Builder } from "../../statement.ts"
import { compile } from "../../statement.ts"
import { chunks } from "../chunks.ts"

export function toolVersionQueries({ kysely }: Builder): (session: Session) => ToolVersionRows {
  const all = (tenant: string, toolId: string) =>
    kysely.selectFrom("tool_versions").selectAll().where("tenant_id", "=", tenant).where("tool_id", "=", toolId)

  return (session) => ({
    async get({ tenant }, toolId, version) {
      await session.lockTenant(tenant)
      const [row] = await session.all(compile(all(tenant, toolId).where("version", "=", version)))
      return row ? readVersion(row) : null
    },

    async published({ tenant }, toolIds) {
      await session.lockTenant(tenant)
      const rows: ToolVersionRow[] = []
      for (const ids of chunks(toolIds)) {
        const query = kysely
          .selectFrom("tool_registry as t")
          .innerJoin("tool_versions as v", (join) =>
            join
              .onRef("v.tenant_id", "=", "t.tenant_id")
              .onRef("v.tool_id", "=", "t.tool_id")
              .onRef("v.version", "=", "t.published_version"),
          )
          .selectAll("v")
          .where("t.tenant_id", "=", tenant)
          .where("t.tool_id", "in", ids)
        rows.push(...(await session.all(compile(query))).map(readVersion))
      }
      return rows
    },

    async list({ tenant }, toolId, page) {
      await session.lockTenant(tenant)
      const query = page.after === null ? all(tenant, toolId) : all(tenant, toolId).where("position", "<", page.after)
      return (await session.all(compile(query.orderBy("position", "desc").limit(page.limit)))).map(readVersion)
    },

    async add({ tenant }, row) {
      return atomicIn(session, tenant, async (transaction) => {
        const [same] = await transaction.all(compile(all(tenant, row.toolId).where("version", "=", row.version)))
        if (same) throw new ExecutorError("conflict", `Version ${row.version} of this tool exists already`)
        const [last] = await transaction.all(compile(all(tenant, row.toolId).orderBy("position", "desc").limit(1)))
        const position = (last?.position ?? 0) + 1
        await transaction.change(compile(kysely.insertInto("tool_versions").values(writeVersion(tenant, { ...row, position }))))
        return position
      })
    },
  })
}

const readVersion = (row: ToolVersionsTable): ToolVersionRow => ({
  toolId: row.tool_id,
  version: row.version,
  position: row.position,
  snapshot: row.schema_snapshot,
  hash: row.hash,
  by: row.made_by,
  at: row.made_at,
  reason: row.reason,
})

const writeVersion = (tenant: string, row: ToolVersionRow): ToolVersionsTable => ({
  tenant_id: tenant,
  tool_id: row.toolId,
  version: row.version,
  position: row.position,
  schema_snapshot: row.snapshot,
  hash: row.hash,
  made_by: row.by,
  made_at: row.at,
  reason: row.reason,
})
