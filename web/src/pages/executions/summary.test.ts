// Runs of one agent can be told apart in a list.
import { expect, test } from "vitest"
import { summaryOf } from "./summary.ts"

const run = (input: string): string => `Agent keeper, version 1.0.0, with the model local/small\n\n${input}Instructions:\nKeep the books.`

test.each([
  ["agent", run("Input:\nCancel order 2.\nPlease.\n\n"), "Agent keeper: Cancel order 2."],
  ["agent", run(""), "Agent keeper, version 1.0.0, with the model local/small"],
  ["code", "\n  // What runs low\nreturn 1", "// What runs low"],
  ["code", run("Input:\nno agent\n\n"), "Agent keeper, version 1.0.0, with the model local/small"],
  ["code", "", ""],
] as const)("%s %j", (program, code, line) => {
  expect(summaryOf({ program, code })).toBe(line)
})
