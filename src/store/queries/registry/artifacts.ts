// Artifacts, each with all of its versions.
import { ExecutorError } from "../../../core/errors.ts"
import type { ArtifactRow, ArtifactRows } from "../../registry-store.ts"
import type { ArtifactVersionsTable, RegistryTables } from "./tables.ts"
import type { Session } from "../../session.ts"
import { atomicIn } from "../../session.ts"
import type { Builder } from "../../statement.ts"
import { compile } from "../../statement.ts"

export function artifactQueries({ kysely }: Builder): (session: Session) => ArtifactRows {
  const versions = (tenant: string) =>
    kysely
      .selectFrom("artifacts as a")
      .innerJoin("artifact_versions as v", (join) =>
        join.onRef("v.tenant_id", "=", "a.tenant_id").onRef("v.artifact_id", "=", "a.artifact_id"),
      )
      .select(["a.artifact_id", "a.slug", "a.name", "a.created_at", "v.version", "v.inputs", "v.code", "v.made_by", "v.made_at"])
      .where("a.tenant_id", "=", tenant)
  const latest = (tenant: string) => versions(tenant).whereRef("v.version", "=", "a.version")

  return (session) => ({
    async get({ tenant }, id, version) {
      await session.lockTenant(tenant)
      const query = version === undefined ? latest(tenant) : versions(tenant).where("v.version", "=", toNumber(version))
      const [row] = await session.all(compile(query.where("a.artifact_id", "=", id)))
      return row ? readArtifact(row) : null
    },

    async findBySlug({ tenant }, slug) {
      await session.lockTenant(tenant)
      const [row] = await session.all(compile(latest(tenant).where("a.slug", "=", slug)))
      return row ? readArtifact(row) : null
    },

    async list({ tenant }, page) {
      await session.lockTenant(tenant)
      const query = latest(tenant).where("a.artifact_id", ">", page.after ?? "")
      return (await session.all(compile(query.orderBy("a.artifact_id").limit(page.limit)))).map(readArtifact)
    },

    async versions({ tenant }, id, page) {
      await session.lockTenant(tenant)
      const all = versions(tenant).where("a.artifact_id", "=", id)
      const query = page.after === null ? all : all.where("v.version", "<", toNumber(page.after))
      return (await session.all(compile(query.orderBy("v.version", "desc").limit(page.limit)))).map(readArtifact)
    },

    async put({ tenant }, row) {
      const version = toNumber(row.version)
      const key = { tenant_id: tenant, artifact_id: row.id }
      const head = kysely.insertInto("artifacts").values({ ...key, slug: row.slug, name: row.name, version, created_at: row.createdAt })
      const next = kysely
        .updateTable("artifacts")
        .set({ name: row.name, version })
        .where("tenant_id", "=", tenant)
        .where("artifact_id", "=", row.id)
      const content = { inputs: row.inputs, code: row.code, made_by: row.madeBy, made_at: row.madeAt }
      await atomicIn(session, tenant, async (transaction) => {
        const [taken] = await transaction.all(compile(latest(tenant).where("a.slug", "=", row.slug).where("a.artifact_id", "!=", row.id)))
        if (taken) throw new ExecutorError("conflict", `Another artifact has the slug '${row.slug}' already; choose another one`)
        const changed = await transaction.change(
          compile(version === 1 ? head.onConflict((conflict) => conflict.doNothing()) : next.where("version", "=", version - 1)),
        )
        if (changed === 0) throw new ExecutorError("conflict", `The artifact '${row.slug}' was changed in the meantime; read it again`)
        await transaction.change(compile(kysely.insertInto("artifact_versions").values({ ...key, version, ...content })))
        transaction.bumpRevision()
      })
    },

    async users({ tenant }, id) {
      await session.lockTenant(tenant)
      const query = kysely
        .selectFrom("tool_registry as t")
        .leftJoin("tool_versions as v", (join) =>
          join.onRef("v.tenant_id", "=", "t.tenant_id").onRef("v.tool_id", "=", "t.tool_id").onRef("v.version", "=", "t.published_version"),
        )
        .select("t.slug")
        .where("t.tenant_id", "=", tenant)
        // An id has no character that means something in a pattern but the underscore, which also means itself.
        .where((either) => either.or([either("t.artifact_id", "=", id), either("v.schema_snapshot", "like", `%"artifactId":"${id}"%`)]))
      return (await session.all(compile(query.orderBy("t.slug")))).map(({ slug }) => slug)
    },

    async remove({ tenant }, id) {
      const query = kysely.deleteFrom("artifacts").where("tenant_id", "=", tenant).where("artifact_id", "=", id)
      return atomicIn(session, tenant, async (transaction) => {
        if ((await transaction.change(compile(query))) === 0) return false
        transaction.bumpRevision()
        return true
      })
    },
  })
}

/** What is no number is no version that exists. */
const toNumber = (version: string): number => (/^[1-9]\d{0,8}$/.test(version) ? Number(version) : -1)

type ArtifactColumns = Omit<RegistryTables["artifacts"] & ArtifactVersionsTable, "tenant_id">

const readArtifact = (row: ArtifactColumns): ArtifactRow => ({
  id: row.artifact_id,
  slug: row.slug,
  name: row.name,
  version: String(row.version),
  inputs: row.inputs,
  code: row.code,
  madeBy: row.made_by,
  madeAt: row.made_at,
  createdAt: row.created_at,
})
