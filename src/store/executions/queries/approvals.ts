// Approvals: the inbox, a human's answer, and grants that pass once.
import { sql } from "kysely"
import type { ApprovalRow, ApprovalRows } from "../../execution-store.ts"
import { chunks } from "../../queries/chunks.ts"
import type { Builder } from "../../statement.ts"
import { compile, prepare } from "../../statement.ts"
import type { ExecutionBackend } from "../backend.ts"
import { changeOne } from "../backend.ts"
import type { Packed } from "../packing.ts"
import { unpack } from "../packing.ts"
import { approvalColumns } from "../shapes.ts"

type Grant = Parameters<ApprovalRows["spend"]>[0]
type Answer = Parameters<ApprovalRows["answer"]>[2]
type Visibility = Parameters<ApprovalRows["list"]>[0]
type Filter = Parameters<ApprovalRows["list"]>[1]
type Page = Parameters<ApprovalRows["list"]>[2]

export function approvalQueries({ kysely, dialect }: Builder, backend: ExecutionBackend): ApprovalRows {
  const ofExecution = prepare(["tenant", "executionId"], ({ tenant, executionId }) =>
    kysely
      .selectFrom("approvals")
      .select(approvalColumns)
      .where("tenant_id", "=", tenant)
      .where("execution_id", "=", executionId)
      .orderBy("approval_id"),
  )
  return {
    async list(who, filter, page) {
      if (isOfExecution(who, filter, page)) {
        const { executionId } = filter
        const rows = await backend.all(ofExecution({ tenant: who.tenant, executionId }), { executionId })
        return readApprovals(rows.slice(0, page.limit))
      }
      let query = kysely.selectFrom("approvals").select(approvalColumns).where("tenant_id", "=", who.tenant)
      if (who.user !== null) query = query.where("user_id", "=", who.user)
      if (who.tokenId !== null) query = query.where("token_id", "=", who.tokenId)
      if (filter.executionId !== undefined) query = query.where("execution_id", "=", filter.executionId)
      if (filter.status !== undefined) query = query.where("status", "=", filter.status)
      if (filter.expiresAfter !== undefined) query = query.where("expires_at", ">", filter.expiresAfter)
      const { userOrNamed } = filter
      if (userOrNamed !== undefined)
        query = query.where((is) => is.or([is("user_id", "=", userOrNamed), is("answerable_by", "is not", null)]))
      if (filter.grant !== undefined) {
        const { address, argsHash, toolHash } = filter.grant
        query = query
          .where("pause", "=", 0)
          .where("args_hash", "=", argsHash)
          .where("address", "=", address)
          .where("tool_hash", "=", toolHash)
      }
      if (page.after !== null) query = query.where("approval_id", ">", page.after)
      const sees = filter.executionId === undefined ? "all" : { executionId: filter.executionId }
      return readApprovals(await backend.all(compile(query.orderBy("approval_id").limit(page.limit)), sees))
    },

    async get(who, id) {
      let query = kysely.selectFrom("approvals").select(approvalColumns).where("tenant_id", "=", who.tenant).where("approval_id", "=", id)
      if (who.user !== null) query = query.where("user_id", "=", who.user)
      if (who.tokenId !== null) query = query.where("token_id", "=", who.tokenId)
      const [row] = await readApprovals(await backend.all(compile(query), "all"))
      return row ?? null
    },

    async waiting(who, now) {
      const query = kysely
        .selectFrom("approvals")
        .select([sql<number | string>`count(*)`.as("count"), sql<number | string>`coalesce(sum(length(args)), 0)`.as("bytes")])
        .where("tenant_id", "=", who.tenant)
        .where("user_id", "=", who.user)
        .where("status", "=", "pending")
        .where("token_id", who.tokenId === null ? "is" : "=", who.tokenId)
        .where("expires_at", ">", now)
      const [row] = await backend.all(compile(query), "all")
      // PostgreSQL answers its large integers as text.
      return { count: Number(row?.count ?? 0), bytes: Number(row?.bytes ?? 0) }
    },

    async answer(tenant, ids, answer) {
      const rows: ApprovalRow[] = []
      for (const some of chunks(ids)) {
        const afterwards = kysely
          .selectFrom("approvals")
          .select(approvalColumns)
          .where("tenant_id", "=", tenant)
          .where("approval_id", "in", some)
        const statement = compile(afterwards.orderBy("approval_id"))
        const [, answered = []] = await backend.batch([compile(answering(tenant, some, answer)), statement])
        rows.push(...(await readApprovals(answered as NonNullable<(typeof statement)["row"]>[]))) // the rows of the second statement
      }
      return rows
    },

    async spend(grant) {
      const [row] = await readApprovals(await changeOne(backend, compile(spending(grant))))
      return row ?? null
    },
  }

  /** Two that answer the same ones lock them in the same order, so that neither waits for the other for ever. */
  function answering(tenant: string, ids: readonly string[], answer: Answer) {
    const pending = kysely
      .selectFrom("approvals")
      .select("approval_id")
      .where("tenant_id", "=", tenant)
      .where("approval_id", "in", ids)
      .where("status", "=", "pending")
      .orderBy("approval_id")
    return kysely
      .with("asked", () => (dialect === "postgres" ? pending.forUpdate() : pending))
      .updateTable("approvals")
      .set({
        status: answer.status,
        content: answer.content,
        remember: answer.remember,
        answered_by: answer.answeredBy,
        answered_at: answer.answeredAt,
      })
      .where("tenant_id", "=", tenant)
      .where("approval_id", "in", (where) => where.selectFrom("asked").select("asked.approval_id"))
      .where("status", "=", "pending")
  }

  /** A pause of 0 is a grant; what an execution paused for is that execution's alone. Literals, because the index of grants has them. */
  function spending(grant: Grant) {
    const grants = kysely
      .selectFrom("approvals")
      .select("approval_id")
      .where("tenant_id", "=", grant.tenant)
      .where("args_hash", "=", grant.argsHash)
      .where(sql<boolean>`answered_by is not null and used_at is null and pause = 0`)
      .where("kind", "=", "approval")
      .where("status", "in", ["accept", "decline", "cancel"])
      .where("user_id", "=", grant.user)
      .where("token_id", grant.tokenId === null ? "is" : "=", grant.tokenId)
      .where("address", "=", grant.address)
      .where("tool_hash", "=", grant.toolHash)
      .where("expires_at", ">", grant.now)
      .orderBy("approval_id")
      .limit(1)
    return kysely
      .with("spendable", () => (dialect === "postgres" ? grants.forUpdate().skipLocked() : grants))
      .updateTable("approvals")
      .set({ used_at: grant.now })
      .where("tenant_id", "=", grant.tenant)
      .where("approval_id", "in", (where) => where.selectFrom("spendable").select("spendable.approval_id"))
      .returning(approvalColumns)
  }
}

/** What is read at every pause and every answer. */
const isOfExecution = (who: Visibility, filter: Filter, page: Page): filter is { readonly executionId: string } =>
  who.user === null && who.tokenId === null && page.after === null && Object.keys(filter).length === 1 && filter.executionId !== undefined

type Stored = Omit<ApprovalRow, "argsJson"> & { readonly argsJson: Packed }

async function readApprovals(rows: readonly Stored[]): Promise<ApprovalRow[]> {
  const unpacked = await unpack(rows, ["argsJson"])
  return unpacked.map((row) => ({ ...row }))
}
