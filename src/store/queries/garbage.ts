// What nothing points to any more: tool sets, the schemas that only they used, and documents.
//
// It runs inside the transaction that moved the pointers, under the tenant's catalog lock: whoever is about to
// point to a set waits, and then finds it there or puts it again.
import type { Transaction } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile, prepare } from "../statement.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import type { TimeSlices } from "../../io/time-slices.ts"
import { chunks } from "./chunks.ts"

const rowsPerStep = 500

export function prepareCollect(builder: Builder): (transaction: Transaction, tenant: string) => Promise<void> {
  const deadSets = prepareDeadSets(builder)
  const dropDocuments = prepareDropDocuments(builder)

  return async (transaction, tenant) => {
    await transaction.change(dropDocuments({ tenant }))
    const dead = (await transaction.all(deadSets({ tenant }))).map((row) => row.tool_set_id)
    // Only schemas of these sets can have become useless: looking at all would cost what the whole catalog does.
    const hashes = new Set<string>()
    const slices = createTimeSlices()
    for (const set of dead) {
      for (const table of ["tools", "definitions"] as const) {
        for await (const hash of dropRows(transaction, { tenant, set, table }, slices, builder)) hashes.add(hash)
      }
    }
    for (const ids of chunks(dead)) await transaction.change(compile(dropSets(builder, tenant, ids)))
    for (const candidates of chunks([...hashes])) {
      if (slices.isOver()) await slices.next()
      await transaction.change(compile(dropUnused(builder, tenant, candidates)))
    }
  }
}

type SetRows = { readonly tenant: string; readonly set: string; readonly table: "tools" | "definitions" }

/** Drops the rows of a set, some at a time: a large set has tens of thousands. Yields the hashes of their schemas. */
async function* dropRows(
  transaction: Transaction,
  { tenant, set, table }: SetRows,
  slices: TimeSlices,
  { kysely }: Builder,
): AsyncGenerator<string> {
  const columns =
    table === "tools"
      ? (["name", "input_schema_hash as first_hash", "output_schema_hash as second_hash"] as const)
      : (["name", "schema_hash as first_hash", "schema_hash as second_hash"] as const)
  for (;;) {
    if (slices.isOver()) await slices.next()
    const query = kysely.selectFrom(table).select(columns).where("tenant_id", "=", tenant).where("tool_set_id", "=", set)
    const rows = await transaction.all(compile(query.orderBy("name").limit(rowsPerStep)))
    const last = rows.at(-1)
    if (last === undefined) return
    for (const { first_hash, second_hash } of rows) yield* [first_hash, second_hash].filter((hash) => hash !== null)
    const gone = kysely.deleteFrom(table).where("tenant_id", "=", tenant).where("tool_set_id", "=", set)
    await transaction.change(compile(gone.where("name", "<=", last.name)))
    if (rows.length < rowsPerStep) return
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
