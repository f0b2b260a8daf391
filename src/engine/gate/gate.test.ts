// Tests the order of the gate's stages, and that each of them can end a call.
import { expect, test } from "vitest"
import { ExecutorError } from "../../core/errors.ts"
import { fail, succeed } from "../../core/result.ts"
import type { ToolResult } from "../../core/result.ts"
import { call, pass, principal, refusal, Revoked } from "./testing/gate.ts"
import type { Stages } from "./testing/gate.ts"

const stagesOfWrite = [
  "replay",
  "principal",
  "budget",
  "check args",
  "policy shop.org.main.orders.create",
  "approval of write, allow",
  "credential",
  "started write, apr_1",
  "call",
  "done write",
]

test("a call passes every stage in this order, and its caller gets what the journal recorded", async () => {
  expect(await pass({})).toEqual({ answer: { as: "done", value: succeed({ n: 1 }) }, steps: stagesOfWrite })
})

const refusals: readonly (readonly [string, Stages, after: number, answer: unknown])[] = [
  [
    "what is recorded",
    { recorded: { state: "done", answer: { as: "replayed", value: "as it was" } } },
    1,
    { as: "replayed", value: "as it was" },
  ],
  [
    "what was under way when a process died",
    { recorded: { state: "unknown", failure: fail("outcome_unknown", "?") } },
    1,
    "outcome_unknown",
  ],
  ["arguments that do not fit", { invalid: fail("invalid_arguments", "no") }, 4, "invalid_arguments"],
  ["a path that can mean several tools", { isAmbiguous: true }, 3, "tool_ambiguous"],
  ["a tool that no role includes", { patterns: ["shop.orders.list"] }, 3, "tool_blocked"],
  ["a path of several tools that no role includes", { isAmbiguous: true, patterns: [] }, 3, "tool_blocked"],
  ["a block", { action: "block" }, 5, "tool_blocked"],
  ["a human who says no", { approval: { status: "refused", failure: fail("approval_declined", "no") } }, 6, "approval_declined"],
  ["a credential that is missing", { secret: null }, 7, "auth_required"],
]

test.each(refusals)("%s ends the call", async (_name, stages, after, answer) => {
  const passed = await pass(stages)
  expect(passed.answer).toEqual(typeof answer === "string" ? { as: "refused", value: answer } : answer)
  expect(passed.steps.filter((step) => !step.startsWith("refused"))).toEqual(stagesOfWrite.slice(0, after))
})

test("a question to a human ends the call without an answer", async () => {
  const { answer, steps } = await pass({ action: "require_approval", approval: { status: "pending", approvalId: "apr_9" } })
  expect(answer).toEqual({ as: "waiting", value: "apr_9" })
  expect(steps.slice(-2)).toEqual(["approval of write, require_approval", "waiting"])
})

test("a revoked token ends the run: nothing is answered or recorded", async () => {
  const { answer, steps } = await pass({ isRevoked: true })
  expect(answer).toBeInstanceOf(Revoked)
  expect(steps).toEqual(["replay", "principal"])
})

test("what is over the budget is recorded without its arguments", async () => {
  const { answer, steps } = await pass({ exhausted: refusal })
  expect(answer).toEqual({ as: "refused", value: "rate_limited" })
  expect(steps).toEqual(["replay", "principal", "budget", "refused "])
})

test("an effect that follows from the arguments is known to everything after it", async () => {
  const { steps } = await pass({ effectOfArgs: "read" })
  expect(steps).toEqual(stagesOfWrite.map((step) => step.replace("write", "read")))
})

test("a secret that the source repeats is redacted before it is recorded", async () => {
  const { answer } = await pass({ work: () => Promise.resolve(succeed({ echo: "Bearer s3cret-token" })) })
  expect(answer).toMatchObject({ as: "done", value: { data: { echo: "***" } } })
})

test("a source that throws answers with the id under which the log has it", async () => {
  const { answer, steps } = await pass({ work: () => Promise.reject(new Error("a bug")) })
  expect(answer).toMatchObject({ as: "done", value: { ok: false, error: { code: "internal", details: { id: expect.any(String) } } } })
  expect(steps).toContain("logged orders.create")
})

/** Adapters answer what a tool throws, so that the question itself must not be lost in that. */
const asking = (whenUnanswered: ToolResult): NonNullable<Stages["work"]> =>
  async function ask({ elicit }) {
    try {
      return succeed(await elicit({ kind: "url", message: "Look", url: "https://shop.example" }))
    } catch {
      return whenUnanswered
    }
  }

test.each([refusal, succeed("went on without")])(
  "a tool that asks a human waits for the answer, whatever it makes of that",
  async (anyway) => {
    const { answer, steps } = await pass({ work: asking(anyway) })
    expect(answer).toEqual({ as: "waiting", value: "apr_2" })
    expect(steps.slice(-4)).toEqual(["started write, apr_1", "call", "question Look", "waiting"])
  },
)

test("a tool gets the answer of a human, or the reason why nobody can be asked", async () => {
  const answered = await pass({ work: asking(refusal), question: { status: "answered", answer: { action: "decline" } } })
  expect(answered.answer).toEqual({ as: "done", value: succeed({ action: "decline" }) })
  const refused = await pass({
    work: asking(refusal),
    question: { status: "refused", failure: fail("approval_required", "Nobody is here") },
  })
  expect(refused.answer).toMatchObject({ as: "done", value: { error: { code: "approval_required" } } })
})

test("a tool that asked before goes on from its state", async () => {
  const { answer } = await pass({
    resumption: { asked: ["apr_1"], state: "second page" },
    work: ({ elicit }) => Promise.resolve(succeed(elicit.state)),
  })
  expect(answer).toEqual({ as: "done", value: succeed("second page") })
})

test("a built-in is answered after replay, principal and budget, and by no source", async () => {
  const search = { ...call, kind: "builtin", path: "search" } as const
  const { answer, steps } = await pass({ builtin: (who, args) => Promise.resolve({ who: who === principal, args }) }, search)
  expect(answer).toEqual({ as: "built-in", value: { form: "value", json: '{"who":true,"args":{"n":1}}' } })
  expect(steps).toEqual(["replay", "principal", "budget", "answered"])
  expect((await pass({ exhausted: refusal }, search)).answer).toEqual({ as: "refused", value: "rate_limited" })
  const recorded = { state: "done", answer: { as: "replayed", value: "as it was" } } as const
  expect((await pass({ recorded }, search)).answer).toEqual(recorded.answer)
})

test("a built-in that fails rejects with an error of the table, and its bugs are no answers", async () => {
  const search = { ...call, kind: "builtin", path: "search" } as const
  const wrong = await pass({ builtin: () => Promise.reject(new ExecutorError("invalid_arguments", "no query")) }, search)
  expect(wrong.answer).toEqual({
    as: "built-in",
    value: { form: "reject", json: '{"code":"invalid_arguments","message":"no query","retryable":false}' },
  })
  const bug = new Error("a bug")
  expect(await pass({ builtin: () => Promise.reject(bug) }, search)).toEqual({ answer: bug, steps: ["replay", "principal", "budget"] })
})

test("store and load are built-ins too", async () => {
  const loaded = await pass({}, { ...call, kind: "load", path: "kept" })
  expect(loaded.answer).toEqual({ as: "built-in", value: { form: "value", json: "7" } })
  const stored = await pass({}, { ...call, kind: "store", path: "kept" })
  expect(stored.answer).toEqual({ as: "built-in", value: { form: "value", json: "null" } })
})
