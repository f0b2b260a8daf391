// Pipelines by id and slug.
import { ExecutorError } from "../../core/errors.ts"
import type { PipelineRow, PipelineRows } from "./retrieval-store.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"
import type { PipelinesTable } from "./tables.ts"

export function pipelineQueries({ kysely }: Builder): (session: Session) => PipelineRows {
  const all = (tenant: string) => kysely.selectFrom("pipelines").selectAll().where("tenant_id", "=", tenant)

  return (session) => ({
    async get({ tenant }, id) {
      await session.lockTenant(tenant)
      const [row] = await session.all(compile(all(tenant).where("pipeline_id", "=", id)))
      return row ? readPipeline(row) : null
    },

    async findBySlug({ tenant }, slug) {
      await session.lockTenant(tenant)
      const [row] = await session.all(compile(all(tenant).where("slug", "=", slug)))
      return row ? readPipeline(row) : null
    },

    async list({ tenant }, page) {
      await session.lockTenant(tenant)
      const query = all(tenant).where("slug", ">", page.after ?? "")
      return (await session.all(compile(query.orderBy("slug").limit(page.limit)))).map(readPipeline)
    },

    async put({ tenant }, pipeline) {
      const row = writePipeline(tenant, pipeline)
      const { tenant_id: _tenant, pipeline_id: _id, ...changes } = row
      const query = kysely.insertInto("pipelines").values(row)
      await atomicIn(session, tenant, async (transaction) => {
        const others = all(tenant).where("slug", "=", pipeline.slug).where("pipeline_id", "!=", pipeline.id)
        if ((await transaction.all(compile(others))).length > 0)
          throw new ExecutorError("conflict", `Another pipeline has the slug '${pipeline.slug}' already; choose another one`)
        await transaction.change(
          compile(query.onConflict((conflict) => conflict.columns(["tenant_id", "pipeline_id"]).doUpdateSet(changes))),
        )
      })
    },

    remove({ tenant }, id) {
      const query = kysely.deleteFrom("pipelines").where("tenant_id", "=", tenant).where("pipeline_id", "=", id)
      const retire = kysely
        .updateTable("pipeline_indexes")
        .set({ state: "retired", has_work: 1, retry_at: null })
        .where("tenant_id", "=", tenant)
        .where("pipeline_id", "=", id)
      return atomicIn(session, tenant, async (transaction) => {
        if ((await transaction.change(compile(query))) === 0) return false
        await transaction.change(compile(retire))
        return true
      })
    },
  })
}

const readPipeline = (row: PipelinesTable): PipelineRow => ({
  id: row.pipeline_id,
  slug: row.slug,
  name: row.name,
  chunkTokens: row.chunk_tokens,
  chunkOverlap: row.chunk_overlap,
  embedding: row.embedding,
  indexId: row.index_id,
  createdBy: row.created_by,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const writePipeline = (tenant: string, row: PipelineRow): PipelinesTable => ({
  tenant_id: tenant,
  pipeline_id: row.id,
  slug: row.slug,
  name: row.name,
  chunk_tokens: row.chunkTokens,
  chunk_overlap: row.chunkOverlap,
  embedding: row.embedding,
  index_id: row.indexId,
  created_by: row.createdBy,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
})
