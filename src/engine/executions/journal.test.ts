// Tests what the journal of one run writes, when it waits, and what the next run finds, whatever state a crash left.
import { afterAll, describe, expect, test } from "vitest"
import { fail } from "../../core/result.ts"
import { systemClock } from "../../io/clock.ts"
import type { CallRow, ExecutionStore, JournalRecord } from "../../store/execution-store.ts"
import { createMemoryDatabase } from "../../store/executions/testing/memory.ts"
import { allOf, callRow, executionRow, later, newScope, outcomeRecord } from "../../store/executions/testing/samples.ts"
import { asks, callTarget, gateCall } from "../testing/samples.ts"
import { openExecutionJournal } from "./journal.ts"
import type { ExecutionJournal, JournalParts } from "./journal.ts"
import { LeaseLost } from "./run-registry.ts"

const database = await createMemoryDatabase()
afterAll(() => database.close())

const [write, read] = [callTarget(), callTarget({ effect: "read", requiresApproval: false })]
const call = gateCall()
const done = { ok: true, data: { id: 7 } } as const

function setUp(change: Partial<JournalParts> = {}) {
  const store: ExecutionStore = database.open()
  const execution = executionRow(newScope(), { leaseOwner: null, leaseUntil: null })
  const appended: [JournalRecord["kind"][], "now" | "soon"][] = []
  const failures: unknown[] = []
  const seen = { stored: 0, calls: [] as CallRow[] }
  const parts: JournalParts = {
    journal: {
      ...store.journal,
      async append(records, urgency) {
        appended.push([records.map(({ kind }) => kind), urgency])
        await store.journal.append(records, urgency)
      },
    },
    clock: systemClock,
    answers: () => null,
    onCall: (row) => void seen.calls.push(row),
    onAppend: () => {},
    onStored: () => void (seen.stored += 1),
    freshLease: () => ({ owner: "node_1", until: later(30) }),
    isHandedOver: () => false,
    isWithinLease: () => true,
    isHeld: async () => true,
    isLatest: async () => true,
    onFailure: (error) => void failures.push(error),
    ...change,
  }
  const journal = openExecutionJournal(execution, { calls: [], events: [] }, false, parts)
  /** As another node opens it after this one died. */
  const reopen = async (): Promise<ExecutionJournal> =>
    openExecutionJournal({ ...execution, run: 2 }, await store.journal.read(execution, execution.id), true, parts)
  const stored = () => store.executions.get(allOf(execution), execution.id)
  const rows = async () => (await store.journal.read(execution, execution.id)).calls
  return { journal, execution, appended, failures, seen, reopen, stored, rows, parts }
}

test("the first record takes the execution's row along, with a lease; the others do not", async () => {
  const { journal, appended, stored, seen } = setUp()
  expect(await stored()).toBeNull()
  await journal.started(call, write, asks, null)
  await journal.done(call, write, asks, done)
  expect(appended).toEqual([
    [["execution", "call"], "now"],
    [["call"], "now"],
  ])
  expect([await stored(), seen.stored]).toMatchObject([{ status: "running", leaseOwner: "node_1", leaseUntil: later(30) }, 1])
})

test("an execution that ends before anything was recorded is written once, as it ended, without a lease", async () => {
  const { journal, appended, execution, stored } = setUp()
  await journal.append([outcomeRecord(execution)], "soon")
  expect(appended).toEqual([[["execution"], "soon"]])
  expect(await stored()).toMatchObject({ status: "completed", leaseOwner: null, leaseUntil: null })
})

test("code that runs for long is stored once although it has recorded nothing", () => {
  const { journal, appended } = setUp()
  journal.keepRow()
  journal.keepRow()
  expect(appended).toEqual([[["execution"], "soon"]])
})

test("a write waits until its trace is durable, and again until its result is; a read waits for neither", async () => {
  const { journal, appended } = setUp()
  journal.keepRow()
  appended.length = 0
  await journal.started(call, read, asks, null)
  await journal.done(call, read, asks, done)
  expect(appended).toEqual([[["call"], "soon"]])
  const other = gateCall({ key: "k:1" })
  await journal.started(other, write, asks, "apr_1")
  await journal.done(other, write, asks, done)
  expect(appended.slice(1)).toEqual([
    [["call"], "now"],
    [["call"], "now"],
  ])
  expect(journal.call("k:1")).toMatchObject({ state: "done", approvalId: "apr_1", answerJson: '{"ok":true,"data":{"id":7}}' })
})

describe("what a program remembers", () => {
  const step = { key: "m1", seq: 0, path: "model/local/scripted", argsJson: "{}" }

  /** With a disk that takes what it is given when the test says so. */
  function setUpSlow(change: Partial<JournalParts> = {}) {
    const disk = Promise.withResolvers<void>()
    const kept: string[] = []
    const append: JournalParts["journal"]["append"] = async (records) => {
      await disk.promise
      kept.push(...records.map((record) => (record.kind === "call" ? record.row.key : record.kind)))
    }
    const { journal } = setUp({ journal: { ...database.open().journal, append }, ...change })
    return { journal, disk, kept }
  }

  test.each([
    ["read", read, []],
    ["write", write, [call.key]],
  ] as const)("is durable before a %s that follows from it starts", async (_name, target, trace) => {
    const { journal, disk, kept } = setUpSlow()
    journal.remember(step, '"call it"', 5)
    expect(journal.call("m1")).toMatchObject({ state: "done", answerForm: "value", answerJson: '"call it"' })
    const started = journal.started(call, target, asks, null).then(() => [...kept])
    disk.resolve()
    expect(await started).toEqual(["execution", "m1", ...trace])
  })

  test("and cannot be recorded: nothing starts, and nobody goes on", async () => {
    const { journal, disk } = setUpSlow()
    journal.remember(step, '"call it"', 5)
    const started = journal.started(call, read, asks, null)
    disk.reject(new Error("The disk is full"))
    await expect(started).rejects.toThrow(LeaseLost)
    await expect(journal.kept()).rejects.toThrow(LeaseLost)
  })

  test("is durable before an end that follows from it is told", async () => {
    const { journal, disk, kept } = setUpSlow()
    journal.remember(step, '"the answer"', 5)
    const confirmed = journal.confirmed().then(() => [...kept])
    disk.resolve()
    expect(await confirmed).toEqual(["execution", "m1"])
  })

  test("is no end to be told where the execution was taken over: another answer may be there", async () => {
    const { journal, disk } = setUpSlow({ isLatest: async () => false })
    disk.resolve()
    await expect(journal.confirmed()).resolves.toBeUndefined() // nothing was remembered
    journal.remember(step, '"the answer"', 5)
    await expect(journal.confirmed()).rejects.toThrow(LeaseLost)
  })

  test("is not done anew by a node that stood still while another one took the execution", async () => {
    const lease = { isWithin: true, isLatest: true }
    const { journal } = setUp({ isWithinLease: () => lease.isWithin, isLatest: async () => lease.isLatest })
    lease.isWithin = false
    lease.isLatest = false
    await journal.kept() // what is not stored is nobody else's
    journal.keepRow()
    await expect(journal.kept()).rejects.toThrow(LeaseLost)
    lease.isLatest = true // nobody came
    await journal.kept()
    Object.assign(lease, { isWithin: true, isLatest: false })
    await journal.kept() // the store is not asked
  })

  test("is found by the next run", async () => {
    const { journal, reopen } = setUp()
    journal.remember(step, '"call it"', 5)
    await journal.kept()
    expect((await reopen()).call("m1")).toMatchObject({ answerJson: '"call it"', ms: 5 })
  })
})

test("a write whose lease was lost while its trace was written does not start", async () => {
  const { journal, reopen } = setUp({ isHeld: async () => false })
  await expect(journal.started(call, write, asks, null)).rejects.toThrow(LeaseLost)
  // Whoever took over sees the trace, and does not start it either.
  expect((await reopen()).replay(call)).toMatchObject({ state: "unknown", failure: { error: { code: "outcome_unknown" } } })
})

test("a read starts without asking whether the lease is held", async () => {
  const { journal } = setUp({ isHeld: () => Promise.reject(new Error("asked")) })
  await journal.started(call, read, asks, null)
})

test("a run that was handed over writes nothing more", async () => {
  const { journal, appended } = setUp({ isHandedOver: () => true })
  await journal.append([], "now")
  journal.refused(call, fail("timeout", "too late"))
  journal.settle({ type: "tick", atMs: 1 })
  expect(appended).toEqual([])
})

test.each([
  ["waiting for a human", "new", (journal: ExecutionJournal) => journal.waiting(call, write, asks, "apr_1")],
  ["before it started", "new", () => {}],
  ["a read under way", "new", (journal: ExecutionJournal) => journal.started(call, read, asks, null)],
  ["a write under way", "unknown", (journal: ExecutionJournal) => journal.started(call, write, asks, null)],
  ["a write that was done", "done", (journal: ExecutionJournal) => journal.done(call, write, asks, done)],
  ["a call that was refused", "done", (journal: ExecutionJournal) => journal.refused(call, fail("tool_blocked", "no"), write, asks)],
] as const)("after a crash, %s is %s", async (_name, state, happen) => {
  const { journal, reopen } = setUp()
  await happen(journal)
  expect((await reopen()).replay(call).state).toBe(state)
})

test("a read that was recorded as started is repeated, whoever recorded it", () => {
  const { execution, parts } = setUp()
  const started = callRow(execution, { key: call.key, effect: "read" })
  const journal = openExecutionJournal(execution, { calls: [started], events: [] }, true, parts)
  expect(journal.replay(call)).toEqual({ state: "new" })
})

test("a replay delivers what the code saw, in the order in which it saw it", async () => {
  const { journal, reopen } = setUp()
  const [a, b] = [gateCall({ key: "a:0" }), gateCall({ key: "b:0", seq: 1 })]
  await journal.done(a, read, asks, done)
  journal.answered({ ...b, kind: "builtin" }, { form: "value", json: '"x"' })
  journal.settle({ type: "answer", key: "b:0", form: "value", json: '"x"', atMs: 1 })
  journal.settle({ type: "tick", atMs: 2 })
  journal.settle({ type: "answer", key: "a:0", form: "envelope", json: JSON.stringify(done), atMs: 3 })
  const next = await reopen()
  expect(next.replayEvents()).toEqual([
    { type: "answer", key: "b:0", form: "value", json: '"x"', atMs: 1 },
    { type: "tick", atMs: 2 },
    { type: "answer", key: "a:0", form: "envelope", json: JSON.stringify(done), atMs: 3 },
  ])
  expect(next.replay(a)).toEqual({ state: "done", answer: { form: "envelope", json: JSON.stringify(done) } })
  expect(next.replay(b)).toEqual({ state: "done", answer: { form: "value", json: '"x"' } })
  // What comes next has the next place.
  next.settle({ type: "tick", atMs: 4 })
  expect((await reopen()).replayEvents().at(-1)).toEqual({ type: "tick", atMs: 4 })
})

test("the code gets what is recorded: an envelope of a tool, an error of a built-in, nothing while a human is asked", async () => {
  const { journal } = setUp()
  const refusal = fail("budget_exceeded", "no")
  expect(journal.refused(call, refusal)).toEqual({ form: "envelope", json: JSON.stringify(refusal) })
  expect(journal.refused({ ...call, kind: "store" }, refusal)).toEqual({ form: "reject", json: JSON.stringify(refusal.error) })
  expect(journal.waiting(call, write, asks, "apr_1")).toEqual({ form: "pending" })
  expect(await journal.done(call, write, asks, done)).toEqual({ form: "envelope", json: JSON.stringify(done) })
})

test("what an earlier run decided stays when a later one refuses the call without deciding anew", async () => {
  const { journal, reopen, rows } = setUp()
  journal.waiting(
    call,
    write,
    { ...asks, rule: { id: "pol_1", owner: "org", pattern: "x", action: "require_approval", when: [], position: 0 } },
    "apr_1",
  )
  const next = await reopen()
  next.refused(call, fail("outcome_unknown", "?"))
  expect(await rows()).toMatchObject([
    { rule: "pol_1", decision: "require_approval", approvalId: "apr_1", errorCode: "outcome_unknown", run: 2 },
  ])
})

test("a journal that cannot be written stops the execution", async () => {
  const failure = new Error("The disk is full")
  const { failures, execution, parts } = setUp()
  const journal = openExecutionJournal(execution, { calls: [], events: [] }, true, {
    ...parts,
    journal: { ...parts.journal, append: () => Promise.reject(failure) },
  })
  journal.settle({ type: "tick", atMs: 1 })
  await expect(journal.started(call, write, asks, null)).rejects.toBeInstanceOf(LeaseLost)
  expect(failures).toEqual([failure, failure])
})

test.each(["started", "done"] as const)("a write whose %s row cannot be written ends the run, and has no answer", async (state) => {
  const full = new Error("disk full")
  let isFull = state === "started"
  const before = setUp()
  const append: JournalParts["journal"]["append"] = async (records, urgency) => {
    if (isFull) throw full
    await before.parts.journal.append(records, urgency)
  }
  const { journal, failures } = setUp({ journal: { ...before.parts.journal, append } })
  const starting = journal.started(call, write, asks, null)
  if (state === "started") await expect(starting).rejects.toBeInstanceOf(LeaseLost)
  else {
    await starting
    isFull = true
    await expect(journal.done(call, write, asks, done)).rejects.toBeInstanceOf(LeaseLost)
  }
  expect(failures).toEqual([full])
})

test("everybody who follows is told of every state of a call", async () => {
  const { journal, seen } = setUp()
  journal.waiting(call, write, asks, "apr_1")
  await journal.started(call, write, asks, "apr_1")
  await journal.done(call, write, asks, fail("timeout", "x".repeat(900)))
  expect(seen.calls.map(({ state }) => state)).toEqual(["waiting", "started", "done"])
  expect(seen.calls[2]).toMatchObject({ errorCode: "timeout", errorMessage: "x".repeat(500) })
})
