// Conformance of approvals: an inbox of any length, one answer for each, and grants that pass once.
import { describe, expect, it } from "vitest"
import type { ApprovalRow } from "../../execution-store.ts"
import type { ExecutionsUnderTest } from "./suite.ts"
import { allOf, approvalRow, executionRow, later, newScope, outcomeRecord, paused } from "./samples.ts"

export function testApprovals(use: () => ExecutionsUnderTest): void {
  const put = (rows: readonly ApprovalRow[]): Promise<void> =>
    use().stores.executions.journal.append(
      rows.map((row) => ({ kind: "approval", row })),
      "now",
    )
  const accept = { status: "accept", content: '{"a":1}', remember: "execution", answeredBy: "alice", answeredAt: later(5) } as const
  const decline = { status: "decline", content: null, remember: null, answeredBy: "bob", answeredAt: later(6) } as const

  describe("approvals", () => {
    it("are listed oldest first, by status and execution", async () => {
      const scope = newScope()
      const rows = ["apr_1", "apr_2", "apr_3", "apr_4"].map((id, index) =>
        approvalRow(scope, { id, executionId: index < 2 ? "exe_1" : "exe_2", pause: 1 }),
      )
      await put(rows.toReversed())
      const { approvals } = use().other.executions
      await approvals.answer(scope.tenant, ["apr_2"], decline)
      const ids = async (filter: Parameters<typeof approvals.list>[1], after: string | null = null) =>
        (await approvals.list(allOf(scope), filter, { after, limit: 2 })).map(({ id }) => id)
      expect(await ids({})).toEqual(["apr_1", "apr_2"])
      expect(await ids({}, "apr_2")).toEqual(["apr_3", "apr_4"])
      expect(await ids({ status: "pending" })).toEqual(["apr_1", "apr_3"])
      expect(await ids({ status: "pending" }, "apr_3")).toEqual(["apr_4"])
      expect(await ids({ status: "decline" })).toEqual(["apr_2"])
      expect(await ids({ executionId: "exe_1" })).toEqual(["apr_1", "apr_2"])
      expect(await ids({ executionId: "exe_1", status: "pending" })).toEqual(["apr_1"])
      expect(await ids({ executionId: "absent" })).toEqual([])
    })

    it("are counted for each principal while they wait, with the size of their arguments", async () => {
      const scope = newScope()
      const { approvals } = use().other.executions
      const agent = { ...scope, tokenId: "tok_1" }
      expect(await approvals.waiting(agent, later(0))).toEqual({ count: 0, bytes: 0 })
      await put([
        approvalRow(scope, { id: "apr_1", tokenId: "tok_1", argsJson: '{"a":1}', expiresAt: later(60) }),
        approvalRow(scope, { id: "apr_2", tokenId: "tok_1", argsJson: '{"a":2}', expiresAt: later(60) }),
        approvalRow(scope, { id: "apr_3", tokenId: "tok_1", argsJson: '{"a":3}', expiresAt: later(10) }),
        approvalRow(scope, { id: "apr_4", tokenId: "tok_2", argsJson: '{"a":4}', expiresAt: later(60) }),
        approvalRow(scope, { id: "apr_5", tokenId: null, argsJson: '{"long":true}', expiresAt: later(60) }),
        approvalRow({ ...scope, user: "bob" }, { id: "apr_6", tokenId: "tok_1", expiresAt: later(60) }),
      ])
      expect(await approvals.waiting(agent, later(0))).toMatchObject({ count: 3 })
      expect((await approvals.waiting(agent, later(0))).bytes).toBeGreaterThanOrEqual(21)
      expect(await approvals.waiting(agent, later(30))).toMatchObject({ count: 2 })
      expect(await approvals.waiting({ ...scope, tokenId: null }, later(30))).toMatchObject({ count: 1 })
      await approvals.answer(scope.tenant, ["apr_1"], decline)
      expect(await approvals.waiting(agent, later(30))).toMatchObject({ count: 1 })
    })

    it("page through ten thousand that are pending, each once", async () => {
      const scope = newScope()
      const count = 10_000
      for (let first = 0; first < count; first += 1000) {
        const records = Array.from({ length: 1000 }, (_, index) => {
          const row = executionRow(scope, { id: `exe_${String(first + index).padStart(5, "0")}` })
          const approval = approvalRow(scope, { id: `apr_${String(first + index).padStart(5, "0")}`, executionId: row.id, pause: 1 })
          return [{ kind: "execution", row } as const, { kind: "approval", row: approval } as const, outcomeRecord(row, paused())]
        })
        await use().stores.executions.journal.append(records.flat(), "now")
      }
      const { approvals, executions } = use().other.executions
      const seen: string[] = []
      for (let after: string | null = null; ; after = seen.at(-1) ?? null) {
        const page = await approvals.list({ ...allOf(scope), user: "alice" }, { status: "pending" }, { after, limit: 500 })
        if (page.length === 0) break
        seen.push(...page.map(({ id }) => id))
      }
      expect(seen).toHaveLength(count)
      expect(seen).toEqual(seen.toSorted())
      expect(await approvals.list({ ...allOf(scope), user: "bob" }, { status: "pending" }, { after: null, limit: 500 })).toEqual([])
      const waiting = await executions.list(allOf(scope), { status: "paused" }, { after: "exe_05000", limit: 3 })
      expect(waiting.map(({ id }) => id)).toEqual(["exe_04999", "exe_04998", "exe_04997"])
    })

    it("take one answer, and tell the second what the first one said", async () => {
      const scope = newScope()
      const row = approvalRow(scope)
      await put([row])
      const { approvals } = use().stores.executions
      const answered = { ...row, ...accept }
      expect(await approvals.answer(scope.tenant, [row.id], accept)).toEqual([answered])
      expect(await use().other.executions.approvals.answer(scope.tenant, [row.id], decline)).toEqual([answered])
      expect(await approvals.answer(scope.tenant, [row.id, "absent"], accept)).toEqual([answered])
      expect(await approvals.answer(newScope().tenant, [row.id], decline)).toEqual([])
      expect(await approvals.get(allOf(scope), row.id)).toEqual(answered)
    })

    it("are not pending again when their record comes late", async () => {
      const scope = newScope()
      const row = approvalRow(scope)
      await put([row])
      await use().other.executions.approvals.answer(scope.tenant, [row.id], accept)
      await put([row])
      expect((await use().stores.executions.approvals.get(allOf(scope), row.id))?.status).toBe("accept")
    })

    it("give all who answer at once the same answer", async () => {
      const { stores, other } = use()
      const scope = newScope()
      for (let round = 0; round < 10; round += 1) {
        const rows = Array.from({ length: 5 }, () => approvalRow(scope))
        await put(rows)
        const ids = rows.map(({ id }) => id)
        const answers = await Promise.all(
          Array.from({ length: 8 }, (_, index) =>
            (index % 2 === 0 ? stores : other).executions.approvals.answer(
              scope.tenant,
              index % 4 < 2 ? ids : ids.toReversed(),
              index % 3 === 0 ? accept : decline,
            ),
          ),
        )
        const told = answers.map((answer) => answer.map(({ id, status, answeredBy }) => [id, status, answeredBy]))
        expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1)
        expect(new Set(told.flat().map(([, status]) => status)).size).toBe(1)
      }
    })
  })

  describe("grants", () => {
    const now = later(10)

    async function putGrant(
      change: Partial<ApprovalRow> = {},
    ): Promise<{ row: ApprovalRow; grant: Parameters<ExecutionsUnderTest["stores"]["executions"]["approvals"]["spend"]>[0] }> {
      const row = approvalRow(newScope(), { status: "accept", answeredBy: "alice", answeredAt: later(1), ...change })
      await put([row])
      const { tenant, user, tokenId, address, argsHash, toolHash } = row
      return { row, grant: { tenant, user, tokenId, address, argsHash, toolHash, now } }
    }

    it("pass once", async () => {
      const { approvals } = use().stores.executions
      const { row, grant } = await putGrant()
      expect(await approvals.spend(grant)).toEqual({ ...row, usedAt: now })
      expect(await approvals.spend(grant)).toBeNull()
      expect(await use().other.executions.approvals.spend(grant)).toBeNull()
    })

    it.each(["decline", "cancel"] as const)("tell a human's %s once", async (status) => {
      const { approvals } = use().stores.executions
      const { row, grant } = await putGrant({ status })
      expect(await approvals.spend(grant)).toEqual({ ...row, usedAt: now })
      expect(await approvals.spend(grant)).toBeNull()
    })

    it("of a principal without a token are for one without a token", async () => {
      const { approvals } = use().stores.executions
      const { row, grant } = await putGrant({ tokenId: null })
      expect(await approvals.spend({ ...grant, tokenId: "tok_1" })).toBeNull()
      expect((await approvals.spend(grant))?.id).toBe(row.id)
    })

    const others: Record<string, Partial<Awaited<ReturnType<typeof putGrant>>["grant"]>> = {
      tenant: { tenant: "tenant_other" },
      user: { user: "bob" },
      token: { tokenId: "tok_2" },
      "principal without a token": { tokenId: null },
      tool: { address: "tools.github.org.main.issues.delete" },
      arguments: { argsHash: "c".repeat(64) },
      definition: { toolHash: "d".repeat(64) },
    }
    it.each(Object.entries(others))("are for no other %s", async (_what, change) => {
      const { approvals } = use().stores.executions
      const { row, grant } = await putGrant()
      expect(await approvals.spend({ ...grant, ...change })).toBeNull()
      expect((await approvals.spend(grant))?.id).toBe(row.id)
    })

    const useless: Record<string, Partial<ApprovalRow>> = {
      pending: { status: "pending", answeredBy: null },
      withdrawn: { status: "cancel", answeredBy: null },
      expired: { status: "expired" },
      "too old": { expiresAt: now },
      used: { usedAt: later(2) },
      "what an execution paused for": { executionId: "exe_1", callKey: "k:0", pause: 1 },
      "a form": { kind: "form" },
    }
    it.each(Object.entries(useless))("are none when %s", async (_what, change) => {
      const { grant } = await putGrant(change)
      expect(await use().stores.executions.approvals.spend(grant)).toBeNull()
    })

    it("pass as often as there are, however many try at once", async () => {
      const { stores, other } = use()
      const { row, grant } = await putGrant()
      await put([
        { ...row, id: `${row.id}b` },
        { ...row, id: `${row.id}c` },
      ])
      const spent: string[] = []
      for (let round = 0; round < 4; round += 1) {
        const tries = Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? stores : other).executions.approvals.spend(grant))
        spent.push(...(await Promise.all(tries)).flatMap((one) => one?.id ?? []))
      }
      expect(spent.toSorted()).toEqual([row.id, `${row.id}b`, `${row.id}c`])
    })
  })
}
