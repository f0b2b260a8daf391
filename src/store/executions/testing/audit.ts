// Conformance of the audit: changes and calls in one stream, newest first, page by page.
import { setImmediate } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { ExecutorError } from "../../../core/errors.ts"
import { newId, sha256 } from "../../../io/ids.ts"
import type { AuditFilter } from "../../../core/audit/entry.ts"
import type { AuditRow, SealedRow } from "../../audit-store.ts"
import type { JournalRecord } from "../../execution-store.ts"
import type { ExecutionsUnderTest } from "./suite.ts"
import { allOf, auditRow, callRow, doneCall, executionRow, later, newScope, outcomeRecord } from "./samples.ts"

/** Far from the times of other tests, because forgetting looks at all tenants. */
const long = (seconds: number): string => new Date(Date.UTC(1980, 0, 1) + seconds * 1000).toISOString()

/** Entries are sealed at some moment, and are the same. */
const unlinked = ({ link: _link, ...row }: SealedRow): AuditRow => row

export function testAudit(use: () => ExecutionsUnderTest): void {
  const append = (records: readonly JournalRecord[]): Promise<void> => use().stores.executions.journal.append(records, "now")

  async function readAll(tenant: string, limit: number): Promise<AuditRow[]> {
    const { audit } = use().other.executions
    const rows: AuditRow[] = []
    for (let after: string | null = null; ; after = rows.at(-1)?.id ?? null) {
      const page = (await audit.list(allOf({ tenant }), {}, { after, limit })).map(unlinked)
      if (page.length === 0) return rows
      expect(page.length).toBeLessThanOrEqual(limit)
      rows.push(...page)
    }
  }

  describe("audit", () => {
    it("counts the calls of one address that reached their tool", async () => {
      const scope = newScope()
      const subject = "tools.github.org.main.repos.get"
      const entry = (at: number, change: Partial<AuditRow> = {}): JournalRecord => ({
        kind: "audit",
        row: auditRow(scope, later(at), { action: "call", subject, decision: "allow", outcome: "ok", ...change }),
      })
      const row = executionRow(scope)
      await append([
        entry(1),
        entry(2, { decision: "require_approval", outcome: "upstream_error", user: "bob" }),
        entry(3, { subject: `${subject}s` }),
        entry(3, { action: "policy.create" }),
        entry(3, { decision: "block", outcome: "tool_blocked" }),
        entry(3, { decision: null, outcome: "invalid_arguments" }),
        entry(3, { decision: "require_approval", outcome: "approval_declined" }),
        { kind: "execution", row },
        { kind: "call", row: doneCall(row, { address: subject, startedAt: later(4), decision: "allow" }), asker: row },
      ])
      const { audit } = use().other.executions
      const usage = (from: number, to: number, who = allOf(scope)) => audit.usage(who, subject, { from: later(from), to: later(to) })
      const count = async (from: number, to: number, who = allOf(scope)) => (await usage(from, to, who)).calls
      expect(await usage(0, 9)).toEqual({ calls: 3, callers: 3 })
      expect([await count(0, 2), await count(2, 3), await count(3, 4), await count(4, 5)]).toEqual([1, 1, 0, 1])
      expect(await count(0, 9, { ...allOf(scope), user: "bob" })).toBe(1)
      expect(await count(0, 9, allOf(newScope()))).toBe(0)
      await append([outcomeRecord(row)])
      await use().stores.executions.executions.trim(row, 0)
      expect(await use().stores.executions.executions.get(allOf(scope), row.id)).toBeNull()
      expect(await count(0, 9)).toBe(3)
    })

    it("tells of a change and of a call", async () => {
      const scope = newScope()
      const change = auditRow(scope, later(1), {
        tokenId: "tok_9",
        decision: "allow",
        rule: "pol_1",
        executionId: "exe_9",
        details: '{"a":1}',
      })
      const row = executionRow(scope)
      const call = doneCall(row, { startedAt: later(2), decision: "require_approval", rule: "pol_2", ms: 7 })
      await append([{ kind: "audit", row: change }])
      await append([
        { kind: "execution", row },
        { kind: "call", row: call },
      ])
      const [first, second, ...rest] = await use().other.executions.audit.list(allOf(scope), {}, { after: null, limit: 10 })
      expect(rest).toEqual([])
      expect(second).toMatchObject(change)
      expect(first).toMatchObject({
        tenant: scope.tenant,
        id: first?.id,
        at: later(2),
        user: "alice",
        principalKind: "agent",
        tokenId: "tok_1",
        action: "call",
        subject: call.address,
        executionId: row.id,
        decision: "require_approval",
        rule: "pol_2",
        outcome: "ok",
        details: '{"ms":7}',
      })
    })

    it("says how a call went", async () => {
      const scope = newScope()
      const row = executionRow(scope)
      const calls = [
        callRow(row, { key: "k:0", startedAt: later(0), state: "waiting" }),
        callRow(row, { key: "k:1", startedAt: later(1) }),
        doneCall(row, { key: "k:2", startedAt: later(2), errorCode: "tool_blocked" }),
        doneCall(row, { key: "k:3", startedAt: later(3) }),
      ]
      await append([{ kind: "execution", row }, ...calls.map((call) => ({ kind: "call" as const, row: call }))])
      expect((await readAll(scope.tenant, 10)).map(({ outcome }) => outcome)).toEqual(["ok", "tool_blocked", "started", "waiting"])
    })

    it("keeps what was put first under an id", async () => {
      const scope = newScope()
      const row = auditRow(scope, later(1))
      await append([{ kind: "audit", row: row }])
      await append([{ kind: "audit", row: { ...row, action: "forged" } }])
      expect((await readAll(scope.tenant, 10)).map(({ action }) => action)).toEqual(["policy.create"])
    })

    it.each([1, 2, 3, 7, 100])("is one stream in pages of %i, also where many happened at once", async (limit) => {
      const scope = newScope()
      const rows = [executionRow(scope), executionRow(scope)]
      const seconds = [0, 1, 1, 1, 2, 3, 3, 4]
      const changes = seconds.map((second) => auditRow(scope, later(second)))
      const calls = rows.flatMap((row) =>
        seconds.map((second, index) => doneCall(row, { key: `key ${index}:0`, seq: index, startedAt: later(second) })),
      )
      await append([
        ...rows.map((row) => ({ kind: "execution" as const, row })),
        ...changes.map((row) => ({ kind: "audit" as const, row })),
        ...calls.map((row) => ({ kind: "call" as const, row })),
      ])
      const stream = await readAll(scope.tenant, limit)
      expect(stream).toHaveLength(24)
      expect(new Set(stream.map(({ id }) => id)).size).toBe(24)
      expect(stream.map(({ at }) => at)).toEqual(
        stream
          .map(({ at }) => at)
          .toSorted()
          .toReversed(),
      )
      expect(stream.filter(({ action }) => action !== "call").map(({ id }) => id)).toEqual(
        changes
          .map(({ id }) => id)
          .toSorted()
          .toReversed(),
      )
    })

    it("has the same lines in the same order when executions are forgotten, however many calls they made", async () => {
      const scope = newScope()
      const rows = [1500, 300, 900, 2, 0, 700].map((callCount, index) => ({
        callCount,
        row: executionRow(scope, {
          id: newId("exe", new Date(long(index))),
          createdAt: long(index),
          tokenId: index % 2 === 0 ? "tok_1" : null,
        }),
      }))
      for (const { row, callCount } of rows) {
        const calls = Array.from({ length: callCount }, (_, seq) => {
          const key = `${sha256(String(seq)).slice(0, 40)}:0`
          const facts = { key, seq, startedAt: long(seq % 50), ms: seq / 8, rule: seq % 3 === 0 ? "pol_1" : null }
          if (seq % 5 === 0) return doneCall(row, { ...facts, errorCode: "tool_blocked", decision: "block" })
          return seq % 7 === 0 ? callRow(row, { ...facts, approvalId: "apr_1", ms: null }) : doneCall(row, facts)
        })
        await append([
          { kind: "execution", row },
          ...calls.map((call) => ({ kind: "call" as const, row: call })),
          outcomeRecord(row, { endedAt: long(60) }),
        ])
      }
      await append(Array.from({ length: 50 }, (_, second) => ({ kind: "audit", row: auditRow(scope, long(second)) })))
      const before = await readAll(scope.tenant, 1000)
      expect(before).toHaveLength(3402 + 50)
      const middle = before[1234]?.id ?? ""

      const { executions, journal, audit } = use().stores.executions
      await executions.deleteOld({ before: long(61), keep: 1, auditBefore: long(-1) })
      expect(await executions.list(allOf(scope), {}, { after: null, limit: 10 })).toHaveLength(1)
      expect((await journal.read(scope, rows[0]?.row.id ?? "")).calls).toEqual([])
      expect(await readAll(scope.tenant, 1000)).toEqual(before)
      const next = await audit.list(allOf(scope), {}, { after: middle, limit: 20 })
      expect(next.map(unlinked)).toEqual(before.slice(1235, 1255))
      expect(await readAll(newScope().tenant, 10)).toEqual([])

      await audit.chain(scope.tenant)
      await executions.deleteOld({ before: long(61), keep: 0, auditBefore: long(50) })
      expect(await readAll(scope.tenant, 1000)).toEqual([])
    })

    it("has every line at every moment while executions are forgotten", async () => {
      const scope = newScope()
      const rows = Array.from({ length: 120 }, (_, index) =>
        executionRow(scope, { id: newId("exe", new Date(long(index))), createdAt: long(index) }),
      )
      await append(
        rows.flatMap((row, index): JournalRecord[] => [
          { kind: "execution", row },
          ...[0, 1, 2].map((seq) => ({
            kind: "call" as const,
            row: doneCall(row, { key: `key:${seq}`, seq, startedAt: long(index + seq) }),
          })),
          outcomeRecord(row, { endedAt: long(index + 5) }),
        ]),
      )
      const before = await readAll(scope.tenant, 1000)
      const underWay = new Set(["forgetting"])
      const forgetting = use()
        .stores.executions.executions.deleteOld({ before: long(200), keep: 0, auditBefore: long(-1) })
        .finally(() => underWay.clear())
      // SQLite answers without waiting, and the forgetting needs its turns.
      do {
        expect(await readAll(scope.tenant, 50)).toEqual(before)
        await setImmediate()
      } while (underWay.size > 0)
      await forgetting
      expect(await readAll(scope.tenant, 50)).toEqual(before)
    })

    it("is filtered by each of its fields and by time, also when executions are forgotten", async () => {
      const scope = newScope()
      const rows = ["alice", "bob"].map((user, index) =>
        executionRow(scope, { id: newId("exe", new Date(long(index))), createdAt: long(index), user }),
      )
      const [row] = rows
      const calls = rows.flatMap((one) => [
        callRow(one, { key: "k:0", startedAt: long(3), state: "waiting", rule: "pol_1" }),
        doneCall(one, { key: "k:1", startedAt: long(2), rule: "pol_2", address: "tools.github.org.main.repos.list" }),
        doneCall(one, { key: "k:2", startedAt: long(1), errorCode: "tool_blocked", rule: "pol_2" }),
      ])
      const changes = [
        auditRow(scope, long(4), { executionId: row?.id ?? "", action: "approval.accept" }),
        auditRow(scope, long(2), { user: "bob" }),
        auditRow(scope, long(1), { outcome: "forbidden", subject: "github.org.main.repos.list" }),
        auditRow(scope, long(0), { action: "call", outcome: "tool_blocked", rule: "pol_2" }),
      ]
      await append([
        ...rows.map((one) => ({ kind: "execution" as const, row: one })),
        ...calls.map((call) => ({ kind: "call" as const, row: call })),
        ...changes.map((change) => ({ kind: "audit" as const, row: change })),
        ...rows.map((one) => outcomeRecord(one, { endedAt: long(5) })),
      ])
      const { audit, executions } = use().stores.executions
      const whole = await readAll(scope.tenant, 100)
      const idOf = (action: string): string => whole.find((line) => line.action === action)?.id ?? ""
      const filters: readonly AuditFilter[] = [
        { executionId: row?.id ?? "" },
        { action: "call" },
        { action: "policy.create" },
        { rule: "pol_2" },
        { outcome: "ok" },
        { outcome: "waiting" },
        { outcome: "tool_blocked", rule: "pol_2" },
        { executionId: row?.id ?? "", action: "call", outcome: "ok", rule: "pol_2" },
        { executionId: "exe_absent" },
        { id: idOf("call") },
        { id: idOf("policy.create") },
        { id: idOf("call"), action: "policy.create" },
        { id: "call~x" },
        { user: "bob" },
        { user: "bob", action: "call", outcome: "ok" },
        { subject: "tools.github.org.main.repos.list" },
        { from: long(2) },
        { to: long(2) },
        { from: long(1), to: long(3), user: "alice" },
      ]
      async function expectFiltered(): Promise<void> {
        for (const filter of filters) {
          const { from = "", to = "~", ...fields } = filter
          const expected = whole.filter(
            (line) =>
              line.at >= from &&
              line.at < to &&
              Object.entries(fields).every(([field, value]) => line[field as keyof typeof fields] === value), // a filter has these fields alone
          )
          const found = await audit.list(allOf(scope), filter, { after: null, limit: 100 })
          expect(found.map(unlinked), JSON.stringify(filter)).toEqual(expected)
          const [first] = expected
          if (!first) continue
          const rest = await audit.list(allOf(scope), filter, { after: first.id, limit: 2 })
          expect(rest.map(unlinked)).toEqual(expected.slice(1, 3))
        }
      }
      // A path that was copied without the root means the call as well; what was administered under that name has none.
      const byPath = (await audit.list(allOf(scope), { subject: "github.org.main.repos.list" }, { after: null, limit: 100 })).map(unlinked)
      expect(byPath).toEqual(whole.filter(({ subject }) => subject.endsWith("github.org.main.repos.list")))
      expect(byPath).toHaveLength(3)
      await expectFiltered()
      await executions.deleteOld({ before: long(6), keep: 0, auditBefore: long(-1) })
      await expectFiltered()
    })

    it.each(["absent", "call~", "call~x", "' or 1 = 1", ""])("refuses a place that does not exist: %j", async (after) => {
      const scope = newScope()
      await append([{ kind: "audit", row: auditRow(scope, later(1)) }])
      await expect(use().stores.executions.audit.list(allOf(scope), {}, { after, limit: 5 })).rejects.toThrow(ExecutorError)
    })

    it("does not find its place by another tenant's entry", async () => {
      const [mine, theirs] = [newScope(), newScope()]
      const entry = auditRow(theirs, later(1))
      await append([{ kind: "audit", row: entry }])
      await expect(use().stores.executions.audit.list(allOf(mine), {}, { after: entry.id, limit: 5 })).rejects.toThrow(ExecutorError)
    })
  })
}
