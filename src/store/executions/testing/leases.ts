// Conformance of housekeeping: leases, expiry, and deletion, with many nodes at once.
import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import type { ExecutionRow, JournalRecord, LeaseRows } from "../../execution-store.ts"
import type { ExecutionsUnderTest } from "./suite.ts"
import { allOf, approvalRow, callRow, doneCall, eventRow, executionRow, later, newScope, outcomeRecord, paused } from "./samples.ts"

/** Leases of this test alone lie far from those of others, because housekeeping looks at all tenants. */
const far = (year: number, seconds = 0): string => new Date(Date.UTC(year, 0, 1) + seconds * 1000).toISOString()

export function testLeases(use: () => ExecutionsUnderTest): void {
  const append = (records: readonly JournalRecord[]): Promise<void> => use().stores.executions.journal.append(records, "now")
  const put = (rows: readonly ExecutionRow[]): Promise<void> => append(rows.map((row) => ({ kind: "execution", row })))
  const leases = (): LeaseRows => use().stores.executions.leases

  describe("leases", () => {
    it("are renewed where the owner still holds them", async () => {
      const scope = newScope()
      const [held, lost, ended, foreign] = [1, 2, 3, 4].map((index) =>
        executionRow(scope, { id: `exe_${index}`, leaseOwner: "node_r" }),
      ) as [ExecutionRow, ExecutionRow, ExecutionRow, ExecutionRow] // four of them
      const elsewhere = executionRow(newScope(), { id: "exe_9", leaseOwner: "node_r" })
      await put([held, lost, ended, { ...foreign, leaseOwner: "node_x" }, elsewhere])
      await use().other.executions.executions.claim(lost, { owner: "node_y", until: later(60) })
      await append([outcomeRecord(ended)])
      const ids = [held, lost, ended, foreign, elsewhere, { tenant: scope.tenant, id: "absent" }, { tenant: elsewhere.tenant, id: held.id }]
      const rows = await leases().renew({ owner: "node_r", until: later(500) }, ids)
      expect(rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
        { ...held, leaseUntil: later(500) },
        { ...elsewhere, leaseUntil: later(500) },
      ])
      expect((await use().other.executions.executions.get(allOf(lost), lost.id))?.leaseUntil).toBe(later(60))
    })

    it("show which executions the owner does not hold, and nothing of those it does", async () => {
      const scope = newScope()
      const [held, lost, ended, unowned] = [1, 2, 3, 4].map((index) =>
        executionRow(scope, { id: `exe_${index}`, leaseOwner: "node_r" }),
      ) as [ExecutionRow, ExecutionRow, ExecutionRow, ExecutionRow] // four of them
      const foreign = executionRow(newScope(), { id: held.id, leaseOwner: "node_x" })
      await put([held, lost, ended, { ...unowned, leaseOwner: null }, foreign])
      await use().other.executions.executions.claim(lost, { owner: "node_y", until: later(60) })
      await append([outcomeRecord(ended)])
      const ids = [held, lost, ended, unowned, { tenant: scope.tenant, id: "absent" }]
      const rows = await leases().findUnheld("node_r", ids)
      expect(Object.fromEntries(rows.map(({ id, run }) => [id, run]))).toEqual({
        exe_2: lost.run + 1,
        exe_3: ended.run,
        exe_4: unowned.run,
      })
    })

    it("show whose a running execution is by now", async () => {
      const row = executionRow(newScope(), { leaseOwner: "node_r" })
      await put([row])
      const find = (): Promise<ExecutionRow | null> => leases().findRunning(row)
      expect(await find()).toMatchObject({ run: row.run, leaseOwner: "node_r" })
      await use().other.executions.executions.claim(row, { owner: "node_y", until: later(60) })
      expect(await find()).toMatchObject({ run: row.run + 1, leaseOwner: "node_y" })
      await append([outcomeRecord({ ...row, run: row.run + 1 })])
      expect(await find()).toBeNull()
    })

    it("are renewed by the thousand", async () => {
      const scope = newScope()
      const rows = Array.from({ length: 1200 }, () => executionRow(scope, { leaseOwner: "node_many" }))
      await put(rows)
      const held = await leases().renew({ owner: "node_many", until: later(500) }, rows)
      expect(new Set(held.map(({ id }) => id))).toEqual(new Set(rows.map(({ id }) => id)))
      expect(new Set(held.map(({ leaseUntil }) => leaseUntil))).toEqual(new Set([later(500)]))
    })

    it("that ran out are taken by one node each, oldest first, of all tenants", async () => {
      const rows = Array.from({ length: 30 }, (_, index) => executionRow(newScope(), { leaseUntil: far(2001, index) }))
      const idle = executionRow(newScope(), { leaseUntil: far(2001) })
      await put([...rows, idle])
      await append([outcomeRecord(idle, paused())])
      const first = await leases().takeExpired({ owner: "node_a", until: far(2050) }, far(2001, 3), 100)
      expect(first.map(({ id }) => id).toSorted()).toEqual(
        rows
          .slice(0, 4)
          .map(({ id }) => id)
          .toSorted(),
      )
      const example = first.find(({ id }) => id === rows[0]?.id)
      expect(example).toEqual({ ...rows[0], run: 2, leaseOwner: "node_a", leaseUntil: far(2050) })

      const takers = Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? use().stores : use().other).executions.leases.takeExpired(
          { owner: `node_${index}`, until: far(2050) },
          far(2002),
          5,
        ),
      )
      const taken = (await Promise.all(takers)).flat()
      expect(new Set(taken.map(({ id }) => id)).size).toBe(taken.length)
      const rest = await leases().takeExpired({ owner: "node_z", until: far(2050) }, far(2002), 100)
      expect([...taken, ...rest].map(({ id }) => id).toSorted()).toEqual(
        rows
          .slice(4)
          .map(({ id }) => id)
          .toSorted(),
      )
      expect(await leases().takeExpired({ owner: "node_z", until: far(2050) }, far(2002), 100)).toEqual([])
    })

    it("are let go of by their owner alone, and then taken at once", async () => {
      const scope = newScope()
      const [left, idle, foreign] = ["exe_left", "exe_idle", "exe_foreign"].map((id) =>
        executionRow(scope, { id, leaseOwner: id === "exe_foreign" ? "node_stays" : "node_leaves", leaseUntil: far(2060) }),
      ) as [ExecutionRow, ExecutionRow, ExecutionRow] // three of them
      await put([left, idle, foreign])
      await append([outcomeRecord(idle, paused())])
      const now = far(2004)
      expect(await leases().release("node_leaves", now)).toEqual([{ ...left, leaseUntil: now }])
      expect(await leases().release("node_leaves", now)).toEqual([])
      const taken = await use().other.executions.leases.takeExpired({ owner: "node_next", until: far(2060) }, now, 100)
      expect(taken.filter(({ tenant }) => tenant === scope.tenant)).toEqual([
        { ...left, run: left.run + 1, leaseOwner: "node_next", leaseUntil: far(2060) },
      ])
    })

    it("are not waited for by their renewal while outcomes are written", async () => {
      const scope = newScope()
      const rows = Array.from({ length: 200 }, () => executionRow(scope, { leaseOwner: "node_busy" }))
      await put(rows)
      const ending = rows.map((row) => append([outcomeRecord(row)]))
      const renewals = Array.from({ length: 5 }, () => leases().renew({ owner: "node_busy", until: later(500) }, rows))
      await Promise.all([...ending, ...renewals])
      expect(await leases().renew({ owner: "node_busy", until: later(500) }, rows)).toEqual([])
    })
  })

  describe("pauses", () => {
    it("that ran out are found, oldest first", async () => {
      const scope = newScope()
      const rows = [3, 1, 2].map((second) => executionRow(scope, { id: `exe_${second}` }))
      await put(rows)
      await append(rows.map((row, index) => outcomeRecord(row, paused({ expiresAt: far(2003, [3, 1, 2][index]) }))))
      const found = await leases().findOverdue(far(2003, 2), 10)
      expect(found.map(({ id }) => id)).toEqual(["exe_1", "exe_2"])
      expect(found[0]).toEqual({ ...rows[1], ...paused({ expiresAt: far(2003, 1) }), leaseOwner: null, leaseUntil: null })
      expect(await leases().findOverdue(far(2003, 2), 1)).toHaveLength(1)
      if (found[0]) await use().other.executions.executions.claim(found[0], { owner: "node_1", until: later(9) })
      expect((await leases().findOverdue(far(2003, 9), 10)).map(({ id }) => id)).toEqual(["exe_2", "exe_3"])
    })

    it("are found when nothing is left that they wait for", async () => {
      const scope = newScope()
      const rows = ["exe_waits", "exe_answered", "exe_ended"].map((id) => executionRow(scope, { id }))
      const statuses = ["pending", "accept", "accept"] as const
      await append(
        rows.flatMap((row, index): JournalRecord[] => [
          { kind: "execution", row },
          { kind: "approval", row: approvalRow(scope, { id: `apr_${row.id}`, executionId: row.id, status: statuses[index] ?? "pending" }) },
          outcomeRecord(row, row.id === "exe_ended" ? {} : paused({ expiresAt: far(2090) })),
        ]),
      )
      const found = await leases().findAnswered(1000)
      expect(found.filter(({ tenant }) => tenant === scope.tenant).map(({ id }) => id)).toEqual(["exe_answered"])
    })
  })

  describe("deletion", () => {
    it("drops old executions with their journal and approvals, and keeps the newest and whatever has not ended", async () => {
      const scope = newScope()
      const rows = Array.from({ length: 130 }, (_, index) =>
        executionRow(scope, { id: `exe_${String(index).padStart(3, "0")}`, createdAt: far(1990, index) }),
      )
      const [, waiting] = rows
      await append(
        rows.flatMap((row, index): JournalRecord[] => [
          { kind: "execution", row },
          { kind: "call", row: index % 2 === 0 ? doneCall(row) : callRow(row) },
          { kind: "event", row: eventRow(row, 0) },
          { kind: "approval", row: approvalRow(scope, { id: `apr_${row.id}`, executionId: row.id }) },
          outcomeRecord(row, row === waiting ? paused({ expiresAt: far(2090) }) : { endedAt: far(1990, index + 10) }),
        ]),
      )
      const lone = [
        approvalRow(scope, { id: "lone_old", expiresAt: far(1989) }),
        approvalRow(scope, { id: "lone_new", expiresAt: far(2090) }),
      ]
      await append(lone.map((row) => ({ kind: "approval", row })))

      // The first hundred ended before; of them those among the newest fifty stay.
      await use().other.executions.executions.deleteOld({ before: far(1990, 110), keep: 50, auditBefore: far(1990, 110) })
      const kept = ["exe_001", ...rows.slice(80).map(({ id }) => id)]
      const { executions, journal, approvals } = use().stores.executions
      expect((await executions.list(allOf(scope), {}, { after: null, limit: 1000 })).map(({ id }) => id).toReversed()).toEqual(kept)
      for (const id of ["exe_000", "exe_001", "exe_079", "exe_080"]) {
        const expected = kept.includes(id) ? 1 : 0
        const { calls, events } = await journal.read(scope, id)
        const asked = await approvals.list(allOf(scope), { executionId: id }, { after: null, limit: 10 })
        expect([calls.length, events.length, asked.length]).toEqual([expected, expected, expected])
      }
      expect(await approvals.get(allOf(scope), "lone_old")).toBeNull()
      expect(await approvals.get(allOf(scope), "lone_new")).not.toBeNull()
      // Nothing is kept for its number alone, but what is too young stays.
      await executions.deleteOld({ before: far(1990, 115), keep: 0, auditBefore: far(1990, 115) })
      expect((await executions.list(allOf(scope), {}, { after: null, limit: 1000 })).map(({ id }) => id).toReversed()).toEqual([
        "exe_001",
        ...rows.slice(105).map(({ id }) => id),
      ])
    })

    it("keeps what one principal has stored within a size: the newest, whatever has not ended, and every line of the audit", async () => {
      const scope = newScope()
      const kilobytes = (count: number): string => JSON.stringify(randomBytes(count * 512).toString("hex"))
      const own = Array.from({ length: 50 }, (_, index) => executionRow(scope, { id: `exe_${String(index).padStart(2, "0")}` }))
      const others = [executionRow(scope, { id: "exe_a0", tokenId: "tok_2" }), executionRow(scope, { id: "exe_a1", tokenId: null })]
      const waiting = own.slice(1, 3)
      await append(
        [...own, ...others].flatMap((row): JournalRecord[] => [
          { kind: "execution", row: { ...row, code: kilobytes(2) } },
          { kind: "call", row: doneCall(row, { argsJson: kilobytes(2), answerJson: kilobytes(2) }) },
          { kind: "event", row: eventRow(row, 0) },
          { kind: "approval", row: approvalRow(scope, { id: `apr_${row.id}`, executionId: row.id, argsJson: kilobytes(2) }) },
          outcomeRecord(row, waiting.includes(row) ? paused() : { endedAt: later(10), result: kilobytes(2) }),
        ]),
      )
      const { executions, journal, audit } = use().stores.executions
      const ids = async (): Promise<string[]> =>
        (await executions.list(allOf(scope), {}, { after: null, limit: 1000 })).map(({ id }) => id).toReversed()
      const readLines = async () =>
        (await audit.list(allOf(scope), {}, { after: null, limit: 1000 })).map((line) => ({ ...line, link: null }))
      const lines = await readLines()
      const agent = { tenant: scope.tenant, user: scope.user, tokenId: "tok_1" }

      const { unendedBytes } = await executions.trim(agent, 2 ** 30)
      expect(await ids()).toHaveLength(52)
      expect(unendedBytes).toBeGreaterThan(2 * 8 * 1024)
      expect(unendedBytes).toBeLessThan(2 * 12 * 1024)

      // Two that wait and thirty or so that ended have room.
      expect(await use().other.executions.executions.trim(agent, 400 * 1024)).toEqual({ unendedBytes })
      const kept = await ids()
      const keptOwn = own.map(({ id }) => id).slice(-(kept.length - 4))
      expect(kept).toEqual(["exe_01", "exe_02", ...keptOwn, "exe_a0", "exe_a1"])
      expect(keptOwn.length).toBeGreaterThan(25)
      expect(keptOwn.length).toBeLessThan(40)
      expect((await journal.read(scope, "exe_00")).calls).toEqual([])
      expect((await journal.read(scope, "exe_01")).calls).toHaveLength(1)

      await executions.trim({ ...agent, tokenId: null }, 0)
      await executions.trim(agent, 0)
      expect(await ids()).toEqual(["exe_01", "exe_02", "exe_a0"])
      expect(await readLines()).toEqual(lines)
    })
  })
}
