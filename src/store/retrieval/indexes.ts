// The indexes of pipelines: what each is made of, what is left to do for it, and who does it.
import type { Scope } from "../../core/principal.ts"
import type { IndexState, PipelineIndexRow, PipelineIndexRows } from "./retrieval-store.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"
import type { Lexical } from "./lexical.ts"
import type { PipelineIndexesTable } from "./tables.ts"

/** Each piece holds the database for a moment only. */
const erasedPerPiece = 500

export function pipelineIndexQueries({ kysely }: Builder, lexical: Lexical): (session: Session) => PipelineIndexRows {
  const all = (tenant: string) => kysely.selectFrom("pipeline_indexes").selectAll().where("tenant_id", "=", tenant)
  const change = (tenant: string, id: string) =>
    kysely.updateTable("pipeline_indexes").where("tenant_id", "=", tenant).where("index_id", "=", id)
  const free = { lease_owner: null, lease_until: null }

  async function eraseSome(transaction: Session, { tenant }: Scope, id: string): Promise<boolean> {
    const rows = await transaction.all(
      compile(
        kysely
          .selectFrom("pipeline_chunks")
          .select("chunk_no")
          .where("tenant_id", "=", tenant)
          .where("index_id", "=", id)
          .limit(erasedPerPiece),
      ),
    )
    if (rows.length === 0) return false
    const numbers = rows.map((row) => Number(row.chunk_no))
    await lexical.remove(transaction, { tenant, id }, numbers)
    for (const table of ["pipeline_vectors", "pipeline_chunks"] as const)
      await transaction.change(compile(kysely.deleteFrom(table).where("tenant_id", "=", tenant).where("chunk_no", "in", numbers)))
    return true
  }

  return (session) => ({
    async get({ tenant }, id) {
      await session.lockTenant(tenant)
      const [row] = await session.all(compile(all(tenant).where("index_id", "=", id)))
      return row ? readIndex(row) : null
    },

    async ofPipeline({ tenant }, pipelineId) {
      await session.lockTenant(tenant)
      return (await session.all(compile(all(tenant).where("pipeline_id", "=", pipelineId).orderBy("index_id")))).map(readIndex)
    },

    create({ tenant }, index) {
      const row: PipelineIndexesTable = {
        tenant_id: tenant,
        index_id: index.id,
        pipeline_id: index.pipelineId,
        chunk_tokens: index.chunkTokens,
        chunk_overlap: index.chunkOverlap,
        embedding: index.embedding,
        state: index.state,
        chunk_count: 0,
        vectors_removed: 0,
        has_work: index.hasWork ? 1 : 0,
        ...free,
        retry_at: null,
        error: null,
        created_at: index.createdAt,
      }
      return atomicIn(session, tenant, async (transaction) => {
        await transaction.change(compile(kysely.insertInto("pipeline_indexes").values(row)))
        await lexical.create(transaction, { tenant, id: index.id })
      })
    },

    async setState({ tenant }, id, state: IndexState) {
      await atomicIn(session, tenant, async (transaction) => {
        await transaction.change(compile(change(tenant, id).set({ state, has_work: 1, retry_at: null })))
      })
    },

    async claim({ owner, until }, now, except = []) {
      const withWork = kysely.selectFrom("pipeline_indexes").selectAll().where("has_work", "=", 1)
      const candidates = (except.length === 0 ? withWork : withWork.where("tenant_id", "not in", [...except]))
        .where((where) => where.or([where("lease_until", "is", null), where("lease_until", "<", now)]))
        .where((where) => where.or([where("retry_at", "is", null), where("retry_at", "<=", now)]))
        .orderBy("created_at")
        .limit(20)
      for (const row of await session.all(compile(candidates))) {
        // Of several that saw it free, one finds it so.
        const isFree = change(row.tenant_id, row.index_id)
          .where("has_work", "=", 1)
          .where((where) => where.or([where("lease_until", "is", null), where("lease_until", "<", now)]))
        const changed = await session.change(compile(isFree.set({ lease_owner: owner, lease_until: until })))
        if (changed === 1) return { scope: { tenant: row.tenant_id, user: "" }, index: { ...readIndex(row), leaseUntil: until } }
      }
      return null
    },

    async renew({ tenant }, id, { owner, until }) {
      return (await session.change(compile(change(tenant, id).where("lease_owner", "=", owner).set({ lease_until: until })))) === 1
    },

    async release({ tenant }, id, owner, { hasWork, retryAt, error }) {
      const left = { ...free, has_work: hasWork ? 1 : 0, retry_at: retryAt, error }
      await session.change(compile(change(tenant, id).where("lease_owner", "=", owner).set(left)))
    },

    async releaseAll(owner) {
      await session.change(compile(kysely.updateTable("pipeline_indexes").set(free).where("lease_owner", "=", owner)))
    },

    async unindexed({ tenant }, { id, pipelineId }, limit) {
      await session.lockTenant(tenant)
      const query = kysely
        .selectFrom("pipeline_documents as d")
        .leftJoin("pipeline_indexed as i", (join) =>
          join
            .onRef("i.tenant_id", "=", "d.tenant_id")
            .on("i.index_id", "=", id)
            .onRef("i.document_id", "=", "d.document_id")
            .onRef("i.revision", "=", "d.revision"),
        )
        .where("d.tenant_id", "=", tenant)
        .where("d.pipeline_id", "=", pipelineId)
        .where("i.document_id", "is", null)
      const [counted] = await session.all(compile(query.select((select) => select.fn.countAll().as("count"))))
      const rows = await session.all(compile(query.select("d.document_id").orderBy("d.document_id").limit(limit)))
      return { ids: rows.map((row) => row.document_id), count: Number(counted?.count ?? 0) }
    },

    erase(scope, id) {
      const { tenant } = scope
      const rest = (table: "pipeline_indexed" | "pipeline_indexes") =>
        compile(kysely.deleteFrom(table).where("tenant_id", "=", tenant).where("index_id", "=", id))
      return atomicIn(session, tenant, async (transaction) => {
        const [index] = await transaction.all(compile(all(tenant).where("index_id", "=", id)))
        if (index?.state !== "retired") return false
        if (await eraseSome(transaction, scope, id)) return true
        await lexical.drop(transaction, { tenant, id })
        await transaction.change(rest("pipeline_indexed"))
        await transaction.change(rest("pipeline_indexes"))
        return false
      })
    },
  })
}

const readIndex = (row: PipelineIndexesTable): PipelineIndexRow => ({
  id: row.index_id,
  pipelineId: row.pipeline_id,
  chunkTokens: row.chunk_tokens,
  chunkOverlap: row.chunk_overlap,
  embedding: row.embedding,
  state: row.state,
  chunkCount: row.chunk_count,
  vectorsRemoved: row.vectors_removed,
  hasWork: row.has_work === 1,
  error: row.error,
  leaseUntil: row.lease_until,
  createdAt: row.created_at,
})
