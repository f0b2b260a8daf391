// Registry tools by id, slug and kind.
import { ExecutorError } from "../../../core/errors.ts"
import type { RegistryRowFilter, RegistryToolRow, RegistryToolRows } from "../../registry-store.ts"
import type { ToolRegistryTable } from "./tables.ts"
import type { Session } from "../../session.ts"
import { atomicIn } from "../../session.ts"
import type { Builder } from "../../statement.ts"
import { compile } from "../../statement.ts"
import { textCondition } from "../tool-search.ts"

export function registryToolQueries(builder: Builder): (session: Session) => RegistryToolRows {
  const { kysely } = builder
  const all = (tenant: string) => kysely.selectFrom("tool_registry").selectAll().where("tenant_id", "=", tenant)

  return (session) => ({
    async get({ tenant }, id) {
      await session.lockTenant(tenant)
      const [row] = await session.all(compile(all(tenant).where("tool_id", "=", id)))
      return row ? readTool(row) : null
    },

    async findBySlug({ tenant }, slug) {
      await session.lockTenant(tenant)
      const [row] = await session.all(compile(all(tenant).where("slug", "=", slug)))
      return row ? readTool(row) : null
    },

    async list({ tenant }, filter, page) {
      await session.lockTenant(tenant)
      let query = all(tenant)
        .where("builtin_key", "is", null)
        .where("slug", ">", page.after ?? "")
      for (const [column, value] of equalities(filter)) query = query.where(column, "=", value)
      if (filter.slugs !== undefined) query = query.where("slug", "in", [...filter.slugs])
      const matches = textCondition(builder, "search_text", filter.query)
      if (matches) query = query.where(matches)
      return (await session.all(compile(query.orderBy("slug").limit(page.limit)))).map(readTool)
    },

    async counts({ tenant }) {
      const query = kysely
        .selectFrom("tool_registry")
        .where("tenant_id", "=", tenant)
        .where("builtin_key", "is", null)
        .select(["status", "implementation_type", "is_system"])
        .select((select) => [
          select.case().when("artifact_id", "is", null).then(0).else(1).end().as("has_artifact"),
          select.fn.countAll().as("count"),
        ])
        .groupBy(["status", "implementation_type", "is_system", "has_artifact"])
      return (await session.all(compile(query))).map((row) => ({
        status: row.status,
        implementationType: row.implementation_type,
        isSystem: row.is_system === 1,
        hasBuiltinKey: false,
        hasArtifact: row.has_artifact === 1,
        count: Number(row.count),
      }))
    },

    async put({ tenant }, tool) {
      const row = writeTool(tenant, tool)
      const { tenant_id: _tenant, tool_id: _id, ...changes } = row
      const query = kysely.insertInto("tool_registry").values(row)
      await atomicIn(session, tenant, async (transaction) => {
        const [other] = await transaction.all(compile(all(tenant).where("slug", "=", tool.slug).where("tool_id", "!=", tool.id)))
        if (other) throw new ExecutorError("conflict", `Another tool has the slug '${tool.slug}' already; choose another one`)
        await transaction.change(compile(query.onConflict((conflict) => conflict.columns(["tenant_id", "tool_id"]).doUpdateSet(changes))))
        transaction.bumpRevision()
      })
    },

    async remove({ tenant }, id) {
      const query = kysely.deleteFrom("tool_registry").where("tenant_id", "=", tenant).where("tool_id", "=", id)
      return atomicIn(session, tenant, async (transaction) => {
        if ((await transaction.change(compile(query))) === 0) return false
        transaction.bumpRevision()
        return true
      })
    },
  })
}

const equalities = ({ status, implementationType }: RegistryRowFilter) =>
  [
    ["status", status],
    ["implementation_type", implementationType],
  ].filter((pair): pair is ["status" | "implementation_type", string] => pair[1] !== undefined)

const readTool = (row: ToolRegistryTable): RegistryToolRow => ({
  id: row.tool_id,
  slug: row.slug,
  name: row.name,
  description: row.description,
  schema: row.schema,
  configSchema: row.config_schema,
  status: row.status,
  version: row.version,
  implementationType: row.implementation_type,
  publishedAt: row.published_at,
  publishedVersion: row.published_version,
  artifactId: row.artifact_id,
  artifactVersion: row.artifact_version,
  builtinKey: row.builtin_key,
  isActive: row.is_active === 1,
  isSystem: row.is_system === 1,
  replacedBy: row.replaced_by,
  literalUrls: row.literal_urls,
  contentHash: row.content_hash,
  publishedHash: row.published_hash,
  writtenBy: row.written_by,
  createdBy: row.created_by,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  builtinTemplateId: row.builtin_template_id,
  isBuiltinTemplate: row.is_builtin_template === 1,
})

const writeTool = (tenant: string, row: RegistryToolRow): ToolRegistryTable => ({
  tenant_id: tenant,
  tool_id: row.id,
  slug: row.slug,
  name: row.name,
  description: row.description,
  scope: "tenant",
  schema: row.schema,
  config_schema: row.configSchema,
  status: row.status,
  version: row.version,
  implementation_type: row.implementationType,
  published_at: row.publishedAt,
  published_version: row.publishedVersion,
  artifact_id: row.artifactId,
  artifact_version: row.artifactVersion,
  builtin_key: row.builtinKey,
  builtin_template_id: row.builtinTemplateId,
  is_builtin_template: Number(row.isBuiltinTemplate),
  is_active: Number(row.isActive),
  is_system: Number(row.isSystem),
  replaced_by: row.replacedBy,
  literal_urls: row.literalUrls,
  content_hash: row.contentHash,
  published_hash: row.publishedHash,
  written_by: row.writtenBy,
  created_by: row.createdBy,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
  search_text: `${row.slug}\n${row.name}\n${row.description}`.toLowerCase(),
})
