// Conformance of executions: listed newest first, and claimed by exactly one of many.
import { describe, expect, it } from "vitest"
import { cancelledAloneRun } from "../../execution-store.ts"
import type { ExecutionRow } from "../../execution-store.ts"
import type { ExecutionsUnderTest } from "./suite.ts"
import { allOf, executionRow, later, newScope, outcomeRecord, paused } from "./samples.ts"

export function testExecutionRows(use: () => ExecutionsUnderTest): void {
  async function put(rows: readonly ExecutionRow[]): Promise<void> {
    await use().stores.executions.journal.append(
      rows.map((row) => ({ kind: "execution", row })),
      "now",
    )
  }

  describe("executions", () => {
    it("are listed newest first, page by page, without what may be long", async () => {
      const scope = newScope()
      const rows = Array.from({ length: 7 }, (_, index) => executionRow(scope, { id: `exe_${index}`, result: "[1]" }))
      await put(rows.toSorted(() => Math.random() - 0.5))
      const { executions } = use().other.executions
      const pages: string[][] = []
      for (let after: string | null = null; ;) {
        const page = await executions.list(allOf(scope), {}, { after, limit: 3 })
        if (page.length === 0) break
        pages.push(page.map(({ id }) => id))
        after = page.at(-1)?.id ?? null
      }
      expect(pages).toEqual([["exe_6", "exe_5", "exe_4"], ["exe_3", "exe_2", "exe_1"], ["exe_0"]])
      const [head] = await executions.list(allOf(scope), {}, { after: null, limit: 1 })
      const { result: _result, logs: _logs, emitted: _emitted, ...expected } = rows[6] ?? executionRow(scope)
      expect(head).toEqual(expected)
    })

    it("are listed by status and user", async () => {
      const scope = newScope()
      const [mine, done, bobs] = [
        executionRow(scope, { id: "exe_1" }),
        executionRow(scope, { id: "exe_2" }),
        executionRow({ ...scope, user: "bob" }, { id: "exe_3", tokenId: "tok_3" }),
      ]
      await put([mine, done, bobs])
      await use().stores.executions.journal.append([outcomeRecord(done)], "now")
      const { executions } = use().stores.executions
      const page = { after: null, limit: 10 }
      const ids = async (filter: Parameters<typeof executions.list>[1]) =>
        (await executions.list(allOf(scope), filter, page)).map(({ id }) => id)
      expect(await ids({ status: "running" })).toEqual(["exe_3", "exe_1"])
      expect(await ids({ status: "completed" })).toEqual(["exe_2"])
      expect(await ids({ principal: "bob" })).toEqual(["exe_3"])
      expect(await ids({ principal: "bob", status: "completed" })).toEqual([])
      expect(await ids({ principal: "tok_3" })).toEqual(["exe_3"])
      expect(await ids({ principal: "tok_1", status: "running" })).toEqual(["exe_1"])
      expect(await ids({ principal: "" })).toEqual([])
    })

    it("that a direct call has started are found by it until it was answered", async () => {
      const scope = newScope()
      const { stores, other } = use()
      const rows = ["exe_1", "exe_2"].map((id) => executionRow(scope, { id, directCall: "a hash" }))
      await put([...rows, executionRow(scope, { id: "exe_3", directCall: "another" }), executionRow(scope, { id: "exe_4" })])
      const ids = async () =>
        (await other.executions.executions.list(allOf(scope), { directCall: "a hash" }, { after: null, limit: 9 })).map(({ id }) => id)
      expect(await ids()).toEqual(["exe_2", "exe_1"])
      await stores.executions.executions.answerDirectCall({ tenant: scope.tenant, id: "exe_2" })
      expect(await ids()).toEqual(["exe_1"])
    })

    it("that have ended stay so when somebody cancels them alone, too late", async () => {
      const scope = newScope()
      const { stores, other } = use()
      const child = executionRow(scope, { id: "exe_2", parentId: "exe_1", rootId: "exe_1", rootKey: "c1:0" })
      const completed = { ...child, status: "completed" as const, endedAt: later(1), result: "1" }
      const cancelled = { ...child, status: "cancelled" as const, endedAt: later(2), run: cancelledAloneRun }
      const statusNow = async () => (await other.executions.executions.get(allOf(scope), child.id))?.status
      await put([child, completed])
      await put([cancelled])
      expect(await statusNow()).toBe("completed")
      const second = { id: "exe_3", rootKey: "c1:1" }
      // In one write too, and the other way round: what was cancelled first stays cancelled.
      await put([completed, cancelled].map((row) => ({ ...row, ...second })))
      expect((await stores.executions.executions.get(allOf(scope), "exe_3"))?.status).toBe("completed")
      const third = { id: "exe_4", rootKey: "c1:2" }
      for (const row of [child, cancelled, completed]) await put([{ ...row, ...third }])
      expect((await stores.executions.executions.get(allOf(scope), "exe_4"))?.status).toBe("cancelled")
    })

    it("remember the latest pause that each viewer was shown, in every process", async () => {
      const { stores, other } = use()
      const row = executionRow(newScope())
      const of = { tenant: row.tenant, executionId: row.id, viewer: "alice/tok_1" }
      const show = (pause: number, questions: number | null = null) =>
        stores.executions.journal.append([{ kind: "shown", row: { ...of, pause, questions } }], "soon")
      expect(await stores.executions.executions.shown(of)).toBeNull()
      await show(2)
      await show(1)
      expect(await other.executions.executions.shown(of)).toEqual({ pause: 2, questions: null })
      void show(5, 20)
      expect(await stores.executions.executions.shown(of)).toEqual({ pause: 5, questions: 20 })
      for (const questions of [40, 30]) await show(5, questions)
      expect(await other.executions.executions.shown(of)).toEqual({ pause: 5, questions: 40 })
      await show(4)
      expect(await other.executions.executions.shown(of)).toEqual({ pause: 5, questions: 40 })
      for (const questions of [null, 60]) await show(5, questions)
      expect(await other.executions.executions.shown(of)).toEqual({ pause: 5, questions: null })
      for (const change of [{ tenant: "t" }, { executionId: "exe_other" }, { viewer: "alice/tok_2" }])
        expect(await other.executions.executions.shown({ ...of, ...change })).toBeNull()
    })

    it("are claimed by status and run", async () => {
      const { executions, journal } = use().stores.executions
      const row = executionRow(newScope())
      const lease = { owner: "node_2", until: later(90) }
      expect(await executions.claim(row, lease)).toBe(false)
      await put([row])
      await journal.append([outcomeRecord(row, paused())], "now")
      const waiting = { ...row, ...paused(), leaseOwner: null, leaseUntil: null }
      expect(await executions.claim({ ...row, status: "running" }, lease)).toBe(false)
      expect(await executions.claim({ ...waiting, run: 2 }, lease)).toBe(false)
      expect(await executions.claim({ ...waiting, tenant: newScope().tenant }, lease)).toBe(false)
      expect(await executions.claim(waiting, lease)).toBe(true)
      expect(await executions.get(allOf(row), row.id)).toEqual({
        ...waiting,
        status: "running",
        run: 2,
        expiresAt: null,
        leaseOwner: "node_2",
        leaseUntil: later(90),
      })
      expect(await executions.claim(waiting, lease)).toBe(false)
    })

    it("are claimed by one of many that try at once, again and again", async () => {
      const { stores, other } = use()
      const row = executionRow(newScope())
      await put([row])
      for (let run = 1; run <= 15; run += 1) {
        const claims = Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? stores : other).executions.executions.claim({ ...row, run }, { owner: `node_${index}`, until: later(90) }),
        )
        const taken = (await Promise.all(claims)).flatMap((isTaken, index) => (isTaken ? [`node_${index}`] : []))
        expect(taken).toHaveLength(1)
        const now = await other.executions.executions.get(allOf(row), row.id)
        expect([now?.run, now?.leaseOwner]).toEqual([run + 1, taken[0]])
      }
    })
  })
}
