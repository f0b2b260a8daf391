// Structured content is never longer than text may be, whatever makes it long.
import { expect, test } from "vitest"
import type { Interaction, StructuredOutcome } from "../../../core/execution.ts"
import { boundStructured } from "./structured-bounds.ts"

const ended: Extract<StructuredOutcome, { result: unknown }> = { status: "completed", result: 1, logs: [], emitted: [] }
const question: Interaction = {
  approvalId: "apr_1",
  kind: "approval",
  message: "Create an item",
  address: "tools.a.org.main.items.create",
  args: { name: "a" },
  effect: "write",
  requestedBy: "an agent",
  reason: "It changes something",
}
const waiting: StructuredOutcome = {
  status: "waiting_for_interaction",
  executionId: "exe_1",
  interactions: [question],
  approvalUrl: null,
  expiresAt: "",
  logs: [],
  emitted: [],
}

test("what fits is left as it is, but for what a model has no use for", () => {
  expect(boundStructured(ended, "exe_1", 30_000)).toEqual(ended)
  const { effect: _effect, requestedBy: _requestedBy, reason: _reason, ...shown } = question
  expect(boundStructured(waiting, "exe_1", 30_000)).toEqual({ ...waiting, interactions: [shown] })
})

const long = "x".repeat(40_000)
const many = Array.from({ length: 3000 }, (_, n) => ({ n, text: "some words" }))

test.each<readonly [name: string, StructuredOutcome]>([
  ["a text", { ...ended, result: long }],
  ["an array", { ...ended, result: many }],
  ["an object of many keys", { ...ended, result: Object.fromEntries(many.map(({ n, text }) => [`key${n}`, text])) }],
  ["logs", { ...ended, logs: many.map(({ text }) => ({ level: "log", text })) }],
  ["what was emitted", { ...ended, emitted: [long, ...many] }],
  ["all of it", { ...ended, result: many, logs: [{ level: "log", text: long }], emitted: many }],
  ["long arguments", { ...waiting, interactions: [{ ...question, args: { text: long } }] }],
  ["many questions", { ...waiting, interactions: many.map(() => question), logs: many.map(({ text }) => ({ level: "log", text })) }],
])("%s is cut", (_name, structured) => {
  expect(JSON.stringify(boundStructured(structured, "exe_1", 30_000)).length).toBeLessThanOrEqual(30_000)
})

test("a result that is cut keeps its shape, its beginning and the way to the rest", () => {
  expect(boundStructured({ ...ended, result: many }, "exe_1", 30_000)["result"]).toMatchObject({
    truncated: true,
    shape: "array of 3000 { n, text }",
    beginning: expect.stringMatching(/^\[\{"n":0,/) as unknown,
    readMore: 'return await tools.executor.results.read({ executionId: "exe_1", offset: 1000 })',
  })
})
