// Tools of the visible connections: one by its key, those of a name, how many.
import type { ConnectionName, IntegrationSlug } from "../../core/address.ts"
import type { Session } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile, prepare } from "../statement.ts"
import type { ToolRows } from "../store.ts"
import { orgUser, ownerOf, ownerUser, sees, visibleUsers } from "./owner.ts"
import { factColumns, readFacts } from "./tool-facts.ts"
import type { ReadToolNames } from "./tool-names.ts"
import { toolPages } from "./tool-pages.ts"
import { searchCondition } from "./tool-search.ts"

export function toolQueries(builder: Builder, readNames: ReadToolNames): (session: Session) => ToolRows {
  const { kysely } = builder
  const list = toolPages(builder, readNames)
  const find = prepareFind(builder)
  const named = prepare(["tenant", "user", "integration", "tool"], ({ tenant, user, integration, tool }) =>
    kysely
      .selectFrom("connections as c")
      .innerJoin("tools as t", (join) => join.onRef("t.tenant_id", "=", "c.tenant_id").onRef("t.tool_set_id", "=", "c.tool_set_id"))
      .select(["c.user_id", "c.name"])
      .where("c.tenant_id", "=", tenant)
      .where("c.user_id", "in", [orgUser, user])
      .where("c.integration", "=", integration)
      .where("t.name", "=", tool)
      .orderBy("c.user_id")
      .orderBy("c.name"),
  )

  return (session) => ({
    async list(scope, filter, page) {
      await session.lockTenant(scope.tenant)
      return session.snapshot((snapshot) => list(snapshot, scope, filter, page))
    },

    async get(scope, key) {
      if (!sees(scope, key.owner)) return null
      await session.lockTenant(scope.tenant)
      const connection = { tenant: scope.tenant, user: ownerUser(scope, key.owner), integration: key.integration, name: key.connection }
      const [row] = await session.all(find({ ...connection, tool: key.tool }))
      if (!row) return null
      return {
        ...readFacts(row),
        integration: key.integration,
        owner: key.owner,
        connection: key.connection,
        kind: row.kind,
        toolSetId: row.tool_set_id,
        inputSchema: row.input_schema,
        inputSchemaHash: row.input_schema_hash,
        outputSchema: row.output_schema,
        outputSchemaHash: row.output_schema_hash,
        binding: row.binding,
      }
    },

    async connectionsWith(scope, integration, tool) {
      const rows = await session.all(named({ tenant: scope.tenant, user: scope.user, integration, tool }))
      return rows.map((row) => ({
        integration: integration as IntegrationSlug, // a row of this integration exists, so the text was checked when it was added
        owner: ownerOf(row.user_id),
        connection: row.name as ConnectionName, // written from a checked one only
      }))
    },

    async count(scope, filter) {
      let query = kysely
        .selectFrom("connections as c")
        .innerJoin("tool_sets as s", (join) => join.onRef("s.tenant_id", "=", "c.tenant_id").onRef("s.tool_set_id", "=", "c.tool_set_id"))
        .where("c.tenant_id", "=", scope.tenant)
        .where("c.user_id", "in", visibleUsers(scope))
      // No slug is empty, and databases do not agree on an empty list.
      if (filter.integration !== undefined) query = query.where("c.integration", "in", ["", filter.integration].flat())
      if (filter.name !== undefined) query = query.where("c.name", "=", filter.name)
      if (filter.owner === "org") query = query.where("c.user_id", "=", orgUser)
      if (filter.owner === "user") query = query.where("c.user_id", "!=", orgUser)
      const matches = searchCondition(builder, filter.query)
      const counted = matches
        ? query
            .innerJoin("tools as t", (join) => join.onRef("t.tenant_id", "=", "s.tenant_id").onRef("t.tool_set_id", "=", "s.tool_set_id"))
            .where(matches)
            .select(({ fn }) => fn.countAll().as("count"))
        : query.select(({ fn }) => fn.sum("s.tool_count").as("count"))
      const [row] = await session.all(compile(counted))
      // The sum over no rows is null, and PostgreSQL counts in text.
      return Number(row?.count ?? 0)
    },
  })
}

function prepareFind({ kysely }: Builder) {
  return prepare(["tenant", "user", "integration", "name", "tool"], ({ tenant, user, integration, name, tool }) =>
    kysely
      .selectFrom("tools as t")
      .innerJoin("integrations as i", (join) => join.onRef("i.tenant_id", "=", "t.tenant_id").on("i.slug", "=", integration))
      .innerJoin("schemas as input", (join) =>
        join.onRef("input.tenant_id", "=", "t.tenant_id").onRef("input.schema_hash", "=", "t.input_schema_hash"),
      )
      .leftJoin("schemas as output", (join) =>
        join.onRef("output.tenant_id", "=", "t.tenant_id").onRef("output.schema_hash", "=", "t.output_schema_hash"),
      )
      .select(factColumns)
      .select(["t.tool_set_id", "t.binding", "t.input_schema_hash", "t.output_schema_hash", "i.kind"])
      .select(["input.text as input_schema", "output.text as output_schema"])
      .where("t.tenant_id", "=", tenant)
      // Not a join: a planner that knows the tables only small would then look for the name in all sets, and keep that plan.
      .where("t.tool_set_id", "=", (where) =>
        where
          .selectFrom("connections as c")
          .select("c.tool_set_id")
          .where("c.tenant_id", "=", tenant)
          .where("c.user_id", "=", user)
          .where("c.integration", "=", integration)
          .where("c.name", "=", name),
      )
      .where("t.name", "=", tool),
  )
}
