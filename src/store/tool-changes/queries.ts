// The changes of imported tools: written by syncs, read by tool, gone with their connection.
import { sql } from "kysely"
import type { ConnectionRef } from "../../core/address.ts"
import type { Scope } from "../../core/principal.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import { prepareInsert } from "../insert.ts"
import { chunks } from "../queries/chunks.ts"
import { ownerUser, sees } from "../queries/owner.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"
import { setComparison } from "./set-compare.ts"
import type { ToolChangesTable } from "./table.ts"
import type { ToolChangeRows, ToolChangeWrite } from "./tool-change-store.ts"

const columns = ["tenant_id", "user_id", "integration", "name", "tool", "version", "at", "change", "diff"] as const

type ConnectionColumns = Pick<ToolChangesTable, "tenant_id" | "user_id" | "integration" | "name">

const connectionColumns = (scope: Scope, ref: ConnectionRef): ConnectionColumns => ({
  tenant_id: scope.tenant,
  user_id: ownerUser(scope, ref.owner),
  integration: ref.integration,
  name: ref.connection,
})

export function toolChangeQueries(builder: Builder): (session: Session) => ToolChangeRows {
  const { kysely } = builder
  const insert = prepareInsert(builder, "tool_changes", columns, "fail")
  const comparison = setComparison(builder)
  return (session) => ({
    ...comparison(session),

    async add(scope, ref, changes, { versionsMax, removedToolsMax }) {
      const key = connectionColumns(scope, ref)
      await atomicIn(session, scope.tenant, async (transaction) => {
        const slices = createTimeSlices()
        for (const some of chunks(changes)) {
          if (slices.isOver()) await slices.next()
          const rows = await next(transaction, key, some)
          await insert(transaction, rows)
          for (const { tool, version } of rows) {
            if (version > versionsMax) await transaction.change(compile(drop(key, [tool]).where("version", "<=", version - versionsMax)))
          }
        }
        if (changes.some(({ change }) => change === "removed")) await forgetRemoved(transaction, key, removedToolsMax)
        transaction.bumpRevision()
      })
    },

    async list(scope, key, page) {
      if (!sees(scope, key.owner)) return []
      await session.lockTenant(scope.tenant)
      let query = rowsOf(connectionColumns(scope, key)).select(["tool", "version", "at", "change", "diff"]).where("tool", "=", key.tool)
      if (page.after !== null) query = query.where("version", "<", page.after)
      return session.all(compile(query.orderBy("version", "desc").limit(page.limit)))
    },

    async versions(scope, ref, names) {
      if (!sees(scope, ref.owner)) return new Map()
      const versions = await latest(session, connectionColumns(scope, ref), names)
      return new Map([...versions].filter(([, version]) => version > 1))
    },
  })

  function rowsOf(key: ConnectionColumns) {
    return kysely
      .selectFrom("tool_changes")
      .where("tenant_id", "=", key.tenant_id)
      .where("user_id", "=", key.user_id)
      .where("integration", "=", key.integration)
      .where("name", "=", key.name)
  }

  function drop(key: ConnectionColumns, tools: readonly string[]) {
    return kysely
      .deleteFrom("tool_changes")
      .where("tenant_id", "=", key.tenant_id)
      .where("user_id", "=", key.user_id)
      .where("integration", "=", key.integration)
      .where("name", "=", key.name)
      .where("tool", "in", tools)
  }

  /** A source may name its tools anew at every sync. */
  async function forgetRemoved(session: Session, key: ConnectionColumns, most: number): Promise<void> {
    const query = rowsOf(key).select(["tool", "version"]).where("change", "=", sql.lit("removed")).orderBy("at", "desc").orderBy("tool")
    const rows = await session.all(compile(query))
    if (rows.length <= most) return
    const versionOf = await latest(
      session,
      key,
      rows.map(({ tool }) => tool),
    )
    // The others have returned.
    const removed = rows.filter(({ tool, version }) => versionOf.get(tool) === version).map(({ tool }) => tool)
    for (const some of chunks(removed.slice(most))) await session.change(compile(drop(key, some)))
  }

  /** A tool without rows was there from the beginning, as version 1, unless it is added now. */
  async function next(session: Session, key: ConnectionColumns, changes: readonly ToolChangeWrite[]): Promise<ToolChangesTable[]> {
    const names = changes.map(({ tool }) => tool)
    const versionOf = await latest(session, key, names)
    return changes.map((change) => ({
      ...key,
      ...change,
      version: (versionOf.get(change.tool) ?? (change.change === "added" ? 0 : 1)) + 1,
    }))
  }

  async function latest(session: Session, key: ConnectionColumns, names: readonly string[]): Promise<Map<string, number>> {
    const versions = new Map<string, number>()
    for (const some of chunks(names)) {
      const query = rowsOf(key).select(["tool", ({ fn }) => fn.max("version").as("version")])
      for (const { tool, version } of await session.all(compile(query.where("tool", "in", some).groupBy("tool"))))
        versions.set(tool, version)
    }
    return versions
  }
}
