// Executions: visible to those who may see them, and claimed by the node that runs them next.
import { sql } from "kysely"
import type { ExpressionBuilder } from "kysely"
import type { ExecutionRows } from "../../execution-store.ts"
import type { Tables } from "../../schema.ts"
import type { Builder } from "../../statement.ts"
import { compile, prepare } from "../../statement.ts"
import type { ExecutionBackend } from "../backend.ts"
import { changeOne } from "../backend.ts"
import { headColumns, readExecutions, readHeads } from "../execution-read.ts"
import type { Sealer } from "../sealer.ts"
import { deletionQueries } from "./deletion.ts"
import { executionColumns } from "../shapes.ts"
import { trimQueries } from "./trim.ts"

type Visibility = Parameters<ExecutionRows["get"]>[0]

const isVisible = (row: { readonly user: string; readonly tokenId: string | null }, who: Visibility): boolean =>
  (who.user === null || row.user === who.user) && (who.tokenId === null || row.tokenId === who.tokenId)

/** Rows name a tool with or without the root of addresses. The calls of a run that another one started are in its root's journal. */
const madeCall =
  (tool: string) =>
  ({ exists, selectFrom }: ExpressionBuilder<Tables, "executions">) =>
    exists(
      selectFrom("calls")
        .select("calls.seq")
        .whereRef("calls.tenant_id", "=", "executions.tenant_id")
        .where(sql<boolean>`calls.execution_id = coalesce(executions.root_id, executions.execution_id)`)
        .where(
          sql<boolean>`(executions.root_key is null or substr(calls.call_key, 1, length(executions.root_key) + 1) = executions.root_key || '/')`,
        )
        .where(({ eb, or }) => or([eb("calls.address", "in", [tool, `tools.${tool}`]), eb("calls.path", "=", tool)])),
    )

export function executionQueries(builder: Builder, backend: ExecutionBackend, sealer: Sealer): ExecutionRows {
  const { kysely } = builder
  const { deleteOld, deleteEnded } = deletionQueries(builder, backend, sealer)
  const one = prepare(["tenant", "id"], ({ tenant, id }) =>
    kysely.selectFrom("executions").select(executionColumns).where("tenant_id", "=", tenant).where("execution_id", "=", id),
  )
  const shownTo = prepare(["tenant", "executionId", "viewer"], ({ tenant, executionId, viewer }) =>
    kysely
      .selectFrom("pauses_shown")
      .select(["pause", "questions"])
      .where("tenant_id", "=", tenant)
      .where("execution_id", "=", executionId)
      .where("viewer", "=", viewer),
  )
  return {
    async list(who, filter, page) {
      let query = kysely.selectFrom("executions").select(headColumns).where("tenant_id", "=", who.tenant)
      if (who.user !== null) query = query.where("user_id", "=", who.user)
      if (who.tokenId !== null) query = query.where("token_id", "=", who.tokenId)
      if (filter.status !== undefined) query = query.where("status", "=", filter.status)
      if (filter.principal !== undefined) {
        const { principal } = filter
        query = query.where(({ eb, or }) => or([eb("user_id", "=", principal), eb("token_id", "=", principal)]))
      }
      if (filter.since !== undefined) query = query.where("created_at", ">=", filter.since)
      if (filter.until !== undefined) query = query.where("created_at", "<", filter.until)
      if (filter.tool !== undefined) query = query.where(madeCall(filter.tool))
      if (filter.directCall !== undefined) query = query.where("direct_call", "=", filter.directCall)
      const { parent } = filter
      if (parent === undefined) query = query.where("root_id", "is", null)
      else if (parent !== "any") query = query.where("root_id", "=", parent.rootId ?? parent.id).where("parent_id", "=", parent.id)
      if (page.after !== null) query = query.where("execution_id", "<", page.after)
      return readHeads(await backend.all(compile(query.orderBy("execution_id", "desc").limit(page.limit)), "all"))
    },

    async below(root) {
      const query = kysely.selectFrom("executions").select(headColumns).where("tenant_id", "=", root.tenant).where("root_id", "=", root.id)
      return readHeads(await backend.all(compile(query.orderBy("execution_id")), "all"))
    },

    async get(who, id) {
      const found = await backend.all(one({ tenant: who.tenant, id }), { executionId: id })
      const [row] = await readExecutions(found.filter((execution) => isVisible(execution, who)))
      return row ?? null
    },

    async shown({ tenant, executionId, viewer }) {
      const [row] = await backend.all(shownTo({ tenant, executionId, viewer }), { executionId })
      return row ?? null
    },

    async claim(row, lease) {
      const query = kysely
        .updateTable("executions")
        .set({ status: "running", run: row.run + 1, lease_owner: lease.owner, lease_until: lease.until, expires_at: null })
        .where("tenant_id", "=", row.tenant)
        .where("execution_id", "=", row.id)
        .where("status", "=", row.status)
        .where("run", "=", row.run)
        .returning("execution_id")
      const taken = await changeOne(backend, compile(query))
      return taken.length === 1
    },

    async answerDirectCall({ tenant, id }) {
      const query = kysely
        .updateTable("executions")
        .set({ direct_call: null })
        .where("tenant_id", "=", tenant)
        .where("execution_id", "=", id)
        .returning("execution_id")
      await changeOne(backend, compile(query))
    },

    trim: trimQueries(builder, backend, deleteEnded),
    deleteOld,
  }
}
