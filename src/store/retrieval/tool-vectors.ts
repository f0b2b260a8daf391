// What makes vectors of a tenant's tools, and the vectors by the content of their texts.
import type { ToolEmbeddingRows, ToolVectorRows } from "./retrieval-store.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"

export function toolEmbeddingQueries({ kysely }: Builder): (session: Session) => ToolEmbeddingRows {
  const all = (tenant: string) => kysely.selectFrom("tool_embeddings").selectAll().where("tenant_id", "=", tenant)
  const remove = (tenant: string) => kysely.deleteFrom("tool_embeddings").where("tenant_id", "=", tenant)

  return (session) => ({
    async get({ tenant }) {
      await session.lockTenant(tenant)
      const [row] = await session.all(compile(all(tenant)))
      if (row === undefined) return null
      return { id: row.embedding_id, embedding: row.embedding, createdBy: row.created_by, createdAt: row.created_at }
    },

    async put({ tenant }, { id, embedding, createdBy, createdAt }) {
      const row = { tenant_id: tenant, embedding_id: id, embedding, created_by: createdBy, created_at: createdAt }
      await atomicIn(session, tenant, async (transaction) => {
        await transaction.change(compile(remove(tenant)))
        await transaction.change(compile(kysely.insertInto("tool_embeddings").values(row)))
        transaction.bumpRevision()
      })
    },

    async remove({ tenant }) {
      return atomicIn(session, tenant, async (transaction) => {
        transaction.bumpRevision()
        return (await transaction.change(compile(remove(tenant)))) === 1
      })
    },
  })
}

export function toolVectorQueries({ kysely }: Builder): (session: Session) => ToolVectorRows {
  const mine = (tenant: string) => kysely.selectFrom("tool_vectors").where("tenant_id", "=", tenant)

  return (session) => ({
    async get({ tenant }, embeddingId, hashes) {
      if (hashes.length === 0) return []
      const query = mine(tenant).select(["hash", "vector"]).where("embedding_id", "=", embeddingId)
      return session.all(compile(query.where("hash", "in", [...hashes])))
    },

    async put({ tenant }, embeddingId, vectors, createdAt) {
      if (vectors.length === 0) return
      const current = kysely.selectFrom("tool_embeddings").select("embedding_id").where("tenant_id", "=", tenant)
      const rows = vectors.map((vector) => ({ tenant_id: tenant, embedding_id: embeddingId, created_at: createdAt, ...vector }))
      await atomicIn(session, tenant, async (transaction) => {
        const [row] = await transaction.all(compile(current))
        if (row?.embedding_id !== embeddingId) return
        const query = kysely.insertInto("tool_vectors").values(rows)
        // Another node made the same.
        await transaction.change(compile(query.onConflict((conflict) => conflict.doNothing())))
      })
    },

    async trim({ tenant }, keep) {
      await atomicIn(session, tenant, async (transaction) => {
        const order = mine(tenant).select("created_at").orderBy("created_at", "desc")
        const [oldest] = await transaction.all(compile(order.offset(keep).limit(1)))
        if (oldest === undefined) return
        const old = kysely.deleteFrom("tool_vectors").where("tenant_id", "=", tenant).where("created_at", "<=", oldest.created_at)
        await transaction.change(compile(old))
      })
    },
  })
}
