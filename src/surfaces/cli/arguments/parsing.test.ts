// Small readings: conditions, slugs, times, connections and exit codes.
import { expect, test } from "vitest"
import { ExecutorError } from "../../../core/errors.ts"
import { readConnectionKey } from "../connections/key.ts"
import { exitCodeOf, exitCodeOfCode } from "../exit-code.ts"
import { NoServerError } from "../server/no-server-error.ts"
import { parseCount, parseDuration, parseOwner } from "../option-parse.ts"
import { conditionText } from "../../../core/policy.ts"
import { parseCondition } from "../policy-condition.ts"
import { UsageError } from "../usage-error.ts"

test.each([
  ["amount gte 100", { arg: "amount", op: "gte", value: 100 }],
  ["owner eq acme", { arg: "owner", op: "eq", value: "acme" }],
  ["title like *urgent thing*", { arg: "title", op: "like", value: "*urgent thing*" }],
  ['state in ["open","closed"]', { arg: "state", op: "in", value: ["open", "closed"] }],
  ["body.force exists", { arg: "body.force", op: "exists" }],
  ['{"arg":"a","op":"eq","value":"b c"}', { arg: "a", op: "eq", value: "b c" }],
])("the condition %s", (text, condition) => {
  expect(parseCondition(text)).toEqual(condition)
})

test.each(["amount", "amount > 100", ""])("the condition %j is refused", (text) => {
  expect(() => parseCondition(text)).toThrow("--when takes a condition such as")
})

test("a condition is shown as it is written", () => {
  expect(conditionText({ arg: "amount", op: "gte", value: 100 })).toBe("amount gte 100")
})

test.each([
  ["90", 90_000],
  ["90s", 90_000],
  ["1.5m", 90_000],
  ["1500ms", 1500],
])("the time %s", (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each([
  [parseDuration, "soon"],
  [parseDuration, "-5"],
  [parseCount, "0"],
  [parseCount, "1e3"],
  [parseOwner, "me"],
])("%o refuses %s", (parse, text) => {
  expect(() => parse(text)).toThrow("It must be")
})

test.each([
  ["github", {}, { integration: "github", owner: "org", name: "main" }],
  ["github", { owner: "user", name: "work" }, { integration: "github", owner: "user", name: "work" }],
  ["tools.github.user.work", {}, { integration: "github", owner: "user", name: "work" }],
] as const)("the connection %s %j", (word, options, key) => {
  expect(readConnectionKey(word, options)).toEqual(key)
})

test("a connection that cannot be is wrong usage", () => {
  expect(() => readConnectionKey("github.me.work", {})).toThrow(UsageError)
})

test.each([
  [new UsageError("x"), 2],
  [new NoServerError("http://x", { status: "silent", reason: "", isCertificate: false }), 6],
  [new ExecutorError("not_found", "x"), 4],
  [new ExecutorError("forbidden", "x"), 5],
  [new ExecutorError("invalid_request", "x"), 2],
  [new ExecutorError("upstream_unreachable", "x"), 1],
  [new Error("x"), 1],
  ["x", 1],
])("%s exits with %i", (error, code) => {
  expect(exitCodeOf(error)).toBe(code)
})

test.each([
  ["tool_blocked", 5],
  ["approval_declined", 5],
  ["approval_required", 3],
  ["tool_not_found", 4],
  ["constructor", 1],
])("the code %s exits with %i", (code, exit) => {
  expect(exitCodeOfCode(code)).toBe(exit)
})
