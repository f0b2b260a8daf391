// The agents of a tenant, and the snapshots of their versions.
import { ExecutorError } from "../../core/errors.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"
import type { AgentRow, AgentRows, AgentVersionRow, AgentVersionRows } from "./agent-store.ts"
import type { AgentVersionsTable, AgentsTable } from "./tables.ts"

export function agentQueries({ kysely }: Builder): (session: Session) => AgentRows {
  const all = (tenant: string) => kysely.selectFrom("agents").selectAll().where("tenant_id", "=", tenant)

  return (session) => ({
    async find({ tenant }, ref) {
      await session.lockTenant(tenant)
      const query = all(tenant).where((where) => where.or([where("agent_id", "=", ref), where("slug", "=", ref)]))
      const rows = await session.all(compile(query))
      // A slug may look like the id of another one.
      const found = rows.find((row) => row.agent_id === ref) ?? rows[0]
      return found ? readAgent(found) : null
    },

    async list({ tenant }, page) {
      await session.lockTenant(tenant)
      const query = all(tenant).where("slug", ">", page.after ?? "")
      return (await session.all(compile(query.orderBy("slug").limit(page.limit)))).map(readAgent)
    },

    async put({ tenant }, agent) {
      const row = writeAgent(tenant, agent)
      const { tenant_id: _tenant, agent_id: _id, ...changes } = row
      await atomicIn(session, tenant, async (transaction) => {
        const [same] = await transaction.all(compile(all(tenant).where("slug", "=", agent.slug).where("agent_id", "!=", agent.id)))
        if (same) throw new ExecutorError("conflict", `There already is an agent '${agent.slug}'; choose another slug`)
        const query = kysely.insertInto("agents").values(row)
        await transaction.change(compile(query.onConflict((conflict) => conflict.columns(["tenant_id", "agent_id"]).doUpdateSet(changes))))
      })
    },

    async remove({ tenant }, id) {
      const query = kysely.deleteFrom("agents").where("tenant_id", "=", tenant).where("agent_id", "=", id)
      return atomicIn(session, tenant, async (transaction) => (await transaction.change(compile(query))) === 1)
    },
  })
}

export function agentVersionQueries({ kysely }: Builder): (session: Session) => AgentVersionRows {
  const all = (tenant: string, agentId: string) =>
    kysely.selectFrom("agent_versions").selectAll().where("tenant_id", "=", tenant).where("agent_id", "=", agentId)

  return (session) => ({
    async get({ tenant }, agentId, version) {
      await session.lockTenant(tenant)
      const [row] = await session.all(compile(all(tenant, agentId).where("version", "=", version)))
      return row ? readVersion(row) : null
    },

    async list({ tenant }, agentId, page) {
      await session.lockTenant(tenant)
      const query = page.after === null ? all(tenant, agentId) : all(tenant, agentId).where("position", "<", page.after)
      return (await session.all(compile(query.orderBy("position", "desc").limit(page.limit)))).map(readVersion)
    },

    async add({ tenant }, row) {
      return atomicIn(session, tenant, async (transaction) => {
        const [same] = await transaction.all(compile(all(tenant, row.agentId).where("version", "=", row.version)))
        if (same) throw new ExecutorError("conflict", `Version ${row.version} of this agent exists already`)
        const [last] = await transaction.all(compile(all(tenant, row.agentId).orderBy("position", "desc").limit(1)))
        const position = (last?.position ?? 0) + 1
        await transaction.change(compile(kysely.insertInto("agent_versions").values(writeVersion(tenant, { ...row, position }))))
        return position
      })
    },
  })
}

const readAgent = (row: AgentsTable): AgentRow => ({
  id: row.agent_id,
  slug: row.slug,
  definition: row.definition,
  status: row.status,
  version: row.version,
  publishedVersion: row.published_version,
  publishedAt: row.published_at,
  contentHash: row.content_hash,
  publishedHash: row.published_hash,
  writtenBy: row.written_by,
  createdBy: row.created_by,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const writeAgent = (tenant: string, row: AgentRow): AgentsTable => ({
  tenant_id: tenant,
  agent_id: row.id,
  slug: row.slug,
  definition: row.definition,
  status: row.status,
  version: row.version,
  published_version: row.publishedVersion,
  published_at: row.publishedAt,
  content_hash: row.contentHash,
  published_hash: row.publishedHash,
  written_by: row.writtenBy,
  created_by: row.createdBy,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
})

const readVersion = (row: AgentVersionsTable): AgentVersionRow => ({
  agentId: row.agent_id,
  version: row.version,
  position: row.position,
  snapshot: row.snapshot,
  hash: row.hash,
  writtenBy: row.written_by,
  by: row.made_by,
  at: row.made_at,
  reason: row.reason,
})

const writeVersion = (tenant: string, row: AgentVersionRow): AgentVersionsTable => ({
  tenant_id: tenant,
  agent_id: row.agentId,
  version: row.version,
  position: row.position,
  snapshot: row.snapshot,
  hash: row.hash,
  written_by: row.writtenBy,
  made_by: row.by,
  made_at: row.at,
  reason: row.reason,
})
