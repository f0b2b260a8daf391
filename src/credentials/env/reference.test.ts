// References to the environment: only what may be read is read, and never our own settings.
import { expect, test } from "vitest"
import { checkEnvReferences, resolveEnv } from "./reference.ts"

const variables = { TOKEN: "t", EMPTY: "", EXECUTOR_SECRET_KEY: "k", OTHER: "o" }

test("a reference is replaced by the variable's value", () => {
  expect(resolveEnv("Bearer ${env:TOKEN}!", { variables, allow: "all" })).toBe("Bearer t!")
})

test("a value that looks like a reference is not resolved again", () => {
  expect(resolveEnv("${env:LOOP}", { variables: { LOOP: "${env:TOKEN}" }, allow: "all" })).toBe("${env:TOKEN}")
})

test.each([
  ["${env:EXECUTOR_SECRET_KEY}", "all" as const, "may not be read"],
  ["${env:OTHER}", ["TOKEN"], "may not be read"],
  ["${env:EMPTY}", "all" as const, "is not set"],
  ["${env:MISSING}", "all" as const, "is not set"],
  ["${env:__proto__}", "all" as const, "is not set"],
])("refuses %s", (text, allow, reason) => {
  expect(() => resolveEnv(text, { variables: Object.assign(Object.create(null), variables) as typeof variables, allow })).toThrow(reason)
})

test("what may not be read is said when it is stored", () => {
  expect(() => checkEnvReferences("${env:OTHER}", { variables, allow: [] })).toThrow("EXECUTOR_ENV_ALLOW")
})
