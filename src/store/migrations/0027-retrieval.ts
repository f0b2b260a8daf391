// Retrieval: pipelines, their documents, and the indexes that are made of them.
//
// Words are searched in the way that each database does best: an FTS5 table for each index on SQLite, which
// `retrieval/lexical-sqlite.ts` makes, and one table with a GIN index on PostgreSQL.
import type { Migration, MigrationTarget } from "../migration.ts"

export const retrieval: Migration = {
  version: 27,
  name: "retrieval",
  statements: (target) => [...shared(target), ...(target.dialect === "sqlite" ? onSqlite(target) : onPostgres(target))],
}

const shared = ({ text, bytes }: MigrationTarget): readonly string[] => [
  `create table pipelines (
    tenant_id ${text} not null,
    pipeline_id ${text} not null,
    slug ${text} not null,
    name ${text} not null,
    chunk_tokens integer not null,
    chunk_overlap integer not null,
    embedding ${text},
    index_id ${text} not null,
    created_by ${text} not null,
    created_at ${text} not null,
    updated_at ${text} not null,
    primary key (tenant_id, pipeline_id),
    foreign key (tenant_id) references tenants on delete cascade
  )`,
  `create unique index pipelines_by_slug on pipelines (tenant_id, slug)`,
  // Of a pipeline that was removed, its indexes stay until their rows are gone.
  `create table pipeline_indexes (
    tenant_id ${text} not null,
    index_id ${text} not null,
    pipeline_id ${text} not null,
    chunk_tokens integer not null,
    chunk_overlap integer not null,
    embedding ${text},
    state ${text} not null,
    chunk_count integer not null,
    vectors_removed integer not null,
    has_work integer not null,
    lease_owner ${text},
    lease_until ${text},
    retry_at ${text},
    error ${text},
    created_at ${text} not null,
    primary key (tenant_id, index_id),
    foreign key (tenant_id) references tenants on delete cascade
  )`,
  `create index pipeline_indexes_by_pipeline on pipeline_indexes (tenant_id, pipeline_id)`,
  `create index pipeline_indexes_with_work on pipeline_indexes (has_work, created_at)`,
  `create table pipeline_documents (
    tenant_id ${text} not null,
    pipeline_id ${text} not null,
    document_id ${text} not null,
    source ${text},
    title ${text} not null,
    format ${text} not null,
    revision ${text} not null,
    hash ${text} not null,
    bytes integer not null,
    content ${bytes} not null,
    created_at ${text} not null,
    updated_at ${text} not null,
    primary key (tenant_id, pipeline_id, document_id),
    foreign key (tenant_id, pipeline_id) references pipelines on delete cascade
  )`,
  `create unique index pipeline_documents_by_source on pipeline_documents (tenant_id, pipeline_id, source)`,
  // Which revision of a document an index holds: what is missing here is left to be indexed, also after a crash.
  `create table pipeline_indexed (
    tenant_id ${text} not null,
    index_id ${text} not null,
    document_id ${text} not null,
    revision ${text} not null,
    chunk_count integer not null,
    primary key (tenant_id, index_id, document_id)
  )`,
]

const onSqlite = ({ text, bytes }: MigrationTarget): readonly string[] => [
  `create table pipeline_chunks (
    chunk_no integer primary key autoincrement,
    tenant_id ${text} not null,
    index_id ${text} not null,
    document_id ${text} not null,
    position integer not null,
    heading ${text} not null,
    body ${text} not null
  )`,
  `create unique index pipeline_chunks_in_order on pipeline_chunks (tenant_id, index_id, document_id, position)`,
  `create table pipeline_vectors (
    vector_no integer primary key autoincrement,
    tenant_id ${text} not null,
    index_id ${text} not null,
    document_id ${text} not null,
    chunk_no integer not null,
    vector ${bytes} not null
  )`,
  `create index pipeline_vectors_in_order on pipeline_vectors (tenant_id, index_id, vector_no)`,
  `create unique index pipeline_vectors_by_chunk on pipeline_vectors (tenant_id, chunk_no)`,
]

const onPostgres = ({ text, bytes }: MigrationTarget): readonly string[] => [
  `create table pipeline_chunks (
    tenant_id ${text} not null,
    chunk_no bigint generated always as identity,
    index_id ${text} not null,
    document_id ${text} not null,
    position integer not null,
    heading ${text} not null,
    body ${text} not null,
    primary key (tenant_id, chunk_no)
  )`,
  `create unique index pipeline_chunks_in_order on pipeline_chunks (tenant_id, index_id, document_id, position)`,
  `create table pipeline_vectors (
    tenant_id ${text} not null,
    vector_no bigint generated always as identity,
    index_id ${text} not null,
    document_id ${text} not null,
    chunk_no bigint not null,
    vector ${bytes} not null,
    primary key (tenant_id, index_id, vector_no)
  )`,
  `create unique index pipeline_vectors_by_chunk on pipeline_vectors (tenant_id, chunk_no)`,
  // Stems without a list of words to leave out, as FTS5 has none.
  `create text search dictionary executor_stem (template = snowball, language = english)`,
  `create text search configuration executor_words (copy = simple)`,
  `alter text search configuration executor_words alter mapping for asciiword, word with executor_stem`,
  // Ranking reads the words of many rows: they stay in the row, uncompressed.
  `create table pipeline_words (
    tenant_id ${text} not null,
    chunk_no bigint not null,
    document_id ${text} not null,
    words tsvector not null,
    primary key (tenant_id, chunk_no)
  ) with (toast_tuple_target = 8160)`,
  `alter table pipeline_words alter column words set storage main`,
  `create index pipeline_words_inverted on pipeline_words using gin (words)`,
]
