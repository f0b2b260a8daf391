// Conformance of the audit's chain: every entry gets its place, whoever records it, and what is pruned leaves an anchor.
import { describe, expect, it } from "vitest"
import { chainStart, chainText } from "../../../core/audit/chain.ts"
import type { ChainPlace } from "../../../core/audit/chain.ts"
import { sha256 } from "../../../io/ids.ts"
import { entryOf } from "../../audit-store.ts"
import type { SealedRow } from "../../audit-store.ts"
import type { JournalRecord } from "../../execution-store.ts"
import type { ExecutionsUnderTest } from "./suite.ts"
import { allOf, auditRow, callRow, doneCall, executionRow, later, newScope, outcomeRecord } from "./samples.ts"

/** Older than anything else, because pruning looks at all tenants. */
const long = (seconds: number): string => new Date(Date.UTC(1975, 0, 1) + seconds * 1000).toISOString()

export function testAuditChain(use: () => ExecutionsUnderTest): void {
  const append = (records: readonly JournalRecord[]): Promise<void> => use().stores.executions.journal.append(records, "now")

  async function readChain(tenant: string, limit = 50): Promise<SealedRow[]> {
    const { audit } = use().other.executions
    const rows: SealedRow[] = []
    for (;;) {
      const last = rows.at(-1)
      const page = await audit.sealed(tenant, last?.link ? { position: last.link.position, id: last.id } : null, limit)
      rows.push(...page)
      if (page.length < limit) return rows
    }
  }

  /** From `start` on without a gap, each with the hash of the one before it, up to the head. */
  async function expectChain(tenant: string, start: ChainPlace = chainStart): Promise<SealedRow[]> {
    const { head, pruned } = await use().other.executions.audit.chain(tenant)
    expect(pruned).toEqual(start)
    const rows = await readChain(tenant)
    let last = start
    for (const row of rows) {
      expect(row.link).toMatchObject({ position: last.position + 1, previousHash: last.hash })
      const link = { position: last.position + 1, previousHash: last.hash }
      last = { position: link.position, hash: sha256(chainText(entryOf(row), link)) }
      expect(row.link?.hash).toBe(last.hash)
    }
    expect(head).toEqual(last)
    return rows
  }

  describe("audit chain", () => {
    it("is empty where nothing happened", async () => {
      const { tenant } = newScope()
      expect(await use().stores.executions.audit.chain(tenant)).toEqual({ head: chainStart, pruned: chainStart, beginsAt: "" })
      expect(await readChain(tenant)).toEqual([])
    })

    it("has every change and every call that is done, once, as the stream shows it", async () => {
      const scope = newScope()
      const row = executionRow(scope)
      const done = doneCall(row, {
        key: "k:0",
        startedAt: later(2),
        approvalId: "apr_1",
        ms: 7.5,
        errorCode: "tool_blocked",
        rule: "pol_1",
      })
      const call = (one: typeof done): JournalRecord => ({ kind: "call", row: one, asker: row })
      await append([
        { kind: "audit", row: auditRow(scope, later(1), { details: '{"b":1,"a":{"d":[1,"é\u2028"],"c":null}}' }) },
        { kind: "execution", row },
        call(callRow(row, { key: "k:1", startedAt: later(3) })),
        call(callRow(row, { key: "k:2", startedAt: later(3), state: "waiting" })),
        call(done),
      ])
      await append([call(done)])
      const rows = await expectChain(scope.tenant)
      expect(rows.map(({ action, outcome }) => [action, outcome])).toEqual([
        ["policy.create", "ok"],
        ["call", "tool_blocked"],
      ])
      expect(rows[1]).toMatchObject({ executionId: row.id, user: row.user, tokenId: row.tokenId, rule: "pol_1", at: later(2) })
      expect(JSON.parse(rows[1]?.details ?? "")).toEqual({ ms: 7.5, approvalId: "apr_1" })
      const stream = await use().stores.executions.audit.list(allOf(scope), {}, { after: null, limit: 10 })
      expect(stream.map(({ outcome, link }) => [outcome, link?.position ?? null])).toEqual([
        ["waiting", null],
        ["started", null],
        ["tool_blocked", 2],
        ["ok", 1],
      ])
      expect(stream.slice(2).toReversed()).toEqual(rows)
    })

    it("keeps tenants apart", async () => {
      const scopes = [newScope(), newScope()]
      for (let second = 0; second < 3; second += 1)
        await append(scopes.map((scope) => ({ kind: "audit", row: auditRow(scope, later(second)) })))
      for (const { tenant } of scopes) expect(await expectChain(tenant)).toHaveLength(3)
    })

    it("is one chain when many processes record and seal at the same time", async () => {
      const scopes = [newScope(), newScope()]
      const { stores, other } = use()
      const write = async ({ executions }: typeof stores, writer: number): Promise<void> => {
        for (let turn = 0; turn < 40; turn += 1) {
          const scope = scopes[(writer + turn) % 2] ?? newScope()
          const row = executionRow(scope)
          await executions.journal.append(
            [
              { kind: "audit", row: auditRow(scope, later(turn)) },
              { kind: "execution", row },
              { kind: "call", row: doneCall(row, { startedAt: later(turn) }), asker: row },
            ],
            turn % 3 === 0 ? "soon" : "now",
          )
          if (turn % 7 === writer) await executions.audit.chain(scope.tenant)
        }
      }
      await Promise.all([0, 1, 2].flatMap((writer) => [write(stores, writer), write(other, writer)]))
      const rows = [...(await expectChain(scopes[0]?.tenant ?? "")), ...(await expectChain(scopes[1]?.tenant ?? ""))]
      expect(rows).toHaveLength(6 * 40 * 2)
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    })

    it("loses its beginning with its age, and can still be verified", async () => {
      const scope = newScope()
      const { audit, executions } = use().stores.executions
      await append(Array.from({ length: 2500 }, (_, second) => ({ kind: "audit", row: auditRow(scope, long(second)) })))
      const before = await expectChain(scope.tenant)
      expect(before).toHaveLength(2500)
      await executions.deleteOld({ before: long(0), keep: 0, auditBefore: long(2100) })
      const { position = 0, hash = "" } = before[2099]?.link ?? {}
      expect(await expectChain(scope.tenant, { position, hash })).toEqual(before.slice(2100))
      await append([{ kind: "audit", row: auditRow(scope, long(2600)) }])
      expect(await expectChain(scope.tenant, { position, hash })).toHaveLength(401)
      await executions.deleteOld({ before: long(0), keep: 0, auditBefore: long(9000) })
      const { head, pruned } = await audit.chain(scope.tenant)
      expect([head, pruned, await readChain(scope.tenant)]).toMatchObject([{ position: 2501 }, head, []])
      await append([{ kind: "audit", row: auditRow(scope, later(1)) }])
      expect(await expectChain(scope.tenant, head)).toMatchObject([{ link: { position: 2502, previousHash: head.hash } }])
    })

    it("takes up what is forgotten before it was done", async () => {
      const scope = newScope()
      const row = executionRow(scope, { createdAt: long(0) })
      await append([
        { kind: "execution", row },
        { kind: "call", row: callRow(row, { startedAt: long(1) }), asker: row },
        outcomeRecord(row, { endedAt: long(2) }),
      ])
      expect(await expectChain(scope.tenant)).toEqual([])
      await use().stores.executions.executions.deleteOld({ before: long(9), keep: 0, auditBefore: long(-1) })
      expect(await expectChain(scope.tenant)).toMatchObject([{ action: "call", outcome: "started" }])
    })

    it("finds the places of a time, and nothing outside of the chain", async () => {
      const scope = newScope()
      const { audit } = use().stores.executions
      await append([0, 5, 2, 9].map((second) => ({ kind: "audit", row: auditRow(scope, later(second)) })))
      await audit.chain(scope.tenant)
      expect(await audit.findSealed(scope.tenant, { from: later(2), to: later(9) }, 0, 100)).toEqual({ first: 2, last: 3 })
      expect(await audit.findSealed(scope.tenant, { from: later(2) }, 3, 100)).toEqual({ first: 4, last: 4 })
      expect(await audit.findSealed(scope.tenant, { from: later(20) }, 0, 100)).toBeNull()
      expect(await audit.findSealed(scope.tenant, {}, 0, 2)).toEqual({ first: 1, last: 2 })
      expect(await audit.outside(scope.tenant, {}, { after: null, limit: 5 })).toEqual([])
    })
  })
}
