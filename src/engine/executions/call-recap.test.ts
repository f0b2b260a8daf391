// What is told of the calls of an execution, and how much of it.
import { expect, test } from "vitest"
import { recapCalls } from "./call-recap.ts"
import type { RecappedCall } from "./call-recap.ts"

const call = (change: Partial<RecappedCall>): RecappedCall => ({
  path: "a.make",
  argsJson: "{}",
  effect: "write",
  state: "done",
  decision: "allow",
  errorCode: null,
  answerJson: '{"ok":true,"data":{"id":7}}',
  ...change,
})

test("writes come first, with what they made", () => {
  const recaps = recapCalls([call({ path: "a.get", effect: "read" }), call({})], "by_itself")
  expect(recaps).toEqual([
    { tool: "a.make", args: "{}", effect: "write", outcome: "done", answer: "id 7" },
    { tool: "a.get", args: "{}", effect: "read", outcome: "done" },
  ])
})

test("what is under way goes on, or was stopped; of a write that was stopped nobody knows", () => {
  const started = [call({ state: "started" }), call({ state: "started", effect: "read" })]
  expect(recapCalls(started, "by_itself").map(({ outcome }) => outcome)).toEqual(["under_way", "under_way"])
  expect(recapCalls(started, "stopped").map(({ outcome }) => outcome)).toEqual(["unknown", "stopped"])
})

test("what was refused is not told; what waited for a human when the code ended was not made", () => {
  const calls = [call({ errorCode: "invalid_arguments" }), call({ state: "waiting" })]
  expect(recapCalls(calls, "not_yet")).toEqual([])
  expect(recapCalls(calls, "by_itself")).toEqual([{ tool: "a.make", args: "{}", effect: "write", outcome: "not_made" }])
})

test("a write that failed inside the upstream may have happened, a read or a refusal not", () => {
  const failed = (status: number, effect: "read" | "write") =>
    call({ effect, errorCode: "upstream_error", answerJson: JSON.stringify({ ok: false, error: { code: "upstream_error", status } }) })
  expect(recapCalls([failed(502, "write"), failed(404, "write"), failed(502, "read")], "by_itself")).toEqual([
    { tool: "a.make", args: "{}", effect: "write", outcome: "unknown" },
  ])
})

test("what there is no room for is counted by tool", () => {
  const calls = Array.from({ length: 200 }, (_, index) => call({ argsJson: JSON.stringify({ index, text: "y".repeat(100) }) }))
  const recaps = recapCalls([...calls, call({ path: "a.get", effect: "read" })], "by_itself")
  expect(JSON.stringify(recaps).length).toBeLessThan(12_000)
  const [last, read] = recaps.slice(-2)
  expect(last).toEqual({ tool: "a.make", args: "", effect: "write", outcome: "done", count: 200 - (recaps.length - 2) })
  expect(read).toMatchObject({ tool: "a.get", count: 1 })
})
