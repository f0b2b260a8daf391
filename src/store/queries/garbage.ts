// What nothing points to any more: tool sets, the schemas that only they used, and documents.
//
// It runs inside the transaction that moved the pointers, under the tenant's catalog lock: whoever is about to
// point to a set waits, and then finds it there or puts it again.
import type { Transaction } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile, prepare } from "../statement.ts"
import { chunks } from "./chunks.ts"

export function prepareCollect(builder: Builder): (transaction: Transaction, tenant: string) => Promise<void> {
  const { kysely } = builder
  const deadSets = prepare(["tenant"], ({ tenant }) =>
    kysely
      .selectFrom("tool_sets as s")
      .select("s.tool_set_id")
      .where("s.tenant_id", "=", tenant)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("connections as c").select("c.name").where("c.tenant_id", "=", tenant).whereRef("c.tool_set_id", "=", "s.tool_set_id"))),
      )
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("integrations as i").select("i.slug").where("i.tenant_id", "=", tenant).whereRef("i.tool_set_id", "=", "s.tool_set_id"))),
      ),
  )
  const deadDocuments = prepare(["tenant"], ({ tenant }) =>
    kysely
      .deleteFrom("documents")
      .where("tenant_id", "=", tenant)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("integrations as i")
              .select("i.slug")
              .where("i.tenant_id", "=", tenant)
              .whereRef("i.document_hash", "=", "documents.document_hash"),
          ),
        ),
      ),
  )

  return async (transaction, tenant) => {
    await transaction.change(deadDocuments({ tenant }))
    const dead = (await transaction.all(deadSets({ tenant }))).map((row) => row.tool_set_id)
    for (const ids of chunks(dead)) {
      // Only schemas of these sets can have become useless: looking at all would cost what the whole catalog does.
      const hashes = (await transaction.all(compile(schemasOf(tenant, ids)))).flatMap(({ hash }) => hash ?? [])
      await transaction.change(compile(kysely.deleteFrom("tool_sets").where("tenant_id", "=", tenant).where("tool_set_id", "in", ids)))
      for (const candidates of chunks(hashes)) await transaction.change(compile(uselessSchemas(tenant, candidates)))
    }
  }

  function schemasOf(tenant: string, ids: readonly string[]) {
    const tools = kysely.selectFrom("tools").where("tenant_id", "=", tenant).where("tool_set_id", "in", ids)
    const definitions = kysely.selectFrom("definitions").where("tenant_id", "=", tenant).where("tool_set_id", "in", ids)
    return tools
      .select("input_schema_hash as hash")
      .$castTo<{ hash: string | null }>()
      .union(tools.select("output_schema_hash as hash"))
      .union(definitions.select("schema_hash as hash"))
  }

  function uselessSchemas(tenant: string, hashes: readonly string[]) {
    const tool = kysely.selectFrom("tools as t").select("t.name").where("t.tenant_id", "=", tenant)
    const definition = kysely.selectFrom("definitions as d").select("d.name").where("d.tenant_id", "=", tenant)
    return kysely
      .deleteFrom("schemas")
      .where("tenant_id", "=", tenant)
      .where("schema_hash", "in", hashes)
      .where(({ not, exists }) => not(exists(tool.whereRef("t.input_schema_hash", "=", "schemas.schema_hash" as never)))) // the outer table, which the inner builder cannot know
      .where(({ not, exists }) => not(exists(tool.whereRef("t.output_schema_hash", "=", "schemas.schema_hash" as never)))) // as above
      .where(({ not, exists }) => not(exists(definition.whereRef("d.schema_hash", "=", "schemas.schema_hash" as never)))) // as above
  }
}
