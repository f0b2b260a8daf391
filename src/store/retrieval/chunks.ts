// Chunks of documents with their words and vectors, as an index holds them.
import { sql } from "kysely"
import { ExecutorError } from "../../core/errors.ts"
import type { Scope } from "../../core/principal.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import type { ChunkWrite, PipelineChunkRows } from "./retrieval-store.ts"
import type { Reader, Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"
import { chunks as pieces } from "../queries/chunks.ts"
import type { Lexical } from "./lexical.ts"
import { termsOf } from "./words.ts"

/** One insert: a few hundred kilobytes of text, and on SQLite a few milliseconds. */
const rowsPerInsert = 100
/** What a larger index has to say takes long enough to be asked beside the server's thread. */
const chunksInlineMax = 2000

export function pipelineChunkQueries(
  { kysely }: Builder,
  lexical: Lexical,
  beside: (signal: AbortSignal) => Reader | null,
): (session: Session) => PipelineChunkRows {
  const countMore = (tenant: string, indexId: string, more: number, vectorsGone: number) =>
    compile(
      kysely
        .updateTable("pipeline_indexes")
        .set({ chunk_count: sql`chunk_count + ${sql.lit(more)}`, vectors_removed: sql`vectors_removed + ${sql.lit(vectorsGone)}` })
        .where("tenant_id", "=", tenant)
        .where("index_id", "=", indexId),
    )

  const indexExists = async (reader: Reader, tenant: string, indexId: string): Promise<boolean> => {
    const query = kysely.selectFrom("pipeline_indexes").select("index_id").where("tenant_id", "=", tenant)
    return (await reader.all(compile(query.where("index_id", "=", indexId)))).length > 0
  }

  /** Answers how many chunks and vectors are gone. */
  async function removeDocument(transaction: Session, { tenant }: Scope, indexId: string, documentId: string) {
    const rows = await transaction.all(
      compile(
        kysely
          .selectFrom("pipeline_chunks")
          .select("chunk_no")
          .where("tenant_id", "=", tenant)
          .where("index_id", "=", indexId)
          .where("document_id", "=", documentId),
      ),
    )
    const numbers = rows.map((row) => Number(row.chunk_no))
    await lexical.remove(transaction, { tenant, id: indexId }, numbers)
    let vectors = 0
    for (const some of pieces(numbers)) {
      const of = (table: "pipeline_vectors" | "pipeline_chunks") =>
        compile(kysely.deleteFrom(table).where("tenant_id", "=", tenant).where("chunk_no", "in", some))
      vectors += await transaction.change(of("pipeline_vectors"))
      await transaction.change(of("pipeline_chunks"))
    }
    const indexed = kysely.deleteFrom("pipeline_indexed").where("tenant_id", "=", tenant).where("index_id", "=", indexId)
    await transaction.change(compile(indexed.where("document_id", "=", documentId)))
    return { chunks: numbers.length, vectors }
  }

  async function insertRows(
    transaction: Session,
    { tenant }: Scope,
    indexId: string,
    documentId: string,
    from: number,
    some: readonly ChunkWrite[],
  ) {
    const values = some.map(({ heading, body }, at) => ({
      tenant_id: tenant,
      index_id: indexId,
      document_id: documentId,
      position: from + at,
      heading,
      body,
    }))
    const rows = await transaction.all(compile(kysely.insertInto("pipeline_chunks").values(values).returning(["chunk_no", "position"])))
    return rows.flatMap((row) => {
      const chunk = some[row.position - from]
      return chunk === undefined ? [] : [{ ...chunk, chunkNo: Number(row.chunk_no) }]
    })
  }

  const withoutVector = (tenant: string, indexId: string) =>
    kysely
      .selectFrom("pipeline_chunks as c")
      .leftJoin("pipeline_vectors as v", (join) => join.onRef("v.tenant_id", "=", "c.tenant_id").onRef("v.chunk_no", "=", "c.chunk_no"))
      .where("c.tenant_id", "=", tenant)
      .where("c.index_id", "=", indexId)
      .where("v.chunk_no", "is", null)

  return (session) => ({
    async replace(scope, indexId, { id, revision, title, chunks }) {
      const { tenant } = scope
      await atomicIn(session, tenant, async (transaction) => {
        if (!(await indexExists(transaction, tenant, indexId))) throw new ExecutorError("conflict", "The index was removed in the meantime")
        const before = await removeDocument(transaction, scope, indexId, id)
        const slices = createTimeSlices()
        for (let from = 0; from < chunks.length; from += rowsPerInsert) {
          const rows = await insertRows(transaction, scope, indexId, id, from, chunks.slice(from, from + rowsPerInsert))
          await lexical.insert(transaction, { tenant, id: indexId }, { id, title }, rows)
          if (slices.isOver()) await slices.next()
        }
        const held = { tenant_id: tenant, index_id: indexId, document_id: id, revision, chunk_count: chunks.length }
        await transaction.change(compile(kysely.insertInto("pipeline_indexed").values(held)))
        await transaction.change(countMore(tenant, indexId, chunks.length - before.chunks, before.vectors))
      })
    },

    async remove(scope, indexId, documentId) {
      await atomicIn(session, scope.tenant, async (transaction) => {
        const gone = await removeDocument(transaction, scope, indexId, documentId)
        await transaction.change(countMore(scope.tenant, indexId, -gone.chunks, gone.vectors))
      })
    },

    async search({ tenant }, { id, chunkCount }, { text, documents, limit, signal }) {
      const terms = termsOf(text)
      if (terms.length === 0 || documents?.length === 0 || !(await indexExists(session, tenant, id))) return []
      const reader = (chunkCount > chunksInlineMax ? beside(signal) : null) ?? session
      return lexical.search(reader, { tenant, id, chunkCount }, { terms, documents, limit })
    },

    async withoutVector({ tenant }, indexId, page) {
      const query = withoutVector(tenant, indexId)
        .innerJoin("pipeline_indexes as i", (join) => join.onRef("i.tenant_id", "=", "c.tenant_id").onRef("i.index_id", "=", "c.index_id"))
        .innerJoin("pipeline_documents as d", (join) =>
          join
            .onRef("d.tenant_id", "=", "c.tenant_id")
            .onRef("d.pipeline_id", "=", "i.pipeline_id")
            .onRef("d.document_id", "=", "c.document_id"),
        )
        .select(["c.chunk_no", "c.heading", "c.body", "d.title"])
        .where("c.chunk_no", ">", page.after ?? 0)
      const rows = await session.all(compile(query.orderBy("c.chunk_no").limit(page.limit)))
      return rows.map(({ chunk_no, heading, body, title }) => ({ chunkNo: Number(chunk_no), heading, body, title }))
    },

    async countWithoutVector({ tenant }, indexId) {
      await session.lockTenant(tenant)
      const [row] = await session.all(compile(withoutVector(tenant, indexId).select((select) => select.fn.countAll().as("count"))))
      return Number(row?.count ?? 0)
    },

    async putVectors({ tenant }, indexId, vectors) {
      await atomicIn(session, tenant, async (transaction) => {
        for (const some of pieces(vectors)) {
          const numbers = some.map(({ chunkNo }) => chunkNo)
          const query = withoutVector(tenant, indexId).select(["c.chunk_no", "c.document_id"]).where("c.chunk_no", "in", numbers)
          const owners = new Map((await transaction.all(compile(query))).map((row) => [Number(row.chunk_no), row.document_id]))
          const rows = some.flatMap(({ chunkNo, vector }) => {
            const document_id = owners.get(chunkNo)
            return document_id === undefined ? [] : [{ tenant_id: tenant, index_id: indexId, document_id, chunk_no: chunkNo, vector }]
          })
          if (rows.length > 0) await transaction.change(compile(kysely.insertInto("pipeline_vectors").values(rows)))
        }
      })
    },

    async vectors({ tenant }, indexId, page) {
      const query = kysely
        .selectFrom("pipeline_vectors")
        .select(["vector_no", "chunk_no", "document_id", "vector"])
        .where("tenant_id", "=", tenant)
        .where("index_id", "=", indexId)
        .where("vector_no", ">", page.after ?? 0)
      return (await session.all(compile(query.orderBy("vector_no").limit(page.limit)))).map((row) => ({
        vectorNo: Number(row.vector_no),
        chunkNo: Number(row.chunk_no),
        documentId: row.document_id,
        vector: row.vector,
      }))
    },

    async get({ tenant }, { id, pipelineId }, numbers) {
      if (numbers.length === 0) return []
      const query = kysely
        .selectFrom("pipeline_chunks as c")
        .innerJoin("pipeline_documents as d", (join) =>
          join.onRef("d.tenant_id", "=", "c.tenant_id").on("d.pipeline_id", "=", pipelineId).onRef("d.document_id", "=", "c.document_id"),
        )
        .select(["c.chunk_no", "c.document_id", "c.position", "c.heading", "c.body", "d.title", "d.source"])
        .where("c.tenant_id", "=", tenant)
        .where("c.index_id", "=", id)
        .where("c.chunk_no", "in", [...numbers])
      return (await session.all(compile(query))).map((row) => ({
        chunkNo: Number(row.chunk_no),
        documentId: row.document_id,
        position: row.position,
        heading: row.heading,
        body: row.body,
        title: row.title,
        source: row.source,
      }))
    },
  })
}
