// What makes vectors of a tenant's tools, and the vectors, by the content of their texts.
import type { Migration } from "../migration.ts"

export const toolVectors: Migration = {
  version: 38,
  name: "tool vectors",
  statements: ({ text, bytes }) => [
    `create table tool_embeddings (
      tenant_id ${text} not null,
      embedding_id ${text} not null,
      embedding ${text} not null,
      created_by ${text} not null,
      created_at ${text} not null,
      primary key (tenant_id),
      foreign key (tenant_id) references tenants on delete cascade
    )`,
    `create table tool_vectors (
      tenant_id ${text} not null,
      embedding_id ${text} not null,
      hash ${text} not null,
      vector ${bytes} not null,
      created_at ${text} not null,
      primary key (tenant_id, embedding_id, hash),
      foreign key (tenant_id) references tool_embeddings on delete cascade
    )`,
    `create index tool_vectors_by_age on tool_vectors (tenant_id, created_at)`,
  ],
}
