// The documents of pipelines.
import { sql } from "kysely"
import type { PipelineDocumentRow, PipelineDocumentRows } from "./retrieval-store.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"
import type { PipelineDocumentsTable } from "./tables.ts"

const columns = ["document_id", "source", "title", "format", "revision", "hash", "bytes", "created_at", "updated_at"] as const

export function pipelineDocumentQueries({ kysely }: Builder): (session: Session) => PipelineDocumentRows {
  const all = (tenant: string, pipelineId: string) =>
    kysely.selectFrom("pipeline_documents").where("tenant_id", "=", tenant).where("pipeline_id", "=", pipelineId)

  return (session) => ({
    async get({ tenant }, pipelineId, id) {
      await session.lockTenant(tenant)
      const [row] = await session.all(compile(all(tenant, pipelineId).select(columns).where("document_id", "=", id)))
      return row ? readDocument(row) : null
    },

    async findBySource({ tenant }, pipelineId, source) {
      await session.lockTenant(tenant)
      const [row] = await session.all(compile(all(tenant, pipelineId).select(columns).where("source", "=", source)))
      return row ? readDocument(row) : null
    },

    async list({ tenant }, pipelineId, page) {
      await session.lockTenant(tenant)
      const after = all(tenant, pipelineId)
        .select(columns)
        .where("document_id", ">", page.after ?? "")
      const query = page.query === undefined ? after : after.where(contains(page.query))
      return (await session.all(compile(query.orderBy("document_id").limit(page.limit)))).map(readDocument)
    },

    async match({ tenant }, pipelineId, { ids, sourcePrefix, titlePrefix }, limit) {
      let query = all(tenant, pipelineId).select("document_id")
      if (ids !== undefined) query = query.where("document_id", "in", ids.length === 0 ? [""] : [...ids])
      if (sourcePrefix !== undefined) query = query.where(startsWith("source", sourcePrefix))
      if (titlePrefix !== undefined) query = query.where(startsWith("title", titlePrefix))
      return (await session.all(compile(query.orderBy("document_id").limit(limit)))).map((row) => row.document_id)
    },

    async count({ tenant }, pipelineId) {
      const query = all(tenant, pipelineId).select((select) => select.fn.countAll().as("count"))
      return Number((await session.all(compile(query)))[0]?.count ?? 0)
    },

    async content({ tenant }, pipelineId, id) {
      const [row] = await session.all(compile(all(tenant, pipelineId).select("content").where("document_id", "=", id)))
      return row?.content ?? null
    },

    async put({ tenant }, pipelineId, document, content) {
      const row = writeDocument(tenant, pipelineId, document, content)
      const { tenant_id: _tenant, pipeline_id: _pipeline, document_id: _id, ...changes } = row
      const query = kysely.insertInto("pipeline_documents").values(row)
      await atomicIn(session, tenant, async (transaction) => {
        await transaction.change(
          compile(query.onConflict((conflict) => conflict.columns(["tenant_id", "pipeline_id", "document_id"]).doUpdateSet(changes))),
        )
      })
    },

    remove({ tenant }, pipelineId, id) {
      const query = kysely
        .deleteFrom("pipeline_documents")
        .where("tenant_id", "=", tenant)
        .where("pipeline_id", "=", pipelineId)
        .where("document_id", "=", id)
      return atomicIn(session, tenant, async (transaction) => (await transaction.change(compile(query))) === 1)
    },
  })
}

/** Not `like`, to which some characters of the prefix would mean more. */
const startsWith = (column: "source" | "title", prefix: string) =>
  sql<boolean>`substr(${sql.ref(column)}, 1, ${sql.lit(Array.from(prefix).length)}) = ${prefix}`

/** In `like`, some characters mean more unless they are escaped. */
function contains(text: string) {
  const pattern = `%${text.replaceAll(/[!%_]/g, "!$&")}%`
  return sql<boolean>`(lower(title) like lower(${pattern}) escape '!' or lower(coalesce(source, '')) like lower(${pattern}) escape '!')`
}

const readDocument = (row: Pick<PipelineDocumentsTable, (typeof columns)[number]>): PipelineDocumentRow => ({
  id: row.document_id,
  source: row.source,
  title: row.title,
  format: row.format,
  revision: row.revision,
  hash: row.hash,
  bytes: row.bytes,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const writeDocument = (tenant: string, pipelineId: string, row: PipelineDocumentRow, content: Uint8Array): PipelineDocumentsTable => ({
  tenant_id: tenant,
  pipeline_id: pipelineId,
  document_id: row.id,
  source: row.source,
  title: row.title,
  format: row.format,
  revision: row.revision,
  hash: row.hash,
  bytes: row.bytes,
  content,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
})
