// Tests how the end of a run in the sandbox becomes the end or the pause of its execution.
import { expect, test } from "vitest"
import { withLimits } from "../../core/limits.ts"
import type { SandboxEnd } from "../../sandbox/sandbox.ts"
import { approvalRow, callRow, doneCall, executionRow, later } from "../../store/executions/testing/samples.ts"
import { journalFailure, onItsWay, toOutcome } from "./outcome.ts"
import type { RunFacts } from "./outcome.ts"
import { openToolLogs } from "../programs/tool-logs.ts"
import { Cancellation } from "./run-registry.ts"

const scope = { tenant: "t", user: "alice" }
const row = executionRow(scope, { pauseCount: 1, outputsSeen: 2, wallMs: 60_000 })
const parts = { clock: { now: () => new Date(later(5)), monotonicMs: () => 0 }, limits: withLimits({ executionWallMsMax: 300_000 }) }
const report = { logs: [{ level: "log", text: "hello" }], logsDropped: 0, emitted: ["1", '"two"'], cpuMs: 3 } as const

function outcomeOf(end: SandboxEnd, facts: Partial<RunFacts> = {}) {
  const toolLogs = openToolLogs("[]", parts.limits)
  const all = { row, approvals: [], calls: [], toolLogs, signal: new AbortController().signal, wallUsedMs: 12, ...facts }
  const outcome = toOutcome({ ...end, report }, all, parts)
  return {
    ...outcome,
    error: outcome.error === null ? null : (JSON.parse(outcome.error) as { code: string; message: string; calls?: object[] }),
  } // as a run writes it
}

test("code that returned has completed", () => {
  expect(outcomeOf({ status: "returned", resultJson: "[1]" })).toEqual({
    status: "completed",
    wallUsedMs: 12,
    pauseCount: 1,
    expiresAt: null,
    endedAt: later(5),
    result: "[1]",
    error: null,
    logs: '[{"level":"log","text":"hello"}]',
    emitted: '[1,"two"]',
    outputsSeen: 2,
  })
})

test.each([
  [1, "1 call was still in progress when the code ended: it continues; `await` it to learn its result."],
  [2, "2 calls were still in progress when the code ended: they continue; `await` them to learn their results."],
])("code that did not wait for %i of its calls is told so", (count, text) => {
  const calls = [doneCall(row), ...Array.from({ length: count }, () => callRow(row))]
  const { logs } = outcomeOf({ status: "returned", resultJson: null }, { calls })
  expect(JSON.parse(logs)).toEqual([...report.logs, { level: "warn", text }])
})

test("code that threw has failed, and tells what it has done: its calls go on", () => {
  const error = { code: "thrown", name: "TypeError", message: "no", line: 2 } as const
  const outcome = outcomeOf({ status: "threw", error }, { calls: [doneCall(row), callRow(row)] })
  expect(outcome).toMatchObject({ status: "failed", error: { ...error, calls: [{ outcome: "done" }, { outcome: "under_way" }] } })
})

test("of a write that was stopped, nobody knows whether it was made", () => {
  const calls = [callRow(row), callRow(row, { effect: "read" }), onItsWay({ path: "a.b", argsJson: "{}" })]
  const outcome = outcomeOf({ status: "stopped", reason: "memory_limit", message: "too much" }, { calls })
  expect(outcome.error).toMatchObject({ code: "memory_limit", name: "MemoryLimitError", message: "too much" })
  expect(outcome.error?.calls).toMatchObject([{ outcome: "unknown" }, { tool: "a.b", outcome: "unknown" }, { outcome: "stopped" }])
})

test.each([
  [
    60_000,
    "The execution took longer than 60 s. Raise timeoutMs (max 300000), or split the work into several executions, without what is already done.",
  ],
  [300_000, "The execution took longer than 300 s. Split the work into several executions, without what is already done."],
])("a timeout of %i ms says what to do", (wallMs, message) => {
  const stopped = { status: "stopped", reason: "timeout", message: "" } as const
  expect(outcomeOf(stopped, { row: { ...row, wallMs } })).toMatchObject({ status: "failed", error: { code: "timeout", message } })
})

test.each([
  [new Cancellation({ kind: "agent" }), "cancelled", "The execution was cancelled by an agent"],
  [new Cancellation("revocation"), "cancelled", "The execution was cancelled because its token was revoked"],
  [journalFailure, "failed", journalFailure.message],
] as const)("what was stopped from outside says by what: %o", (reason, status, message) => {
  const signal = AbortSignal.abort(reason)
  expect(outcomeOf({ status: "stopped", reason: "cancelled", message: "?" }, { signal })).toMatchObject({ status, error: { message } })
})

test("code that waits is paused until the first of what it waits for runs out", () => {
  const ask = (callKey: string, expiresAt: string, status: "pending" | "accept" = "pending") =>
    approvalRow(scope, { callKey, expiresAt, status })
  const approvals = [ask("a:0", later(90)), ask("b:0", later(60)), ask("c:0", later(10), "accept"), ask("left:0", later(20))]
  expect(outcomeOf({ status: "waiting", pending: ["a:0", "b:0", "c:0"] }, { approvals })).toMatchObject({
    status: "paused",
    endedAt: null,
    expiresAt: later(60),
    pauseCount: 2,
    outputsSeen: 3,
    error: null,
  })
})

test("a sandbox that failed is no fault of the code", () => {
  const killed = { status: "killed", reason: "crashed", message: "The thread died" } as const
  expect(outcomeOf(killed)).toMatchObject({ status: "failed", error: { code: "internal", message: "The thread died" } })
})
