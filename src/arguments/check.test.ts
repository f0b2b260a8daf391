// What the argument check says, for each kind of mistake that models make.
import { describe, expect, test } from "vitest"
import type { JsonSchema } from "../core/tool.ts"
import { prepareArgsCheck } from "./check.ts"
import type { ArgsIssue } from "./issue.ts"

const none = (): undefined => undefined

function issuesOf(schema: JsonSchema | boolean, args: unknown, definitions: Record<string, JsonSchema> = {}): readonly ArgsIssue[] {
  const verdict = prepareArgsCheck(schema, (name) => definitions[name]).check(args)
  return verdict.ok ? [] : verdict.issues
}

const text = { type: "string" }
const repository = {
  type: "object",
  required: ["owner", "repo"],
  additionalProperties: false,
  properties: {
    owner: text,
    repo: text,
    per_page: { type: "integer", minimum: 1, maximum: 100 },
    state: { type: "string", enum: ["open", "closed", "all"] },
    labels: { type: "array", items: text, uniqueItems: true },
    milestone: { anyOf: [text, { type: "null" }] },
    items: { type: "array", items: { type: "object", required: ["name"], additionalProperties: false, properties: { name: text } } },
    source: {
      oneOf: [
        { title: "Card", type: "object", required: ["kind", "number"], properties: { kind: { const: "card" }, number: text } },
        { type: "object", required: ["kind", "iban"], properties: { kind: { const: "bank" }, iban: text } },
        text,
      ],
    },
  },
}
const right = { owner: "octocat", repo: "hello" }

describe("accepts", () => {
  test.each<[string, JsonSchema | boolean, unknown]>([
    ["the required ones", repository, right],
    ["a property that is undefined, as if it were absent", repository, { ...right, state: undefined }],
    [
      "everything that is optional",
      repository,
      { ...right, per_page: 5, state: "all", labels: ["a", "b"], milestone: null, items: [{ name: "x" }] },
    ],
    ["an alternative", repository, { ...right, source: { kind: "bank", iban: "DE" } }],
    ["anything under true", true, { a: [1, { b: null }] }],
    ["anything under {}", {}, { a: 1 }],
    ["a property called __proto__", { properties: { ["__proto__"]: text }, additionalProperties: false }, JSON.parse('{"__proto__":"x"}')],
    [
      "a format that is not met, which the upstream judges",
      { properties: { a: { type: "string", format: "hostname" } } },
      { a: "no host" },
    ],
    ["a pattern that is not met, which the upstream judges", { properties: { a: { pattern: "^b" } } }, { a: "a" }],
    ["a name that only a pattern can allow", { patternProperties: { "^x-": text }, additionalProperties: false }, { "x-a": 1 }],
    ["what a pattern below not excludes", { properties: { a: { not: { pattern: "a" } } } }, { a: "a" }],
    [
      "what several alternatives fit once their patterns are left out",
      { properties: { a: { oneOf: [{ pattern: "a" }, { pattern: "b" }] } } },
      { a: "a" },
    ],
    ["what only a condition with a pattern forbids", JSON.parse('{"if":{"properties":{"a":{"pattern":"x"}}},"then":false}'), { a: "y" }],
    ["what additionalProperties evaluates", { additionalProperties: true, unevaluatedProperties: false }, { a: 1 }],
    ["what items evaluates", { properties: { a: { allOf: [{ items: {} }], unevaluatedItems: false } } }, { a: [1] }],
    ["items that only a pattern can count", { properties: { a: { contains: { pattern: "^x" }, maxContains: 1 } } }, { a: ["x", "y", "z"] }],
    ["what a condition evaluates", { if: { properties: { a: true } }, unevaluatedProperties: false }, { a: 1 }],
    [
      "a reference that leads nowhere",
      { properties: { a: { $ref: "#/$defs/gone" }, b: { $ref: "https://example.com/b" } } },
      { a: 1, b: 2 },
    ],
    ["a type that JSON does not have", { properties: { a: { type: "file" } } }, { a: 1 }],
    ["malformed keywords", { required: true, properties: { a: { minimum: "3", enum: {}, items: 5, allOf: {} } } }, { a: 1 }],
    [
      "more than 100 items although two are equal",
      { properties: { a: { uniqueItems: true } } },
      { a: Array.from({ length: 101 }, () => 1) },
    ],
  ])("%s", (_, schema, args) => {
    expect(issuesOf(schema, args)).toEqual([])
  })
})

describe("refuses", () => {
  test.each<[string, JsonSchema | boolean, unknown, ArgsIssue[]]>([
    [
      "missing parameters",
      repository,
      {},
      [
        { path: "owner", code: "missing_required_field", message: "Missing required parameter 'owner'" },
        { path: "repo", code: "missing_required_field", message: "Missing required parameter 'repo'" },
      ],
    ],
    [
      "a misspelt name",
      repository,
      { ...right, pre_page: 1 },
      [{ path: "pre_page", code: "unexpected_field", message: "Unknown parameter 'pre_page'. Did you mean 'per_page'?" }],
    ],
    [
      "a name that resembles none",
      { properties: { a: true, b: true }, additionalProperties: false },
      { quantity: 1 },
      [{ path: "quantity", code: "unexpected_field", message: "Unknown parameter 'quantity'. Accepted: a, b." }],
    ],
    [
      "any name where none is accepted",
      { additionalProperties: false },
      { a: 1 },
      [{ path: "a", code: "unexpected_field", message: "Unknown parameter 'a'. No parameters are accepted here." }],
    ],
    [
      "wrong types",
      repository,
      { owner: 7, repo: null, per_page: 1.5, labels: {} },
      [
        { path: "owner", code: "wrong_type", message: "Parameter 'owner' must be a string, got number 7" },
        { path: "repo", code: "wrong_type", message: "Parameter 'repo' must be a string, got null" },
        { path: "per_page", code: "wrong_type", message: "Parameter 'per_page' must be an integer, got number 1.5" },
        { path: "labels", code: "wrong_type", message: "Parameter 'labels' must be an array, got an object" },
      ],
    ],
    [
      "a value outside an enum",
      repository,
      { ...right, state: "opened" },
      [
        {
          path: "state",
          code: "invalid_enum",
          message: `Parameter 'state' must be one of "open", "closed", "all", got string "opened". Did you mean "open"?`,
        },
      ],
    ],
    [
      "places inside arrays",
      repository,
      { ...right, items: [{ name: "a" }, {}, { name: 1, nmae: "x" }] },
      [
        { path: "items[1].name", code: "missing_required_field", message: "Missing required parameter 'items[1].name'" },
        { path: "items[2].name", code: "wrong_type", message: "Parameter 'items[2].name' must be a string, got number 1" },
        { path: "items[2].nmae", code: "unexpected_field", message: "Unknown parameter 'items[2].nmae'. Did you mean 'name'?" },
      ],
    ],
    [
      "alternatives that differ by type, as one type",
      repository,
      { ...right, milestone: 5 },
      [{ path: "milestone", code: "wrong_type", message: "Parameter 'milestone' must be a string or null, got number 5" }],
    ],
    [
      "what is wrong with a thing that may also be null, as if it may not",
      { properties: { filter: { anyOf: [{ type: "object", properties: { d: { type: "string" } }, required: ["d"] }, { type: "null" }] } } },
      { filter: {} },
      [{ path: "filter.d", code: "missing_required_field", message: "Missing required parameter 'filter.d'" }],
    ],
    [
      "alternatives, naming the closest",
      repository,
      { ...right, source: { kind: "card" } },
      [
        {
          path: "source",
          code: "schema_branch_mismatch",
          message:
            "Parameter 'source' matches none of its 3 alternatives; the closest is 'Card': Missing required parameter 'source.number'",
        },
      ],
    ],
    [
      "alternatives, naming the discriminator",
      repository,
      { ...right, source: { kind: "cash" } },
      [
        {
          path: "source",
          code: "schema_branch_mismatch",
          message: `Parameter 'source' matches none of its 3 alternatives: Parameter 'source.kind' must be one of "card", "bank", got string "cash"`,
        },
      ],
    ],
    [
      "alternatives that are constants, as an enum",
      { properties: { a: { anyOf: [{ const: "x" }, { const: "y" }, { type: "null" }] } } },
      { a: "z" },
      [{ path: "a", code: "invalid_enum", message: `Parameter 'a' must be one of "x", "y", null, got string "z"` }],
    ],
    [
      "values out of bounds",
      repository,
      { ...right, per_page: 101, labels: ["a", "a"] },
      [
        { path: "per_page", code: "invalid_value", message: "Parameter 'per_page' must be at most 100, got 101" },
        { path: "labels", code: "invalid_value", message: "Parameter 'labels' must not have the same item twice" },
      ],
    ],
    [
      "too many items of a tuple",
      { properties: { a: { prefixItems: [text], items: false } } },
      { a: ["x", "y"] },
      [{ path: "a[1]", code: "invalid_value", message: "Parameter 'a[1]' is one item too many" }],
    ],
    [
      "an array without what it must contain",
      { properties: { a: { contains: { type: "number" } } } },
      { a: ["x", "y"] },
      [{ path: "a", code: "invalid_value", message: "Parameter 'a' must have at least 1 item of the kind that the schema asks for" }],
    ],
    [
      "names outside propertyNames",
      { properties: { a: { propertyNames: { enum: ["left", "right"] } } } },
      { a: { lfet: 1 } },
      [{ path: "a.lfet", code: "unexpected_field", message: "Unknown parameter 'a.lfet'. Did you mean 'left'?" }],
    ],
    [
      "a dependent parameter",
      { dependentRequired: { from: ["to"] } },
      { from: 1 },
      [{ path: "to", code: "missing_required_field", message: "Missing required parameter 'to'" }],
    ],
    ["no object", repository, [], [{ path: "", code: "wrong_type", message: "The arguments must be an object, got an array of 0" }]],
    [
      "nothing at all",
      repository,
      undefined,
      [{ path: "", code: "wrong_type", message: "The arguments must be an object, got undefined" }],
    ],
    ["anything under false", false, {}, [{ path: "", code: "invalid_value", message: "The arguments object is not accepted" }]],
    [
      "what JSON cannot carry",
      {},
      { a: [{ b: () => 1 }] },
      [{ path: "a[0].b", code: "invalid_value", message: "Parameter 'a[0].b' is a function, which JSON cannot represent" }],
    ],
    ["NaN", {}, { a: Number.NaN }, [{ path: "a", code: "invalid_value", message: "Parameter 'a' is NaN, which JSON cannot represent" }]],
    [
      "an integer whose digits a number cannot hold",
      { properties: { id: { type: "integer" } } },
      { id: 2 ** 53 },
      [
        {
          path: "id",
          code: "invalid_value",
          message:
            "Parameter 'id' is an integer too large for a number to hold exactly, so its last digits may have changed; pass it as a string",
        },
      ],
    ],
    [
      "names that are no identifiers",
      { properties: { "a b": { type: "string" }, "c/d~e%": text, "#": text } },
      { "a b": 1, "c/d~e%": 1, "#": 1 },
      [
        { path: `["a b"]`, code: "wrong_type", message: `Parameter '["a b"]' must be a string, got number 1` },
        { path: `["c/d~e%"]`, code: "wrong_type", message: `Parameter '["c/d~e%"]' must be a string, got number 1` },
        { path: `["#"]`, code: "wrong_type", message: `Parameter '["#"]' must be a string, got number 1` },
      ],
    ],
    [
      "what it requires itself before what the schemas beside it require",
      { allOf: [{ required: ["c"] }], dependentRequired: { x: ["b"] }, required: ["a"] },
      { x: 1 },
      ["a", "b", "c"].map((name) => ({ path: name, code: "missing_required_field", message: `Missing required parameter '${name}'` })),
    ],
    [
      "a wrong value under a name that no pointer can hold",
      { properties: { a: { properties: { "\uD800": text } } } },
      { a: { "\uD800": 1 } },
      [{ path: `a["\\ud800"]`, code: "wrong_type", message: `Parameter 'a["\\ud800"]' must be a string, got number 1` }],
    ],
    [
      "an unevaluated property, but not one whose value is wrong",
      { allOf: [{ properties: { a: text } }], properties: { b: text }, unevaluatedProperties: false },
      { a: "x", b: 1, c: 2 },
      [
        { path: "b", code: "wrong_type", message: "Parameter 'b' must be a string, got number 1" },
        { path: "c", code: "unexpected_field", message: "Unknown parameter 'c'. Accepted: b, a." },
      ],
    ],
  ])("%s", (_, schema, args, issues) => {
    expect(issuesOf(schema, args)).toEqual(issues)
  })

  test.each([
    [{ properties: { id: { type: "integer" } } }, { id: "9007199254740993" }, true],
    [{ properties: { id: { type: ["integer", "null"] } } }, { id: "-9007199254740993" }, true],
    [{ properties: { id: { anyOf: [{ type: "integer" }, { type: "null" }] } } }, { id: "9007199254740993" }, true],
    [{ properties: { ids: { type: "array", items: { type: "number" } } } }, { ids: [1, "9007199254740993"] }, true],
    [{ properties: { id: { type: "integer" } } }, { id: "12" }, false],
    [{ properties: { id: { type: "boolean" } } }, { id: "9007199254740993" }, false],
    [{ properties: { id: { type: "integer" }, on: { type: "boolean" } } }, { id: "9007199254740993", on: 1 }, false],
  ])("%j takes %j, with digits for an integer that no number holds: %s", (schema, args, isAccepted) => {
    expect(prepareArgsCheck(schema, none).check(args).ok).toBe(isAccepted)
  })

  test("with the first missing parameter as its message, whatever else is wrong", () => {
    const verdict = prepareArgsCheck(repository, none).check({ owner: 1, zzz: 2 })
    expect(verdict).toMatchObject({ ok: false, message: "Missing required parameter 'repo'" })
  })
})
