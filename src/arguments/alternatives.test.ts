// Values that fit none, one or several of the alternatives of a schema.
import { describe, expect, test } from "vitest"
import type { JsonSchema } from "../core/tool.ts"
import { prepareArgsCheck } from "./check.ts"
import type { ArgsIssue } from "./issue.ts"

function issuesOf(schema: JsonSchema, args: unknown): readonly ArgsIssue[] {
  const verdict = prepareArgsCheck(schema, () => undefined).check(args)
  return verdict.ok ? [] : verdict.issues
}

const text = { type: "string" }

describe("accepts", () => {
  test.each<[string, JsonSchema, unknown]>([
    [
      "what several alternatives fit, which the upstream tells apart",
      { properties: { a: { oneOf: [text, { type: "string", minLength: 1 }] } } },
      { a: "x" },
    ],
    ["alternatives that require nothing", { oneOf: [{ properties: { a: text } }, { properties: { b: text } }] }, { a: "x", b: "y" }],
    ["what fits two alternatives below not", { not: { oneOf: [{ required: ["a"] }, { required: ["b"] }] } }, { a: 1, b: 1 }],
    [
      "what fits two alternatives in a condition",
      JSON.parse('{"if":{"oneOf":[{"required":["a"]},{"required":["b"]}]},"then":{"required":["c"]}}'),
      { a: 1, b: 1 },
    ],
  ])("%s", (_, schema, args) => {
    expect(issuesOf(schema, args)).toEqual([])
  })
})

describe("refuses", () => {
  test.each<[string, JsonSchema, unknown, ArgsIssue[]]>([
    [
      "what fits none of several that overlap",
      { properties: { a: { oneOf: [text, { type: "string", minLength: 1 }] } } },
      { a: 1 },
      [{ path: "a", code: "wrong_type", message: "Parameter 'a' must be a string, got number 1" }],
    ],
    [
      "what fits one of anyOf and none of oneOf",
      { anyOf: [{ required: ["a"] }, { required: ["b"] }], oneOf: [{ required: ["c"] }, { required: ["d"], title: "D" }] },
      { a: 1 },
      [
        {
          path: "",
          code: "schema_branch_mismatch",
          message: "The arguments object matches none of its 2 alternatives; the closest is alternative 1: Missing required parameter 'c'",
        },
      ],
    ],
    [
      "what no alternative that fits evaluates",
      { oneOf: [{ properties: { a: text } }, { properties: { b: text } }], unevaluatedProperties: false },
      { a: "x", b: "y", c: 1 },
      [{ path: "c", code: "unexpected_field", message: "Unknown parameter 'c'. Accepted: a, b." }],
    ],
  ])("%s", (_, schema, args, issues) => {
    expect(issuesOf(schema, args)).toEqual(issues)
  })
})
