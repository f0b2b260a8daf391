// What nothing points to any more: tool sets, the schemas that only they used, and documents.
//
// It runs inside the transaction that moved the pointers, under the tenant's catalog lock: whoever is about to
// point to a set waits, and then finds it there or puts it again.
import type { Transaction } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile, prepare } from "../statement.ts"
import { chunks } from "./chunks.ts"

export function prepareCollect(builder: Builder): (transaction: Transaction, tenant: string) => Promise<void> {
  const deadSets = prepareDeadSets(builder)
  const dropDocuments = prepareDropDocuments(builder)

  return async (transaction, tenant) => {
    await transaction.change(dropDocuments({ tenant }))
    const dead = (await transaction.all(deadSets({ tenant }))).map((row) => row.tool_set_id)
    for (const ids of chunks(dead)) {
      // Only schemas of these sets can have become useless: looking at all would cost what the whole catalog does.
      const hashes = new Set((await transaction.all(compile(schemasOf(builder, tenant, ids)))).flatMap(({ hash }) => hash ?? []))
      await transaction.change(compile(dropSets(builder, tenant, ids)))
      for (const candidates of chunks([...hashes])) await transaction.change(compile(dropUnused(builder, tenant, candidates)))
    }
  }
}

const prepareDeadSets = ({ kysely }: Builder) =>
  prepare(["tenant"], ({ tenant }) =>
    kysely
      .selectFrom("tool_sets as s")
      .select("s.tool_set_id")
      .where("s.tenant_id", "=", tenant)
      .where((where) => {
        const connection = where.selectFrom("connections as c").select("c.name").where("c.tenant_id", "=", tenant)
        return where.not(where.exists(connection.whereRef("c.tool_set_id", "=", "s.tool_set_id")))
      })
      .where((where) => {
        const integration = where.selectFrom("integrations as i").select("i.slug").where("i.tenant_id", "=", tenant)
        return where.not(where.exists(integration.whereRef("i.tool_set_id", "=", "s.tool_set_id")))
      }),
  )

const prepareDropDocuments = ({ kysely }: Builder) =>
  prepare(["tenant"], ({ tenant }) =>
    kysely
      .deleteFrom("documents")
      .where("tenant_id", "=", tenant)
      .where((where) => {
        const integration = where.selectFrom("integrations as i").select("i.slug").where("i.tenant_id", "=", tenant)
        return where.not(where.exists(integration.whereRef("i.document_hash", "=", "documents.document_hash")))
      }),
  )

/** With repetitions: taking them out in SQL lets SQLite walk the whole catalog in the order of hashes. */
function schemasOf({ kysely }: Builder, tenant: string, ids: readonly string[]) {
  const tools = kysely.selectFrom("tools").where("tenant_id", "=", tenant).where("tool_set_id", "in", ids)
  const definitions = kysely.selectFrom("definitions").where("tenant_id", "=", tenant).where("tool_set_id", "in", ids)
  return tools
    .select("output_schema_hash as hash")
    .unionAll(tools.select("input_schema_hash as hash"))
    .unionAll(definitions.select("schema_hash as hash"))
}

/** Tools and definitions go with their set. */
const dropSets = ({ kysely }: Builder, tenant: string, ids: readonly string[]) =>
  kysely.deleteFrom("tool_sets").where("tenant_id", "=", tenant).where("tool_set_id", "in", ids)

function dropUnused({ kysely }: Builder, tenant: string, hashes: readonly string[]) {
  return kysely
    .deleteFrom("schemas")
    .where("tenant_id", "=", tenant)
    .where("schema_hash", "in", hashes)
    .where((where) => {
      const tool = where.selectFrom("tools as t").select("t.name").where("t.tenant_id", "=", tenant)
      const definition = where.selectFrom("definitions as d").select("d.name").where("d.tenant_id", "=", tenant)
      return where.and([
        where.not(where.exists(tool.whereRef("t.input_schema_hash", "=", "schemas.schema_hash"))),
        where.not(where.exists(tool.whereRef("t.output_schema_hash", "=", "schemas.schema_hash"))),
        where.not(where.exists(definition.whereRef("d.schema_hash", "=", "schemas.schema_hash"))),
      ])
    })
}
