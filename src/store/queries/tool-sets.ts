// Tool sets by content: written once in one batch, shared by all that point to them.
import { sql } from "kysely"
import type { Scope } from "../../core/principal.ts"
import { sha256 } from "../../io/ids.ts"
import { inSlices } from "../../io/time-slices.ts"
import { prepareInsert } from "../insert.ts"
import type { Tables, ToolsTable } from "../schema.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"
import type { ToolSetRows, ToolSetWrite, ToolWrite } from "../store.ts"
import { chunks } from "./chunks.ts"
import { prepareCollect } from "./garbage.ts"
import type { ReadToolNames } from "./tool-names.ts"

const toolColumns = [
  "tenant_id",
  "tool_set_id",
  "name",
  "title",
  "summary",
  "description",
  "effect",
  "requires_approval",
  "approval_description",
  "may_elicit",
  "deprecated",
  "tags",
  "input_schema_hash",
  "output_schema_hash",
  "binding",
  "search_text",
] as const

export function toolSetQueries(builder: Builder, readNames: ReadToolNames): (session: Session) => ToolSetRows {
  const { kysely } = builder
  const insertSchemas = prepareInsert(builder, "schemas", ["tenant_id", "schema_hash", "text"], "skip")
  const insertTools = prepareInsert(builder, "tools", toolColumns, "fail")
  const insertDefinitions = prepareInsert(builder, "definitions", ["tenant_id", "tool_set_id", "name", "schema_hash"], "fail")
  const collect = prepareCollect(builder)

  return (session) => ({
    async put(scope, set) {
      const head = kysely.insertInto("tool_sets").values({ tenant_id: scope.tenant, tool_set_id: set.id, tool_count: set.tools.length })
      await atomicIn(session, scope.tenant, async (transaction) => {
        const created = await transaction.change(compile(head.onConflict((conflict) => conflict.doNothing())))
        if (created === 0) return
        const rows = await inSlices(writeSet(scope, set))
        await insertSchemas(transaction, rows.schemas)
        await insertTools(transaction, rows.tools)
        await insertDefinitions(transaction, rows.definitions)
      })
    },

    async derive(scope, { id, from, put, drop }) {
      const replaced = [...put.map(({ name }) => name as string), ...drop]
      const old = kysely
        .selectFrom("tools")
        .where("tenant_id", "=", scope.tenant)
        .where("tool_set_id", "=", from ?? "")
      await atomicIn(session, scope.tenant, async (transaction) => {
        const head = kysely.insertInto("tool_sets").values({ tenant_id: scope.tenant, tool_set_id: id, tool_count: 0 })
        if ((await transaction.change(compile(head.onConflict((conflict) => conflict.doNothing())))) === 0) return
        const kept = old.select(toolColumns.map((column) => (column === "tool_set_id" ? sql.val(id).as("tool_set_id") : column)))
        await transaction.change(
          compile(
            kysely
              .insertInto("tools")
              .columns([...toolColumns])
              .expression(kept),
          ),
        )
        const ofSet = kysely.deleteFrom("tools").where("tenant_id", "=", scope.tenant).where("tool_set_id", "=", id)
        for (const names of chunks(replaced)) await transaction.change(compile(ofSet.where("name", "in", names)))
        const rows = await inSlices(writeSet(scope, { id, tools: put, definitions: new Map() }))
        await insertSchemas(transaction, rows.schemas)
        await insertTools(transaction, rows.tools)
        const counted = kysely.selectFrom("tools").where("tenant_id", "=", scope.tenant).where("tool_set_id", "=", id)
        const [row] = await transaction.all(compile(counted.select((select) => select.fn.countAll().as("count"))))
        const count = kysely.updateTable("tool_sets").set({ tool_count: Number(row?.count ?? 0) })
        await transaction.change(compile(count.where("tenant_id", "=", scope.tenant).where("tool_set_id", "=", id)))
      })
    },

    async collectGarbage(scope) {
      await atomicIn(session, scope.tenant, (transaction) => collect(transaction, scope.tenant))
    },

    names: (scope, id) => readNames(session, scope.tenant, id),

    async definitions(scope, id, names) {
      const texts = new Map<string, string>()
      const nameOf = new Map(names.map((name) => [definitionKey(name), name]))
      for (const keys of chunks([...nameOf.keys()])) {
        const query = kysely
          .selectFrom("definitions as d")
          .innerJoin("schemas as s", (join) => join.onRef("s.tenant_id", "=", "d.tenant_id").onRef("s.schema_hash", "=", "d.schema_hash"))
          .select(["d.name", "s.text"])
          .where("d.tenant_id", "=", scope.tenant)
          .where("d.tool_set_id", "=", id)
          .where("d.name", "in", keys)
        for (const row of await session.all(compile(query))) texts.set(nameOf.get(row.name) ?? row.name, row.text)
      }
      return texts
    },
  })
}

/** Documents name their definitions as they like; what is too long or too strange for a key is known by its hash. */
const definitionKey = (name: string): string => (/^[ -~]{1,200}$/.test(name) ? name : `sha256:${sha256(JSON.stringify(name))}`)

type SetRows = { readonly schemas: Iterable<Tables["schemas"]>; tools: ToolsTable[]; definitions: Tables["definitions"][] }

function* writeSet(scope: Scope, set: ToolSetWrite): Generator<void, SetRows> {
  const key = { tenant_id: scope.tenant, tool_set_id: set.id }
  const schemas = new Map<string, Tables["schemas"]>()
  const hashOf = (text: string): string => {
    const schema_hash = sha256(text)
    if (!schemas.has(schema_hash)) schemas.set(schema_hash, { tenant_id: scope.tenant, schema_hash, text })
    return schema_hash
  }
  const tools: ToolsTable[] = []
  for (const tool of set.tools) {
    tools.push({
      ...key,
      ...writeFacts(tool),
      input_schema_hash: hashOf(tool.inputSchema),
      output_schema_hash: tool.outputSchema === null ? null : hashOf(tool.outputSchema),
      binding: tool.binding,
    })
    yield
  }
  const definitions: Tables["definitions"][] = []
  for (const [name, text] of set.definitions) {
    definitions.push({ ...key, name: definitionKey(name), schema_hash: hashOf(text) })
    yield
  }
  return { schemas: schemas.values(), tools, definitions }
}

type FactColumns = Omit<ToolsTable, "tenant_id" | "tool_set_id" | "input_schema_hash" | "output_schema_hash" | "binding">

const writeFacts = (tool: ToolWrite): FactColumns => ({
  name: tool.name,
  title: tool.title,
  summary: tool.summary,
  description: tool.description,
  effect: tool.effect,
  requires_approval: Number(tool.requiresApproval),
  approval_description: tool.approvalDescription,
  may_elicit: Number(tool.mayElicit),
  deprecated: Number(tool.deprecated),
  tags: JSON.stringify(tool.tags),
  search_text: `${tool.name}\n${tool.description}`.toLowerCase(),
})
