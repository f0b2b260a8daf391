// What clients are answered stays small enough to be taken, however much a tool or code has to say.
import { expect, test } from "vitest"
import { defaultLimits } from "../../../core/limits.ts"
import { toolFile } from "../../../core/result.ts"
import { toDirectResult } from "../direct/result.ts"
import { callHash } from "../native/rounds.ts"
import { toResult } from "./result-content.ts"

const limits = defaultLimits

test("a result that is too large is cut in the structured content as well, and says so", () => {
  const large = toDirectResult(
    { ok: true, data: { rows: Array.from({ length: 200_000 }, (_, index) => `row ${index}`) } },
    "openapi",
    "a.b",
    limits,
  )
  expect(JSON.stringify(large).length).toBeLessThan(2 * limits.resultTextCharsMax)
  expect(large.structuredContent).toMatchObject({ isCut: true, note: expect.stringContaining("ask for less") })
  const list = toDirectResult({ ok: true, data: [1, 2] }, "openapi", "a.b", limits)
  expect(list.structuredContent).toEqual({ result: [1, 2] })
})

test("a failure keeps all that it tells: also its status, and whether to try again", () => {
  const error = { code: "rate_limited", message: "Slow down", status: 429, retryable: true, details: { retryAfter: "5" } } as const
  expect(toDirectResult({ ok: false, error }, "openapi", "a.b", limits)).toEqual({
    content: [{ type: "text", text: "rate_limited: Slow down" }],
    structuredContent: { error },
    isError: true,
  })
})

test("what is emitted is bounded in all, and what is left out is counted", () => {
  const file = toolFile(new Uint8Array(2_500_000), "image/png")
  const reply = (emitted: unknown[]) =>
    toResult(
      {
        executionId: "exe_1",
        status: "completed",
        text: "1",
        isError: false,
        structured: { status: "completed", result: 1, logs: [], emitted },
      },
      limits,
    ).content
  expect(reply(["a", "b"])).toHaveLength(3)
  const texts = reply(Array.from({ length: 50 }, () => "x".repeat(20_000)))
  expect(texts.slice(1)).toMatchObject([{ type: "text" }, { type: "text" }, { text: expect.stringContaining("48 more") }])
  const files = reply([file, file, file])
  expect(files.filter((block) => block.type === "image")).toHaveLength(2)
  expect(files.at(-1)).toMatchObject({ text: expect.stringContaining("1 more") })
  expect(reply(Array.from({ length: 5000 }, () => ""))).toHaveLength(102)
})

test("the same arguments in another order are the same call", () => {
  expect(callHash("t", { a: 1, b: { c: [1, 2], d: 2 } })).toBe(callHash("t", { b: { d: 2, c: [1, 2] }, a: 1 }))
  expect(callHash("t", { a: [1, 2] })).not.toBe(callHash("t", { a: [2, 1] }))
})
