// What people read when a part of a request does not fit its schema.
import { expect, test } from "vitest"
import { z } from "zod"
import { issueMessage } from "./issue-message.ts"

const scalar = z.union([z.string(), z.number(), z.null()])

test.each<[z.ZodType, unknown, string]>([
  [z.string().min(1), "", "it must not be empty"],
  [z.string().min(3), "ab", "it must have at least 3 characters"],
  [z.string().max(3), "abcd", "it must have at most 3 characters"],
  [z.array(z.string()).min(1), [], "it must have at least 1 item"],
  [z.array(z.string()).max(2), ["a", "b", "c"], "it must have at most 2 items"],
  [z.int().min(1), 0, "it must be at least 1"],
  [z.int().max(1000), 1001, "it must be at most 1000"],
  [z.number().gt(3), 3, "it must be more than 3"],
  [z.number().lt(3), 3, "it must be less than 3"],
  [z.int(), 1.5, "it must be a whole number"],
  [z.int(), "many", "it must be a number"],
  [z.string(), 1, "it must be a string"],
  [z.array(z.string()), {}, "it must be an array"],
  [z.strictObject({}), [], "it must be an object"],
  [z.record(z.string(), z.unknown()), 1, "it must be an object"],
  [z.boolean(), "yes", "it must be a boolean"],
  [z.string(), undefined, "it is required (string)"],
  [z.record(z.string(), z.unknown()), undefined, "it is required (object)"],
  [z.strictObject({}), { a: 1, b: 2 }, "it is not a known field"],
  [z.enum(["org", "user"]), "root", "it must be one of org, user"],
  [z.literal("http"), "ftp", "it must be http"],
  [scalar, {}, "it must be a string or a number or null"],
  [z.union([z.string(), z.strictObject({ a: z.string() })]), { a: 1 }, "it does not match any of the accepted forms"],
  [z.string().refine(() => false, "Names no tool"), "x", "names no tool"],
])("%#: %o of %j", (schema, value, message) => {
  expect(schema.safeParse(value).error?.issues.map(issueMessage)).toEqual([message])
})

test("what a stranger sends does not make it long", () => {
  const schema = z.enum(Array.from({ length: 200 }, (_, index) => `choice${index}`))
  expect(schema.safeParse("x").error?.issues.map((issue) => issueMessage(issue).length)).toEqual([300])
})
