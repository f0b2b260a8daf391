// Compares tool sets by their rows: schemas are known by their hashes, so that no text is read.
import { sql } from "kysely"
import type { Session } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile, prepare } from "../statement.ts"
import type { ToolChangeRows } from "./tool-change-store.ts"

/** What a human would call another tool; how its request is made is the adapter's own. */
const defining = ["title", "description", "effect", "requires_approval", "input_schema_hash"] as const

export function setComparison(builder: Builder): (session: Session) => Pick<ToolChangeRows, "compare" | "defined"> {
  const { kysely } = builder
  const changed = prepareChanged(builder)
  const missing = prepareMissing(builder)
  const otherDefinitions = prepareOtherDefinitions(builder)

  return (session) => ({
    async compare(scope, before, after) {
      const { tenant } = scope
      const names = async (rows: Promise<{ name: string }[]>): Promise<string[]> => (await rows).map(({ name }) => name)
      const [one] = await session.all(otherDefinitions({ tenant, before, after }))
      const [other] = await session.all(otherDefinitions({ tenant, before: after, after: before }))
      return {
        added: await names(session.all(missing({ tenant, of: after, in: before }))),
        removed: await names(session.all(missing({ tenant, of: before, in: after }))),
        changed: await names(session.all(changed({ tenant, before, after }))),
        hasOtherDefinitions: one !== undefined || other !== undefined,
      }
    },

    async defined(scope, toolSetId, names, page) {
      let query = kysely
        .selectFrom("tools as t")
        .innerJoin("schemas as i", (join) =>
          join.onRef("i.tenant_id", "=", "t.tenant_id").onRef("i.schema_hash", "=", "t.input_schema_hash"),
        )
        .leftJoin("schemas as o", (join) =>
          join.onRef("o.tenant_id", "=", "t.tenant_id").onRef("o.schema_hash", "=", "t.output_schema_hash"),
        )
        .select(["t.name", "t.title", "t.description", "t.effect", "t.requires_approval"])
        .select(["i.text as input_schema", "o.text as output_schema"])
        .where("t.tenant_id", "=", scope.tenant)
        .where("t.tool_set_id", "=", toolSetId)
      if (names !== null) query = query.where("t.name", "in", ["", ...names])
      if (page.after !== null) query = query.where("t.name", ">", page.after)
      const rows = await session.all(compile(query.orderBy("t.name").limit(page.limit)))
      return rows.map((row) => ({
        name: row.name,
        title: row.title,
        description: row.description,
        effect: row.effect,
        requiresApproval: row.requires_approval === 1,
        inputSchema: row.input_schema,
        outputSchema: row.output_schema,
      }))
    },
  })
}

const prepareChanged = ({ kysely }: Builder) =>
  prepare(["tenant", "before", "after"], ({ tenant, before, after }) =>
    kysely
      .selectFrom("tools as b")
      .innerJoin("tools as a", (join) => join.onRef("a.tenant_id", "=", "b.tenant_id").onRef("a.name", "=", "b.name"))
      .select("b.name")
      .where("b.tenant_id", "=", tenant)
      .where("b.tool_set_id", "=", before)
      .where("a.tool_set_id", "=", after)
      .where((where) =>
        where.or([
          ...defining.map((column) => where(`a.${column}`, "<>", where.ref(`b.${column}`))),
          where(sql`coalesce(a.output_schema_hash, '')`, "<>", sql`coalesce(b.output_schema_hash, '')`),
        ]),
      )
      .orderBy("b.name"),
  )

/** Tools of one set that another one has not. */
const prepareMissing = ({ kysely }: Builder) =>
  prepare(["tenant", "of", "in"], (slots) =>
    kysely
      .selectFrom("tools as t")
      .select("t.name")
      .where("t.tenant_id", "=", slots.tenant)
      .where("t.tool_set_id", "=", slots.of)
      .where((where) => {
        const same = where.selectFrom("tools as o").select("o.name").where("o.tenant_id", "=", slots.tenant)
        return where.not(where.exists(same.where("o.tool_set_id", "=", slots.in).whereRef("o.name", "=", "t.name")))
      })
      .orderBy("t.name"),
  )

/** One definition that the other set has not in the same words. */
const prepareOtherDefinitions = ({ kysely }: Builder) =>
  prepare(["tenant", "before", "after"], ({ tenant, before, after }) =>
    kysely
      .selectFrom("definitions as d")
      .select("d.name")
      .where("d.tenant_id", "=", tenant)
      .where("d.tool_set_id", "=", before)
      .where((where) => {
        const same = where.selectFrom("definitions as o").select("o.name").where("o.tenant_id", "=", tenant)
        const equal = same.where("o.tool_set_id", "=", after).whereRef("o.name", "=", "d.name")
        return where.not(where.exists(equal.whereRef("o.schema_hash", "=", "d.schema_hash")))
      })
      .limit(1),
  )
