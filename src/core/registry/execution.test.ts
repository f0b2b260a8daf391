// Tests that execution settings have defaults and limits, and that a refusal says what a field takes.
import { expect, test } from "vitest"
import { withLimits } from "../limits.ts"
import { checkExecution, readExecution } from "./execution.ts"

const limits = withLimits({})

test("settings that are left out have their defaults", () => {
  const defaults = { isPure: false, concurrencyGroup: "default", maxConcurrency: 1, timeoutMs: null }
  expect(checkExecution({}, limits)).toEqual(defaults)
  expect(readExecution({})).toEqual(defaults)
})

test("settings are read in the names in which they are stored", () => {
  const stored = { is_pure: true, concurrency_group: "crm", max_concurrency: 3, timeout_s: 2.5 }
  const settings = { isPure: true, concurrencyGroup: "crm", maxConcurrency: 3, timeoutMs: 2500 }
  expect(checkExecution(stored, limits)).toEqual(settings)
  expect(readExecution(stored)).toEqual(settings)
})

const refused: readonly (readonly [unknown, RegExp])[] = [
  [null, /an object with is_pure/],
  [[], /an object with is_pure/],
  [{ maxConcurrency: 2 }, /no field 'maxConcurrency'; it takes .*max_concurrency/],
  [{ is_pure: "yes" }, /is_pure must be true or false/],
  [{ concurrency_group: "" }, /concurrency_group must be a name/],
  [{ concurrency_group: "a/b" }, /concurrency_group must be a name/],
  [{ concurrency_group: "x".repeat(64) }, /up to 63/],
  [{ concurrency_group: 7 }, /concurrency_group must be a name/],
  [{ max_concurrency: 0 }, /max_concurrency must be an integer from 1 to 1000/],
  [{ max_concurrency: 1.5 }, /max_concurrency/],
  [{ max_concurrency: "2" }, /max_concurrency/],
  [{ max_concurrency: 1001 }, /max_concurrency/],
  [{ timeout_s: 0 }, /timeout_s must be a number of seconds above 0, up to 600/],
  [{ timeout_s: 601 }, /timeout_s/],
  [{ timeout_s: Number.NaN }, /timeout_s/],
  [{ timeout_s: null }, /leave it out/],
]

test.each(refused)("%j is refused with what is expected", (input, message) => {
  expect(() => checkExecution(input, limits)).toThrow(message)
})

test("what nobody checked before it was stored counts as missing", () => {
  expect(readExecution({ concurrency_group: "a/b" })).toEqual(readExecution({}))
  expect(readExecution({ is_pure: 1, concurrency_group: null, max_concurrency: -4, timeout_s: "1" })).toEqual(readExecution({}))
})
