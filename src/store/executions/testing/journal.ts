// Conformance of the journal: what was appended is there, in order, once, and by the run that had the right to write it.
import { describe, expect, it } from "vitest"
import type { CallRow, ExecutionRow, ExecutionStore } from "../../execution-store.ts"
import type { ExecutionsUnderTest } from "./suite.ts"
import {
  allOf,
  approvalRow,
  callRow,
  doneCall,
  eventRow,
  executionRow,
  later,
  newScope,
  outcome,
  outcomeRecord,
  paused,
  sessionRoom,
} from "./samples.ts"

const get = ({ executions }: ExecutionStore, row: ExecutionRow) => executions.get(allOf(row), row.id)

export function testJournal(use: () => ExecutionsUnderTest): void {
  const append: ExecutionStore["journal"]["append"] = (...args) => use().stores.executions.journal.append(...args)

  describe("journal", () => {
    it("gives back every field of every kind, here and in another process", async () => {
      const scope = newScope()
      const row = executionRow(scope, { autoApprove: true, wallUsedMs: 1.5, tokenId: null, error: '{"code":"thrown"}', result: "[1]" })
      const calls = [
        doneCall(row, { rule: "pol_1", approvalId: "apr_1", errorCode: "timeout", errorMessage: "late" }),
        callRow(row, { key: "k:1", seq: 1, startedAt: null }),
      ]
      const events = [eventRow(row, 0, { type: "answer", key: calls[0]?.key ?? "" }), eventRow(row, 1, { atMs: 1.25 })]
      const approval = approvalRow(scope, {
        executionId: row.id,
        callKey: "k:1",
        requestedSchema: "{}",
        url: "https://x",
        state: '{"round":1}',
        content: "1",
        remember: "always",
        answeredBy: "bob",
        answeredAt: later(1),
        usedAt: later(2),
        status: "accept",
        kind: "form",
      })
      await append(
        [
          { kind: "execution", row },
          ...calls.map((call) => ({ kind: "call" as const, row: call })),
          ...events.map((event) => ({ kind: "event" as const, row: event })),
          { kind: "approval", row: approval },
        ],
        "now",
      )
      for (const { executions } of [use().stores, use().other]) {
        expect(await get(executions, row)).toEqual(row)
        expect(await executions.journal.read(scope, row.id)).toEqual({ calls, events })
        const heads = calls.map(({ answerJson: _answer, ...head }) => head)
        expect(await executions.journal.calls(scope, row.id, 0)).toEqual(heads)
        expect(await executions.journal.calls(scope, row.id, 1)).toEqual(heads.slice(1))
        for (const { key, answerJson } of calls) expect(await executions.journal.answerOf(scope, row.id, key)).toBe(answerJson)
        expect(await executions.journal.answerOf(scope, row.id, "k:9")).toBe(null)
        expect(await executions.approvals.get(allOf(scope), approval.id)).toEqual(approval)
      }
    })

    it("counts the calls of an execution's own program", async () => {
      const scope = newScope()
      const [many, none] = [executionRow(scope), executionRow(scope)]
      const keys = ["k:0", "k:1", "m1", "k:0/k:0", "k:0/m1"]
      await append(
        [
          { kind: "execution", row: many },
          { kind: "execution", row: none },
          ...keys.map((key, seq) => ({ kind: "call" as const, row: callRow(many, { key, seq }) })),
        ],
        "now",
      )
      const { journal } = use().other.executions
      expect(await journal.count(scope.tenant, [many.id, none.id])).toEqual(new Map([[many.id, 2]]))
      expect(await journal.count("another", [many.id])).toEqual(new Map())
      expect(await journal.count(scope.tenant, [])).toEqual(new Map())
    })

    it("gives the latest searches with their answers, among the calls that went well", async () => {
      const scope = newScope()
      const [own, other] = [executionRow(scope, { session: "s1" }), executionRow({ ...scope, user: "bob" }, { tokenId: "tok_2" })]
      const search = { path: "search", address: "search", decision: "none", answerForm: "value" as const }
      const long = JSON.stringify({ items: Array.from({ length: 3000 }, (_, at) => ({ path: `shop.org.main.items.number${at}` })) })
      const at = (seq: number): { seq: number; key: string; startedAt: string } => ({ seq, key: `k:${seq}`, startedAt: later(seq) })
      const calls = [
        doneCall(own, { ...at(0), ...search, argsJson: '{"query":"tea"}', answerJson: long }),
        doneCall(own, { ...at(1), ...search, answerForm: "reject", answerJson: '{"code":"invalid_arguments"}' }),
        doneCall(own, { ...at(2), decision: "allow", path: "shop.items.get", address: "shop.org.main.items.get" }),
        doneCall(own, { ...at(3), decision: "allow", errorCode: "upstream_error" }),
        callRow(own, { ...at(4), decision: "require_approval", state: "waiting" }),
        doneCall(own, { ...at(5), ...search, path: "describe.tool" }),
        ...[20_000, 100_000].map((chars, place) =>
          doneCall(own, {
            ...at(5),
            key: `k:long${place}`,
            ...search,
            argsJson: JSON.stringify({ query: "a".repeat(chars) }),
            answerJson: "{}",
          }),
        ),
        doneCall(other, { ...at(6), ...search, path: "tools.discover", argsJson: '{"query":"milk"}', answerJson: '{"results":[]}' }),
      ]
      await append(
        [own, other].map((row) => ({ kind: "execution" as const, row })),
        "now",
      )
      await append(
        calls.map((row) => ({ kind: "call" as const, row })),
        "now",
      )
      for (const { journal } of [use().stores.executions, use().other.executions]) {
        const seen = await journal.searches(allOf(scope), 10)
        expect(seen.map(({ executionId, key }) => [executionId, key])).toEqual([
          [other.id, "k:6"],
          [own.id, "k:2"],
          [own.id, "k:0"],
        ])
        expect(seen[1]).toMatchObject({
          user: scope.user,
          tokenId: "tok_1",
          session: "s1",
          address: "shop.org.main.items.get",
          search: null,
        })
        expect(seen[2]?.search).toEqual({ argsJson: '{"query":"tea"}', answerJson: long })
        expect(await journal.searches(allOf(scope), 1)).toEqual(seen.slice(0, 1))
        expect(await journal.searches({ ...scope, tokenId: null }, 10)).toEqual(seen.slice(1))
        expect(await journal.searches({ ...scope, tokenId: "tok_2" }, 10)).toEqual([])
        expect(await journal.searches(allOf(newScope()), 10)).toEqual([])
      }
    })

    it("gives the latest calls that were decided about, and the arguments of those that are asked for", async () => {
      const scope = newScope()
      const row = executionRow(scope)
      const long = JSON.stringify({ text: "a".repeat(100_000) })
      const at = (seq: number): { seq: number; key: string; startedAt: string } => ({ seq, key: `k:${seq}`, startedAt: later(seq) })
      const calls = [
        doneCall(row, { ...at(0), decision: "allow", argsJson: long }),
        doneCall(row, { ...at(1), decision: "none" }),
        doneCall(row, { ...at(2), decision: "block", argsJson: '{"a":1}' }),
      ]
      await append([{ kind: "execution", row }, ...calls.map((call) => ({ kind: "call" as const, row: call }))], "now")
      const { journal } = use().other.executions
      const latest = await journal.latest(allOf(scope), 10)
      expect(latest.map(({ key, user }) => [key, user])).toEqual([
        ["k:2", row.user],
        ["k:0", row.user],
      ])
      const named = [...latest, { executionId: row.id, key: "k:none" }]
      expect(await journal.argumentsOf(scope.tenant, named)).toEqual(['{"a":1}', long, null])
      expect(await journal.argumentsOf("another", named)).toEqual([null, null, null])
      expect(await journal.argumentsOf(scope.tenant, [])).toEqual([])
    })

    it("keeps long texts whole", async () => {
      const scope = newScope()
      const long = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => `item ${index} é \u{1F600}`))
      const row = executionRow(scope, { code: long, result: long, logs: long, emitted: long })
      const call = doneCall(row, { argsJson: long, answerJson: long })
      const approval = approvalRow(scope, { argsJson: long })
      await append(
        [
          { kind: "execution", row },
          { kind: "call", row: call },
          { kind: "approval", row: approval },
        ],
        "now",
      )
      const { executions } = use().other
      expect(await get(executions, row)).toEqual(row)
      expect((await executions.executions.list(allOf(scope), {}, { after: null, limit: 5 })).map(({ code }) => code)).toEqual([long])
      expect((await executions.journal.read(scope, row.id)).calls).toEqual([call])
      expect(await executions.approvals.list(allOf(scope), {}, { after: null, limit: 5 })).toEqual([approval])
    })

    it("shows its own process what was appended a moment ago, although nobody waited for it", async () => {
      const scope = newScope()
      const row = executionRow(scope)
      const appended = append([{ kind: "execution", row }], "soon")
      expect(await get(use().stores.executions, row)).toEqual(row)
      await appended
    })

    it("takes along what nobody waits for with what somebody does", async () => {
      const scope = newScope()
      const row = executionRow(scope)
      const settled: string[] = []
      const soon = append([{ kind: "execution", row }], "soon").then(() => settled.push("soon"))
      const now = append([{ kind: "call", row: callRow(row) }], "now").then(() => settled.push("now"))
      await Promise.all([soon, now])
      expect(settled).toEqual(["soon", "now"])
    })

    it("applies the records of one execution in order, however they are grouped", async () => {
      const scope = newScope()
      const rows = Array.from({ length: 40 }, () => executionRow(scope))
      const work = rows.flatMap((row) => {
        const states: CallRow[] = [callRow(row, { state: "waiting" }), callRow(row), doneCall(row)]
        return [
          append([{ kind: "execution", row }], "soon"),
          ...states.map((call, index) =>
            append(
              [
                { kind: "call", row: call },
                { kind: "event", row: eventRow(row, index) },
              ],
              index === 1 ? "now" : "soon",
            ),
          ),
          append([outcomeRecord(row)], "soon"),
        ]
      })
      await Promise.all(work)
      for (const row of rows) {
        const { calls, events } = await use().other.executions.journal.read(scope, row.id)
        expect(calls.map(({ state }) => state)).toEqual(["done"])
        expect(events.map(({ position }) => position)).toEqual([0, 1, 2])
        expect((await get(use().other.executions, row))?.status).toBe("completed")
      }
    })

    it("is the same when records come again", async () => {
      const scope = newScope()
      const row = executionRow(scope)
      const call = doneCall(row)
      const records = [
        { kind: "execution", row },
        { kind: "call", row: call },
        { kind: "event", row: eventRow(row, 0) },
        { kind: "approval", row: approvalRow(scope, { id: "apr_same" }) },
      ] as const
      await append(records, "now")
      await append([...records, ...records], "now")
      await Promise.all([append(records, "now"), append(records, "soon")])
      const { executions } = use().stores
      expect(await executions.journal.read(scope, row.id)).toEqual({ calls: [call], events: [eventRow(row, 0)] })
      expect(await executions.executions.list(allOf(scope), {}, { after: null, limit: 10 })).toHaveLength(1)
      expect(await executions.approvals.list(allOf(scope), {}, { after: null, limit: 10 })).toHaveLength(1)
    })

    it("keeps an answer that was recorded, and an event at its position", async () => {
      const scope = newScope()
      const row = executionRow(scope)
      const call = doneCall(row)
      await append(
        [
          { kind: "execution", row },
          { kind: "call", row: call },
          { kind: "event", row: eventRow(row, 0) },
        ],
        "now",
      )
      for (const state of ["waiting", "started", "done"] as const)
        await append([{ kind: "call", row: { ...call, state, answerJson: '"other"' } }], "now")
      await append([{ kind: "event", row: eventRow(row, 0, { atMs: 99 }) }], "now")
      expect(await use().stores.executions.journal.read(scope, row.id)).toEqual({ calls: [call], events: [eventRow(row, 0)] })
    })

    it("gives way to a later run, and takes nothing more from an earlier one", async () => {
      const scope = newScope()
      const row = executionRow(scope)
      const next = { ...row, run: row.run + 1 }
      const own = doneCall(next, { answerJson: '"of the later run"' })
      const stale = doneCall(row, { answerJson: '"of the earlier run"' })
      const events = [eventRow(row, 0), eventRow(next, 1)]
      await append(
        [
          { kind: "execution", row },
          { kind: "call", row: stale },
          ...[0, 1].map((at) => ({ kind: "event" as const, row: eventRow(row, at) })),
        ],
        "now",
      )
      await append(
        [
          { kind: "call", row: own },
          { kind: "event", row: eventRow(next, 1) },
        ],
        "now",
      )
      await append([{ kind: "call", row: stale }, ...[1, 2].map((at) => ({ kind: "event" as const, row: eventRow(row, at) }))], "now")
      expect(await use().stores.executions.journal.read(scope, row.id)).toEqual({ calls: [own], events })
    })

    it("lets a started call wait for a human", async () => {
      const scope = newScope()
      const row = executionRow(scope)
      await append(
        [
          { kind: "execution", row },
          { kind: "call", row: callRow(row) },
        ],
        "now",
      )
      await append([{ kind: "call", row: callRow(row, { state: "waiting", approvalId: "apr_1" }) }], "now")
      expect((await use().stores.executions.journal.read(scope, row.id)).calls).toEqual([
        callRow(row, { state: "waiting", approvalId: "apr_1" }),
      ])
    })

    it("applies an outcome and lets go of the lease", async () => {
      const row = executionRow(newScope())
      await append([{ kind: "execution", row }], "now")
      await append([outcomeRecord(row)], "now")
      expect(await get(use().other.executions, row)).toEqual({ ...row, ...outcome(), leaseOwner: null, leaseUntil: null })
    })

    it("applies an outcome that comes together with its execution", async () => {
      const scope = newScope()
      const row = executionRow(scope)
      await append([{ kind: "execution", row }, outcomeRecord(row)], "now")
      expect(await get(use().stores.executions, row)).toEqual({ ...row, ...outcome(), leaseOwner: null, leaseUntil: null })
      const apart = executionRow(scope)
      await Promise.all([append([{ kind: "execution", row: apart }], "now"), append([outcomeRecord(apart)], "now")])
      expect((await get(use().stores.executions, apart))?.status).toBe("completed")
    })

    it("ignores the outcome of a run that lost its lease, alone and among others", async () => {
      const scope = newScope()
      const row = executionRow(scope)
      await append([{ kind: "execution", row }], "now")
      expect(await use().other.executions.executions.claim(row, { owner: "node_2", until: later(60) })).toBe(true)
      const claimed = { ...row, run: 2, leaseOwner: "node_2", leaseUntil: later(60) }
      await append([outcomeRecord(row)], "now")
      await append([{ kind: "execution", row }, outcomeRecord(row)], "now")
      expect(await get(use().stores.executions, row)).toEqual(claimed)
      await Promise.all([
        append([outcomeRecord(row, { status: "failed" })], "now"),
        append([outcomeRecord(claimed, paused())], "now"),
        append([outcomeRecord(row)], "now"),
      ])
      expect((await get(use().stores.executions, row))?.status).toBe("paused")
    })

    it("does not mind an empty append", async () => {
      await append([], "now")
      await append([], "soon")
    })

    it("refuses a record that the database refuses, and none of those beside it", async () => {
      const scope = newScope()
      const good = Array.from({ length: 10 }, () => executionRow(scope))
      // Only a program that bypasses its types can ask for this.
      const bad = executionRow(scope, { code: null as unknown as string })
      const appends = [...good.slice(0, 5), bad, ...good.slice(5)].map((row) => append([{ kind: "execution", row }], "now"))
      const results = await Promise.allSettled(appends)
      expect(results.map(({ status }) => status === "fulfilled")).toEqual([
        ...good.slice(0, 5).map(() => true),
        false,
        ...good.slice(5).map(() => true),
      ])
      await expect(appends[5]).rejects.toThrow("Nothing was recorded")
      expect(await use().other.executions.executions.list(allOf(scope), {}, { after: null, limit: 20 })).toHaveLength(10)
    })

    it("leaves the catalog's revision as it is", async () => {
      const { stores, other } = use()
      const row = executionRow(newScope())
      const before = [stores.store.revision(), other.store.revision()]
      await append(
        [
          { kind: "execution", row },
          { kind: "call", row: doneCall(row) },
        ],
        "now",
      )
      await stores.executions.executions.claim(row, { owner: "node_2", until: later(60) })
      await stores.executions.values.put({ ...row, session: "s", name: "n" }, "1", later(60), sessionRoom(100))
      expect([stores.store.revision(), other.store.revision()]).toEqual(before)
    })
  })
}
